#include "textflag.h"

// The four lanes of a vector are the four lines through a square: row, column and
// diagonals, on which neighbours are 1, 8, 9 and 7 apart.
DATA steps<>+0(SB)/8, $1
DATA steps<>+8(SB)/8, $8
DATA steps<>+16(SB)/8, $9
DATA steps<>+24(SB)/8, $7
GLOBL steps<>(SB), RODATA|NOPTR, $32

// Offsets in kernel and cell.
#define FILLED 10240
#define COUNTS 10248
#define BIT 64
#define QUADRANT 72
#define NEAR 80

// FLIPS sets all lanes of Y2 to the discs that own (Y0) flips from other (Y1) by a disc on
// the square of cell R. It uses Y3 to Y6. Y9 is zero, Y10 ones, Y12 to Y14 the steps times
// 1, 2 and 4. It is explained in games/othello/play_amd64.s.
#define FLIPS(R) \
	VMOVDQU 0(R), Y4;         \
	VMOVDQU 32(R), Y5;        \
	VPANDN Y4, Y1, Y2;        \
	VPANDN Y5, Y1, Y3;        \
	VPSUBQ Y2, Y9, Y6;        \
	VPAND Y6, Y2, Y2;         \
	VPSRLVQ Y12, Y3, Y6;      \
	VPOR Y6, Y3, Y3;          \
	VPAND Y0, Y2, Y2;         \
	VPSRLVQ Y13, Y3, Y6;      \
	VPOR Y6, Y3, Y3;          \
	VPSRLVQ Y14, Y3, Y6;      \
	VPOR Y6, Y3, Y3;          \
	VPSRLVQ Y12, Y3, Y6;      \
	VPANDN Y3, Y6, Y3;        \
	VPCMPEQQ Y9, Y2, Y6;      \
	VPADDQ Y10, Y2, Y2;       \
	VPSUBQ Y6, Y2, Y2;        \
	VPAND Y4, Y2, Y2;         \
	VPAND Y0, Y3, Y3;         \
	VPADDQ Y3, Y3, Y3;        \
	VPSUBQ Y3, Y9, Y3;        \
	VPAND Y5, Y3, Y3;         \
	VPOR Y3, Y2, Y2;          \
	VPERMQ $0x4e, Y2, Y3;     \
	VPOR Y3, Y2, Y2;          \
	VPSHUFD $0x4e, Y2, Y3;    \
	VPOR Y3, Y2, Y2

// CELL sets R to the cell of a square.
#define CELL(R) \
	LEAQ (R)(R*4), R; \
	SHLQ $5, R;       \
	ADDQ R8, R

// LINE adds what a disc on the square of cell E would flip on a line, for both sides, to
// R15. P has the discs of the side to move.
#define LINE(E, AT, P) \
	PEXTQ (96+AT)(E), P, CX;   \
	ADDQ (128+AT)(E), CX;      \
	MOVWLZX (R9)(CX*2), CX;    \
	ADDL CX, R15

// LAST sets AX to the value of a board with the discs P (destroyed) of the side to move, on
// which only the square of cell E is empty. It uses CX and R15, and jumps to SETTLED if
// nobody can move, with the margin in P; from there it goes on at BACK.
#define LAST(E, P, SETTLED, BACK) \
	XORL R15, R15;         \
	LINE(E, 0, P);         \
	LINE(E, 8, P);         \
	LINE(E, 16, P);        \
	LINE(E, 24, P);        \
	POPCNTQ P, P;          \
	ADDQ P, P;             \
	SUBQ FILLED(R8), P;    \
	TESTL R15, R15;        \
	JZ SETTLED;            \
	MOVBLZX R15, CX;       \
	SHRL $8, R15;          \
	ADDL R15, R15;         \
	MOVQ P, AX;            \
	SUBQ R15, AX;          \
	SUBQ $1, AX;           \
	LEAQ 1(P)(CX*2), R15;  \
	TESTL CX, CX;          \
	CMOVQNE R15, AX;       \
BACK:

// func tailAVX2(own, other, empty, odd uint64, alpha, beta int, k *kernel) (value, nodes int)
//
// Registers: R8 the kernel, R9 its counts, R10 nodes, R11 the frame of the node. A frame has
// own 0, other 8, empty 16, odd 24, squares of this half that are to be tried 32, those of
// the other half 40, alpha 48, beta 56, best 64, and whether the side before passed 72.
TEXT ·tailAVX2(SB), NOSPLIT, $320-72
	MOVQ k+48(FP), R8
	LEAQ COUNTS(R8), R9
	XORQ R10, R10
	LEAQ 0(SP), R11
	VPXOR Y9, Y9, Y9
	VPCMPEQQ Y10, Y10, Y10
	VMOVDQU steps<>(SB), Y12
	VPADDQ Y12, Y12, Y13
	VPADDQ Y13, Y13, Y14
	MOVQ own+0(FP), SI
	MOVQ other+8(FP), DI
	MOVQ empty+16(FP), BX
	MOVQ odd+24(FP), DX
	MOVQ alpha+32(FP), AX
	MOVQ beta+40(FP), CX

enter:
	MOVQ SI, 0(R11)
	MOVQ DI, 8(R11)
	MOVQ BX, 16(R11)
	MOVQ DX, 24(R11)
	MOVQ AX, 48(R11)
	MOVQ CX, 56(R11)
	MOVQ $0, 72(R11)

