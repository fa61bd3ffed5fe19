package bots

import (
	"math/bits"

	"quintet/game"
	"quintet/games/chess"
)

// chessValues are what men are worth, in hundredths of a pawn of ordinary
// chess. Here a pawn is never promoted and is worth less. A king is lost with
// the game, and counts only to order captures.
var chessValues = [...]struct {
	kind  byte
	value int
}{
	{chess.Pawn, 70}, {chess.Knight, 320}, {chess.Bishop, 330}, {chess.Rook, 480}, {chess.Queen, 920}, {chess.King, 1000},
}

// centre and inner are the four and the sixteen cells in the middle, where men
// other than kings do more.
const (
	centre uint64 = 0x00_00_00_18_18_00_00_00
	inner  uint64 = 0x00_00_3c_3c_3c_3c_00_00
)

// Weights of where men stand.
const (
	chessInner  = 7
	chessCentre = 8
)

func evalChess(p game.Position) int {
	q := p.(*chess.Position)
	own, other := q.Men(q.Turn()), q.Men(q.Turn().Other())
	score := 0
	for _, man := range chessValues[:5] {
		men := q.Kind(man.kind)
		score += man.value * (bits.OnesCount64(men&own) - bits.OnesCount64(men&other))
	}
	kings := q.Kind(chess.King)
	score += chessInner * (bits.OnesCount64(own&inner&^kings) - bits.OnesCount64(other&inner&^kings))
	score += chessCentre * (bits.OnesCount64(own&centre&^kings) - bits.OnesCount64(other&centre&^kings))
	return score
}

// takesMan reports whether a man is captured.
func takesMan(p game.Position, m game.Move) bool {
	q := p.(*chess.Position)
	return m != game.Pass && q.Men(q.Turn().Other())>>(m.To()&63)&1 != 0
}

// orderChess tries captures of the most valuable victims by the least valuable
// attackers first.
func orderChess(p game.Position, m game.Move) int {
	q := p.(*chess.Position)
	from, ok := m.From()
	if !ok || !takesMan(p, m) {
		return 0
	}
	return chessValue(q.At(m.To())) - chessValue(q.At(from))/16
}

func chessValue(man game.Piece) int {
	for _, v := range chessValues {
		if v.kind == man.Kind {
			return v.value
		}
	}
	return 0
}
