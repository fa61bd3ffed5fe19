#include "textflag.h"

// The values are read in blocks of eight; the last block overlaps the one before it
// unless their number is a multiple of eight.

// func firstAVX2(values []int32) int
TEXT ·firstAVX2(SB), NOSPLIT, $0-32
	MOVQ values_base+0(FP), SI
	MOVQ values_len+8(FP), DX
	SUBQ $8, DX // where the last block begins
	VMOVDQU (SI)(DX*4), Y0
	XORQ AX, AX

highest:
	VPMAXSD (SI)(AX*4), Y0, Y0
	ADDQ $8, AX
	CMPQ AX, DX
	JLT highest

	VEXTRACTI128 $1, Y0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPMAXSD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPMAXSD X1, X0, X0
	VPBROADCASTD X0, Y0

	XORQ AX, AX

find:
	CMPQ AX, DX
	JGE last
	VPCMPEQD (SI)(AX*4), Y0, Y1
	VMOVMSKPS Y1, BX
	TESTL BX, BX
	JNZ found
	ADDQ $8, AX
	JMP find

last:
	MOVQ DX, AX
	VPCMPEQD (SI)(AX*4), Y0, Y1
	VMOVMSKPS Y1, BX

found:
	BSFL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
