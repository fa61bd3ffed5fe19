package bots

import (
	"fmt"

	"quintet/game"
	"quintet/game/board8"
	"quintet/games/chess"
)

// Slip is a move that lost winning chances.
type Slip struct {
	Before game.Position // the move is played here
	Played []game.Move   // the move, and the best line after it
	Best   []game.Move   // the line that was better
	Loss   int           // points
}

// after returns the position after the first plies of a line, or after all of a shorter line.
func (s Slip) after(line []game.Move, plies int) game.Position {
	p := s.Before.Clone()
	for _, m := range line[:min(plies, len(line))] {
		p.Play(m)
	}
	return p
}

// describeOthello names a corner that is given away or not taken. Otherwise it counts the discs lost.
func describeOthello(s Slip) string {
	b := s.Before.Board()
	corner := func(line []game.Move, ply int) (name string, ok bool) {
		if ply >= len(line) || line[ply] == game.Pass {
			return "", false
		}
		row, col := int(line[ply].To())/len(b.Cols), int(line[ply].To())%len(b.Cols)
		return cellName(b, line[ply].To()), (row == 0 || row == len(b.Rows)-1) && (col == 0 || col == len(b.Cols)-1)
	}
	if name, ok := corner(s.Played, 1); ok {
		return "loses the corner " + name
	}
	if name, ok := corner(s.Best, 0); ok {
		return "leaves the corner " + name
	}
	return "loses " + board8.Number(max(s.Loss/100, 1), "disc")
}

func cellName(b game.Board, c game.Cell) string {
	return b.Cols[int(c)%len(b.Cols)] + b.Rows[int(c)/len(b.Cols)]
}

// chessNames are the names of the pieces whose loss does not end the game.
var chessNames = map[byte]string{chess.Pawn: "pawn", chess.Knight: "knight", chess.Bishop: "bishop", chess.Rook: "rook", chess.Queen: "queen"}

// describeChess names the most valuable piece that is lost, or not captured.
func describeChess(s Slip) string {
	side := s.Before.Turn()
	if man := chessTaken(s, s.Played, side); man != "" {
		return "loses the " + man
	}
	if man := chessTaken(s, s.Best, side.Other()); man != "" && s.Played[0].To() != s.Best[0].To() {
		return "does not take the " + man
	}
	return ""
}

// chessTaken names the most valuable piece that a side loses in the first three moves of a line: a
// move, the reply and a recapture. It returns "" if the side loses no material by them.
func chessTaken(s Slip, line []game.Move, side game.Side) (name string) {
	p := s.Before.Clone().(*chess.Position)
	worst, balance := 0, 0
	for _, m := range line[:min(3, len(line))] {
		if takesMan(p, m) {
			man := p.At(m.To())
			value := chessValue(man)
			if man.Side != side {
				value = -value
			} else if value > worst && chessNames[man.Kind] != "" {
				worst, name = value, chessNames[man.Kind]+" on "+cellName(p.Board(), m.To())
			}
			balance += value
		}
		p.Play(m)
	}
	if balance < 50 { // less than a pawn
		return ""
	}
	return name
}

// describeGroups compares the groups that two lines of Lines of Action or Neighbors lead to.
func describeGroups(s Slip) string {
	side := s.Before.Turn()
	groups := func(line []game.Move, of game.Side) (n int) {
		own := s.after(line, 2).(interface{ Pieces(side game.Side) uint64 }).Pieces(of)
		for ; own != 0; n++ {
			own &^= board8.Group(own&-own, own)
		}
		return n
	}
	if n, best := groups(s.Played, side), groups(s.Best, side); n > best {
		return fmt.Sprintf("leaves %s where there could be %d", board8.Number(n, "group"), best)
	}
	if n, best := groups(s.Played, side.Other()), groups(s.Best, side.Other()); n < best && n <= 2 {
		return fmt.Sprintf("lets the opponent connect into %s", board8.Number(n, "group"))
	}
	return ""
}
