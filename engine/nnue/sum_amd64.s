#include "textflag.h"

// UNITS clips sixteen sums, squares them and adds them up by their weights to Y11.
// The weight times the clipped sum fits into 16 bits.
#define UNITS(SUM, AT) \
	VPMAXSW SUM, Y8, SUM;       \
	VPMINSW SUM, Y9, SUM;       \
	VPMULLW AT(DX), SUM, Y10;   \
	VPMADDWD SUM, Y10, Y10;     \
	VPADDD Y10, Y11, Y11

// func sumAVX2(bias *Row, output *Output, rows []Row, features []uint16, mask uint16) int32
TEXT ·sumAVX2(SB), NOSPLIT, $0-76
	MOVQ bias+0(FP), AX
	MOVQ output+8(FP), DX
	MOVQ rows_base+16(FP), SI
	MOVQ features_base+40(FP), DI
	MOVQ features_len+48(FP), CX
	MOVWLZX mask+64(FP), R8
	VMOVDQU 0(AX), Y0
	VMOVDQU 32(AX), Y1
	VMOVDQU 64(AX), Y2
	VMOVDQU 96(AX), Y3
	VMOVDQA Y0, Y4
	VMOVDQA Y1, Y5
	VMOVDQA Y2, Y6
	VMOVDQA Y3, Y7
	LEAQ (DI)(CX*2), CX

next:
	MOVWLZX (DI), AX
	MOVL AX, BX
	XORL R8, BX
	SHLQ $7, AX
	SHLQ $7, BX
	VPADDW 0(SI)(AX*1), Y0, Y0
	VPADDW 32(SI)(AX*1), Y1, Y1
	VPADDW 64(SI)(AX*1), Y2, Y2
	VPADDW 96(SI)(AX*1), Y3, Y3
	VPADDW 0(SI)(BX*1), Y4, Y4
	VPADDW 32(SI)(BX*1), Y5, Y5
	VPADDW 64(SI)(BX*1), Y6, Y6
	VPADDW 96(SI)(BX*1), Y7, Y7
	ADDQ $2, DI
	CMPQ DI, CX
	JLT next

	VPXOR Y8, Y8, Y8
	MOVL $255, AX
	VMOVD AX, X9
	VPBROADCASTW X9, Y9
	VPXOR Y11, Y11, Y11
	UNITS(Y0, 0)
	UNITS(Y1, 32)
	UNITS(Y2, 64)
	UNITS(Y3, 96)
	UNITS(Y4, 128)
	UNITS(Y5, 160)
	UNITS(Y6, 192)
	UNITS(Y7, 224)
	VEXTRACTI128 $1, Y11, X0
	VPADDD X0, X11, X0
	VPSHUFD $0x4E, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+72(FP)
	VZEROUPPER
	RET
