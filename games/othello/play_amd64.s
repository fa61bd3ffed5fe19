#include "textflag.h"

// The four lanes of a vector are the four lines through a square: row, column
// and diagonals, on which neighbours are 1, 8, 9 and 7 apart.

DATA steps<>+0(SB)/8, $1
DATA steps<>+8(SB)/8, $8
DATA steps<>+16(SB)/8, $9
DATA steps<>+24(SB)/8, $7
GLOBL steps<>(SB), RODATA|NOPTR, $32

// Where a run of discs can go on along each line: not in the left and right
// columns, save straight up and down.
DATA inside<>+0(SB)/8, $0x7e7e7e7e7e7e7e7e
DATA inside<>+8(SB)/8, $0xffffffffffffffff
DATA inside<>+16(SB)/8, $0x7e7e7e7e7e7e7e7e
DATA inside<>+24(SB)/8, $0x7e7e7e7e7e7e7e7e
GLOBL inside<>(SB), RODATA|NOPTR, $32

// SETUP loads what stays the same from move to move.
//   Y0 own, Y1 other (in all lanes)
//   Y9 zero, Y10 ones, Y11 inside, Y12 steps, Y13 steps*2, Y14 steps*4
#define SETUP \
	VPBROADCASTQ own+0(FP), Y0;   \
	VPBROADCASTQ other+8(FP), Y1; \
	VPXOR Y9, Y9, Y9;             \
	VPCMPEQQ Y10, Y10, Y10;       \
	VMOVDQU inside<>(SB), Y11;    \
	VMOVDQU steps<>(SB), Y12;     \
	VPADDQ Y12, Y12, Y13;         \
	VPADDQ Y13, Y13, Y14

// FLIPS sets all lanes of Y2 to the discs turned over by a disc on the square
// of the ray that R points to. It uses Y3 to Y6.
//
// After the square, the nearest square without a disc of the other side is the
// lowest bit of the line; before it, the highest, which is found by smearing
// the line away from the square. If own has a disc there, the discs up to it
// are those below the bit, and those above it.
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

// REPLIES sets OUT to the squares next to runs of discs of own, as they are
// after the flips in Y2 and the disc on the square of the ray, that begin at a
// disc of the other side. They may be occupied. It uses Y2 to Y8.
#define REPLIES(R, OUT) \
	VPXOR Y2, Y1, Y3;         \
	VPBROADCASTQ 64(R), Y4;   \
	VPOR Y0, Y4, Y4;          \
	VPOR Y2, Y4, Y4;          \
	VPAND Y11, Y4, Y4;        \
	VPSLLVQ Y12, Y3, Y5;      \
	VPSRLVQ Y12, Y3, Y6;      \
	VPAND Y4, Y5, Y5;         \
	VPAND Y4, Y6, Y6;         \
	VPSLLVQ Y12, Y4, Y7;      \
	VPSLLVQ Y12, Y5, Y2;      \
	VPSRLVQ Y12, Y6, Y3;      \
	VPAND Y4, Y7, Y7;         \
	VPAND Y4, Y2, Y2;         \
	VPAND Y4, Y3, Y3;         \
	VPSRLVQ Y12, Y7, Y8;      \
	VPOR Y2, Y5, Y5;          \
	VPOR Y3, Y6, Y6;          \
	VPSLLVQ Y13, Y5, Y2;      \
	VPSRLVQ Y13, Y6, Y3;      \
	VPAND Y7, Y2, Y2;         \
	VPAND Y8, Y3, Y3;         \
	VPOR Y2, Y5, Y5;          \
	VPOR Y3, Y6, Y6;          \
	VPSLLVQ Y13, Y5, Y2;      \
	VPSRLVQ Y13, Y6, Y3;      \
	VPAND Y7, Y2, Y2;         \
	VPAND Y8, Y3, Y3;         \
	VPOR Y2, Y5, Y5;          \
	VPOR Y3, Y6, Y6;          \
	VPSLLVQ Y12, Y5, Y5;      \
	VPSRLVQ Y12, Y6, Y6;      \
	VPOR Y6, Y5, Y5;          \
	VEXTRACTI128 $1, Y5, X6;  \
	VPOR X6, X5, X5;          \
	VPSHUFD $0x4e, X5, X6;    \
	VPOR X6, X5, X5;          \
	VMOVQ X5, OUT

