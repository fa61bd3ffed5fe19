#include "go_asm.h"
#include "textflag.h"

// ROW adds what the discs on a row are worth to the numbers: those of own to Y0
// to Y2, those of other to Y3 to Y5. A row has 256 times 96 bytes in the table.
#define ROW(AT) \
	MOVBLZX AX, CX;                   \
	MOVBLZX BX, DX;                   \
	LEAQ (CX)(CX*2), CX;              \
	LEAQ (DX)(DX*2), DX;              \
	SHLQ $5, CX;                      \
	SHLQ $5, DX;                      \
	VPADDW (AT+0)(SI)(CX*1), Y0, Y0;  \
	VPADDW (AT+32)(SI)(CX*1), Y1, Y1; \
	VPADDW (AT+64)(SI)(CX*1), Y2, Y2; \
	VPADDW (AT+0)(SI)(DX*1), Y3, Y3;  \
	VPADDW (AT+32)(SI)(DX*1), Y4, Y4; \
	VPADDW (AT+64)(SI)(DX*1), Y5, Y5; \
	SHRQ $8, AX;                      \
	SHRQ $8, BX

// The last vector has 46 - 40 shapes.
DATA lastLanes<>+0(SB)/8, $-1
DATA lastLanes<>+8(SB)/8, $-1
DATA lastLanes<>+16(SB)/8, $-1
DATA lastLanes<>+24(SB)/8, $0
GLOBL lastLanes<>(SB), RODATA|NOPTR, $32

// GATHER sets VALUE to the values of eight lanes from LANE on, whose numbers are in IN. A gather
// loads doublewords: the value is the upper half, and the lower half lies before it. It clears
// the mask.
#define GATHER(IN, LANE, MASK, INDEX, VALUE) \
	VPMOVZXWD IN, INDEX;                                \
	VPADDD (4*LANE)(R8), INDEX, INDEX;                  \
	VPXOR VALUE, VALUE, VALUE;                          \
	VPGATHERDD MASK, (tables_shapes-2)(DI)(INDEX*2), VALUE; \
	VPSRAD $16, VALUE, VALUE

// func sumAVX2(own, other uint64, add *rowNumbers, first *[lanes]int32, t *tables) int32
TEXT ·sumAVX2(SB), NOSPLIT, $0-44
	MOVQ own+0(FP), AX
	MOVQ other+8(FP), BX
	MOVQ add+16(FP), SI
	MOVQ first+24(FP), R8
	MOVQ t+32(FP), DI
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	ROW(0)
	ROW(24576)
	ROW(49152)
	ROW(73728)
	ROW(98304)
	ROW(122880)
	ROW(147456)
	ROW(172032)
	VPADDW Y3, Y3, Y3
	VPADDW Y4, Y4, Y4
	VPADDW Y5, Y5, Y5
	VPADDW Y3, Y0, Y0
	VPADDW Y4, Y1, Y1
	VPADDW Y5, Y2, Y2
	VEXTRACTI128 $1, Y0, X3
	VEXTRACTI128 $1, Y1, X4
	VEXTRACTI128 $1, Y2, X5
	VPCMPEQD Y9, Y9, Y9
	VPCMPEQD Y10, Y10, Y10
	VPCMPEQD Y11, Y11, Y11
	VPCMPEQD Y12, Y12, Y12
	VPCMPEQD Y13, Y13, Y13
	VMOVDQU lastLanes<>(SB), Y14
	GATHER(X0, 0, Y9, Y6, Y7)
	GATHER(X3, 8, Y10, Y8, Y15)
	VPADDD Y15, Y7, Y7
	GATHER(X1, 16, Y11, Y6, Y9)
	GATHER(X4, 24, Y12, Y8, Y10)
	VPADDD Y10, Y9, Y9
	GATHER(X2, 32, Y13, Y6, Y11)
	GATHER(X5, 40, Y14, Y8, Y12)
	VPADDD Y12, Y11, Y11
	VPADDD Y9, Y7, Y7
	VPADDD Y11, Y7, Y7
	VEXTRACTI128 $1, Y7, X6 // add up the eight lanes
	VPADDD X6, X7, X7
	VPSHUFD $0x4e, X7, X6
	VPADDD X6, X7, X7
	VPSHUFD $0xb1, X7, X6
	VPADDD X6, X7, X7
	VZEROUPPER
	MOVQ X7, AX
	MOVL AX, ret+40(FP)
	RET