again:
	ADDQ $1, R10
	MOVQ $-100, 64(R11)
	MOVQ BX, AX
	ANDQ DX, AX
	XORQ AX, BX
	MOVQ BX, 40(R11)

next:
	TESTQ AX, AX
	JZ half

try:
	TZCNTQ AX, R12
	BLSRQ AX, AX
	CELL(R12)
	MOVQ 8(R11), DI
	TESTQ NEAR(R12), DI
	JZ next
	VPBROADCASTQ 0(R11), Y0
	VPBROADCASTQ 8(R11), Y1
	FLIPS(R12)
	VMOVQ X2, R13
	TESTQ R13, R13
	JZ next
	MOVQ AX, 32(R11)
	MOVQ BIT(R12), CX
	MOVQ DI, SI
	XORQ R13, SI
	MOVQ 0(R11), DI
	ORQ R13, DI
	ORQ CX, DI
	MOVQ 16(R11), BX
	XORQ CX, BX
	BLSRQ BX, R13
	BLSRQ R13, CX
	JZ two
	MOVQ 24(R11), DX
	XORQ QUADRANT(R12), DX
	MOVQ 48(R11), CX
	MOVQ 64(R11), AX
	CMPQ AX, CX
	CMOVQGT AX, CX
	NEGQ CX
	MOVQ 56(R11), AX
	NEGQ AX
	ADDQ $80, R11
	JMP enter

half:
	MOVQ 40(R11), AX
	MOVQ $0, 40(R11)
	TESTQ AX, AX
	JNZ try
	MOVQ 64(R11), AX
	CMPQ AX, $-100
	JNE leave
	MOVQ 0(R11), SI
	MOVQ 8(R11), DI
	MOVQ 16(R11), BX
	CMPQ 72(R11), $0
	JNE over
	MOVQ DI, 0(R11) // pass
	MOVQ SI, 8(R11)
	MOVQ 48(R11), AX
	MOVQ 56(R11), CX
	NEGQ AX
	NEGQ CX
	MOVQ CX, 48(R11)
	MOVQ AX, 56(R11)
	MOVQ $1, 72(R11)
	MOVQ 24(R11), DX
	JMP again

over: // the winner gets the empty cells
	POPCNTQ SI, AX
	POPCNTQ DI, CX
	POPCNTQ BX, BX
	SUBQ CX, AX
	JEQ leave
	JGT won
	NEGQ BX
won:
	ADDQ BX, AX

leave: // AX is the value of the node
	MOVQ AX, CX
	NEGQ CX
	CMPQ 72(R11), $0
	CMOVQNE CX, AX
	LEAQ 0(SP), CX
	CMPQ R11, CX
	JEQ finish
	SUBQ $80, R11
	NEGQ AX

merge: // AX is the value of a move
	CMPQ AX, 64(R11)
	JLE skip
	MOVQ AX, 64(R11)
	CMPQ AX, 56(R11)
	JGE leave
skip:
	MOVQ 32(R11), AX
	JMP next

two: // a board of SI and DI with two empty cells in BX, of which R13 is the higher
	VPBROADCASTQ BIT(R12), Y3
	VPXOR Y1, Y2, Y4
	VPOR Y0, Y2, Y1
	VPOR Y3, Y1, Y1
	VMOVDQA Y4, Y0
	TZCNTQ BX, R12
	TZCNTQ R13, R13
	CELL(R12)
	CELL(R13)
	XORL DX, DX // whether the side before passed

twice:
	ADDQ $1, R10
	FLIPS(R12)
	VMOVQ X2, R14
	FLIPS(R13)
	VMOVQ X2, BX
	MOVQ R14, AX
	ORQ BX, AX
	JZ stuck
	CMPQ R14, $1 // a node for each move
	SBBQ $-1, R10
	CMPQ BX, $1
	SBBQ $-1, R10
	MOVQ DI, SI // SI is not needed any more
	XORQ R14, SI
	XORQ BX, DI
	LAST(R13, SI, settled1, back1)
	MOVQ $100, SI
	TESTQ R14, R14
	CMOVQNE AX, SI
	LAST(R12, DI, settled2, back2)
	TESTQ BX, BX
	MOVQ $100, CX
	CMOVQEQ CX, AX
	CMPQ SI, AX
	CMOVQLT SI, AX // the side after has the least
	MOVQ AX, CX
	NEGQ CX
	TESTL DX, DX
	CMOVQNE CX, AX
	JMP merge

settled1:
	MOVQ SI, AX
	TESTQ SI, SI
	JEQ back1
	SARQ $63, SI
	LEAQ 1(AX)(SI*2), AX
	JMP back1

settled2:
	MOVQ DI, AX
	TESTQ DI, DI
	JEQ back2
	SARQ $63, DI
	LEAQ 1(AX)(DI*2), AX
	JMP back2

stuck:
	TESTL DX, DX
	JNE end2
	MOVL $1, DX
	XCHGQ SI, DI
	VMOVDQA Y0, Y3
	VMOVDQA Y1, Y0
	VMOVDQA Y3, Y1
	JMP twice

end2: // nobody can move on two cells; SI is the side before the pass's opponent
	POPCNTQ SI, AX
	POPCNTQ DI, CX
	SUBQ CX, AX
	JEQ merge
	MOVQ AX, CX
	SARQ $63, CX
	LEAQ 2(AX)(CX*4), AX
	JMP merge

finish:
	VZEROUPPER
	MOVQ AX, value+56(FP)
	MOVQ R10, nodes+64(FP)
	RET
