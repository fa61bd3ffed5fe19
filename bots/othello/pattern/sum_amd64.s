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

// LANE adds the weight of a lane to SUM. The numbers of its kind begin at FIRST, as allShapes places
// them. Scalar loads take two thirds of the time of gathers (on AMD's Zen 4; docs/internals/experiments.md).
#define LANE(I, FIRST, SUM) \
	MOVWLZX numbers-(96-2*(I))(SP), R8;               \
	MOVBLSX (tables_coarse+(FIRST))(DI)(R8*1), R9;   \
	ADDL    R9, SUM

// LANES4 adds the weights of four lanes from lane I on.
#define LANES4(I, FIRST) \
	LANE(I, FIRST, AX);   \
	LANE(I+1, FIRST, BX); \
	LANE(I+2, FIRST, CX); \
	LANE(I+3, FIRST, DX)

// func sumAVX2(own, other uint64, add *rowNumbers, t *tables) int32
TEXT ·sumAVX2(SB), NOSPLIT, $96-36
	MOVQ own+0(FP), AX
	MOVQ other+8(FP), BX
	MOVQ add+16(FP), SI
	MOVQ t+24(FP), DI
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
	VMOVDQU Y0, numbers-96(SP)
	VMOVDQU Y1, numbers-64(SP)
	VMOVDQU Y2, numbers-32(SP)
	VZEROUPPER
	XORL AX, AX
	XORL BX, BX
	XORL CX, CX
	XORL DX, DX
	LANES4(0, 0)          // rows and columns
	LANES4(4, 6561)
	LANES4(8, 2*6561)
	LANE(12, 3*6561, AX)  // diagonals
	LANE(13, 3*6561, BX)
	LANES4(14, 4*6561)
	LANES4(18, 4*6561+2187)
	LANES4(22, 4*6561+2187+729)
	LANES4(26, 4*6561+2187+729+243)
	LANES4(30, 4*6561+2187+729+243+81) // edges
	LANES4(34, 4*6561+2187+729+243+81+59049) // corners
	LANES4(38, 4*6561+2187+729+243+81+59049)
	LANES4(42, 4*6561+2187+729+243+81+2*59049)
	ADDL BX, AX
	ADDL DX, CX
	ADDL CX, AX
	IMULL $const_coarseUnit, AX
	MOVL AX, ret+32(FP)
	RET
