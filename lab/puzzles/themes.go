package puzzles

import (
	"strconv"

	"quintet/game"
	"quintet/learn/puzzle"
)

// The themes of puzzles.
const (
	themeEndgame   = "endgame"   // the win is counted at the end of the game
	themeWinIn     = "win-in-"   // followed by the number of turns
	themeDefence   = "defence"   // the opponent threatens to win at once
	themeCapture   = "capture"   // the first move captures
	themeQuiet     = "quiet"     // a piece moves first, and captures nothing
	themeSacrifice = "sacrifice" // the reply captures the piece that moved first
	themePass      = "pass"      // the opponent has to pass
	themeCorner    = "corner"    // the first stone goes to a corner
)

// themes returns the themes of a puzzle.
func (m *Maker) themes(p *puzzle.Puzzle, start game.Position) (list []string) {
	list = append(list, themeEndgame)
	if p.WinsIn > 0 {
		list[0] = themeWinIn + strconv.Itoa(p.WinsIn)
	}
	add := func(name string, has bool) {
		if has {
			list = append(list, name)
		}
	}
	first, _ := start.Parse(p.Turns[0].Moves[0])
	board := start.Board()
	target := board.Cells[first.To()]
	_, shift := first.From()
	add(themeDefence, m.know.Danger != nil && m.know.Danger(start))
	add(themeCapture, shift && target.Kind != game.Empty)
	add(themeQuiet, shift && target.Kind == game.Empty)
	after := puzzle.PlayTurn(start, []game.Move{first})
	sacrifice, pass := false, false
	for i, t := range p.Turns {
		for _, text := range t.Reply {
			reply, err := after.Parse(text)
			sacrifice = sacrifice || i == 0 && err == nil && shift && reply != game.Pass && reply.To() == first.To()
			pass = pass || game.IsPass(text)
		}
	}
	add(themeSacrifice, sacrifice)
	add(themePass, pass)
	add(themeCorner, !shift && first != game.Pass && corner(board, first.To()))
	return list
}

func corner(b game.Board, c game.Cell) bool {
	row, col := int(c)/len(b.Cols), int(c)%len(b.Cols)
	return (row == 0 || row == len(b.Rows)-1) && (col == 0 || col == len(b.Cols)-1)
}
