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

// VALUE adds the value of the picture in a lane, whose kind begins at FIRST, to
// a register.
#define VALUE(LANE, FIRST, TO) \
	MOVWLZX (2*LANE)(SP), CX;         \
	MOVWLSX (2*FIRST)(DI)(CX*2), DX;  \
	ADDL DX, TO

// func sumAVX2(own, other uint64, add *rowNumbers, values *[pictures]int16) int32
TEXT ·sumAVX2(SB), NOSPLIT, $96-36
	MOVQ own+0(FP), AX
	MOVQ other+8(FP), BX
	MOVQ add+16(FP), SI
	MOVQ values+24(FP), DI
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
	VMOVDQU Y0, 0(SP)
	VMOVDQU Y1, 32(SP)
	VMOVDQU Y2, 64(SP)
	VZEROUPPER
	XORL R8, R8
	XORL R9, R9
	VALUE(0, 0, R8)
	VALUE(1, 0, R9)
	VALUE(2, 0, R8)
	VALUE(3, 0, R9)
	VALUE(4, 6561, R8)
	VALUE(5, 6561, R9)
	VALUE(6, 6561, R8)
	VALUE(7, 6561, R9)
	VALUE(8, 13122, R8)
	VALUE(9, 13122, R9)
	VALUE(10, 13122, R8)
	VALUE(11, 13122, R9)
	VALUE(12, 19683, R8)
	VALUE(13, 19683, R9)
	VALUE(14, 26244, R8)
	VALUE(15, 26244, R9)
	VALUE(16, 26244, R8)
	VALUE(17, 26244, R9)
	VALUE(18, 28431, R8)
	VALUE(19, 28431, R9)
	VALUE(20, 28431, R8)
	VALUE(21, 28431, R9)
	VALUE(22, 29160, R8)
	VALUE(23, 29160, R9)
	VALUE(24, 29160, R8)
	VALUE(25, 29160, R9)
	VALUE(26, 29403, R8)
	VALUE(27, 29403, R9)
	VALUE(28, 29403, R8)
	VALUE(29, 29403, R9)
	VALUE(30, 29484, R8)
	VALUE(31, 29484, R9)
	VALUE(32, 29484, R8)
	VALUE(33, 29484, R9)
	VALUE(34, 88533, R8)
	VALUE(35, 88533, R9)
	VALUE(36, 88533, R8)
	VALUE(37, 88533, R9)
	VALUE(38, 88533, R8)
	VALUE(39, 88533, R9)
	VALUE(40, 88533, R8)
	VALUE(41, 88533, R9)
	VALUE(42, 147582, R8)
	VALUE(43, 147582, R9)
	VALUE(44, 147582, R8)
	VALUE(45, 147582, R9)
	ADDL R9, R8
	MOVL R8, ret+32(FP)
	RET