// func playAVX2(own, other, ground uint64, r *ray) (flips, next uint64)
TEXT ·playAVX2(SB), NOSPLIT, $0-48
	MOVQ r+24(FP), AX
	SETUP
	FLIPS(AX)
	VMOVQ X2, CX
	REPLIES(AX, DX)
	VZEROUPPER

	MOVQ own+0(FP), BX
	ORQ  other+8(FP), BX
	ORQ  64(AX), BX
	NOTQ BX
	ANDQ ground+16(FP), BX
	ANDQ BX, DX
	MOVQ CX, flips+32(FP)
	MOVQ DX, next+40(FP)
	RET

// noSquare stands for a ray without a square, for REPLIES after no move.
GLOBL noSquare<>(SB), RODATA|NOPTR, $72

// func repliesAVX2(own, other, ground uint64) (moves uint64)
TEXT ·repliesAVX2(SB), NOSPLIT, $0-32
	VPBROADCASTQ own+0(FP), Y1
	VPBROADCASTQ other+8(FP), Y0
	VPXOR Y2, Y2, Y2
	VMOVDQU inside<>(SB), Y11
	VMOVDQU steps<>(SB), Y12
	VPADDQ Y12, Y12, Y13
	LEAQ noSquare<>(SB), AX
	REPLIES(AX, DX)
	VZEROUPPER

	MOVQ own+0(FP), BX
	ORQ  other+8(FP), BX
	NOTQ BX
	ANDQ ground+16(FP), BX
	ANDQ BX, DX
	MOVQ DX, moves+24(FP)
	RET

// func flipsAVX2(own, other uint64, r *ray) (flips uint64)
TEXT ·flipsAVX2(SB), NOSPLIT, $0-32
	MOVQ r+16(FP), AX
	SETUP
	FLIPS(AX)
	VMOVQ X2, CX
	VZEROUPPER
	MOVQ CX, flips+24(FP)
	RET

// func pairsAVX2(own, other, ground, moves uint64, r *[64]ray) uint64
TEXT ·pairsAVX2(SB), NOSPLIT, $0-48
	SETUP
	MOVQ own+0(FP), BX
	ORQ  other+8(FP), BX
	NOTQ BX
	ANDQ ground+16(FP), BX // the empty squares
	MOVQ moves+24(FP), SI
	MOVQ r+32(FP), DI
	XORQ R8, R8            // the count

loop:
	BSFQ SI, AX
	LEAQ (AX)(AX*8), AX    // a ray is nine words long
	LEAQ (DI)(AX*8), AX
	FLIPS(AX)
	REPLIES(AX, DX)
	MOVQ 64(AX), CX
	NOTQ CX
	ANDQ BX, DX
	ANDQ CX, DX
	POPCNTQ DX, CX
	ADDQ CX, R8
	CMPQ DX, $1
	ADCQ $0, R8            // a move without reply counts for one
	LEAQ -1(SI), CX
	ANDQ CX, SI
	JNZ  loop

	VZEROUPPER
	MOVQ R8, ret+40(FP)
	RET

// func childrenAVX2(own, other, ground, moves uint64, r *[64]ray, out *[64]Bitboards)
TEXT ·childrenAVX2(SB), NOSPLIT, $0-48
	SETUP
	MOVQ own+0(FP), R9
	MOVQ other+8(FP), R10
	MOVQ ground+16(FP), R11
	MOVQ R9, BX
	ORQ  R10, BX
	NOTQ BX
	ANDQ R11, BX           // the empty squares
	MOVQ moves+24(FP), SI
	MOVQ r+32(FP), DI
	MOVQ out+40(FP), R8

child:
	BSFQ SI, AX
	LEAQ (AX)(AX*8), AX    // a ray is nine words long
	LEAQ (DI)(AX*8), AX
	FLIPS(AX)
	VMOVQ X2, R12
	REPLIES(AX, DX)
	MOVQ 64(AX), R13
	MOVQ R10, CX
	XORQ R12, CX
	MOVQ CX, 0(R8)         // other without the flips is to move
	ORQ  R13, R12
	ORQ  R9, R12
	MOVQ R12, 8(R8)
	MOVQ R11, 16(R8)
	NOTQ R13
	ANDQ BX, DX
	ANDQ R13, DX
	MOVQ DX, 24(R8)
	ADDQ $32, R8
	LEAQ -1(SI), CX
	ANDQ CX, SI
	JNZ  child

	VZEROUPPER
	RET
