package puzzles

import (
	"context"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/learn/puzzle"
)

// The themes of puzzles. They are computed from the rules, not guessed.
const (
	themeEndgame   = "endgame"   // the win is counted at the end of the game
	themeWinIn     = "win-in-"   // followed by the number of turns
	themeDefence   = "defence"   // the opponent threatens to win at once
	themeCapture   = "capture"   // the first move captures
	themeQuiet     = "quiet"     // the first move neither captures nor gives check (not for placed stones)
	themeCheck     = "check"     // the first move attacks the king
	themeFork      = "fork"      // the piece that moved first attacks two or more pieces, not counting pawns
	themeThreat    = "threat"    // the first move threatens to win at once
	themeZugzwang  = "zugzwang"  // the first move makes no such threat, but every reply allows a win
	themeSacrifice = "sacrifice" // the reply captures the piece that moved first
	themePass      = "pass"      // the opponent has to pass
	themeCorner    = "corner"    // the first stone goes to a corner
	themeXSquare   = "x-square"  // the first stone goes diagonally next to an empty corner
	themeParity    = "parity"    // the first stone goes to a region with an odd number of empty cells, while another has an even number
	themeMobility  = "mobility"  // the first stone leaves the opponent at most two moves
	themeTwoLines  = "two-lines" // the stones of the first turn share no line
)

// fewReplies is the most moves that the opponent may have left for themeMobility.
const fewReplies = 2

// themes returns the themes of a puzzle.
func (m *Maker) themes(ctx context.Context, p *puzzle.Puzzle, start game.Position) (list []string) {
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
	_, shift := first.From()
	add(themeDefence, m.inDanger(ctx, start))
	if shift {
		m.shiftThemes(ctx, p, start, first, add)
	} else if first != game.Pass {
		m.stoneThemes(p, start, first, add)
	}
	pass := false
	for _, t := range p.Turns {
		for _, text := range t.Reply {
			pass = pass || game.IsPass(text)
		}
	}
	add(themePass, pass)
	return list
}

// shiftThemes adds the themes of games in which pieces move.
func (m *Maker) shiftThemes(ctx context.Context, p *puzzle.Puzzle, start game.Position, first game.Move, add func(string, bool)) {
	after := puzzle.PlayTurn(start, []game.Move{first})
	capture, threat := start.Board().Cells[first.To()].Kind != game.Empty, m.inDanger(ctx, after)
	chess := m.game.Look.Set == game.Chessmen
	add(themeCapture, capture)
	add(themeCheck, chess && threat)
	add(themeThreat, !chess && threat)
	add(themeQuiet, !capture && (!chess || !threat))
	add(themeFork, chess && m.forks(after, first.To()) >= 2)
	add(themeZugzwang, p.WinsIn == 2 && !threat && !after.Result().Over())
	for _, text := range p.Turns[0].Reply {
		reply, err := after.Parse(text)
		add(themeSacrifice, err == nil && reply != game.Pass && reply.To() == first.To())
	}
}

// forks returns how many pieces, not counting pawns, the piece on a cell attacks. It is the other side's turn.
func (m *Maker) forks(p game.Position, from game.Cell) (n int) {
	p, err := m.otherToMove(p)
	if err != nil {
		return 0
	}
	b := p.Board()
	for _, mv := range p.Moves(nil) {
		if f, ok := mv.From(); ok && f == from && b.Cells[mv.To()].Kind != game.Empty && b.Cells[mv.To()].Kind != 'P' {
			n++
		}
	}
	return n
}

// inDanger reports whether the side to move faces a threat to lose at once.
func (m *Maker) inDanger(ctx context.Context, p game.Position) bool {
	if m.know.Danger != nil {
		return m.know.Danger(p)
	}
	if m.source.Turns == 0 {
		return false // the game is won by counting
	}
	other, err := m.otherToMove(p)
	if err != nil {
		return false
	}
	n, err := m.prover.WinsIn(ctx, other, 1)
	return err == nil && n == 1
}

// otherToMove returns the same position with the other side to move.
func (m *Maker) otherToMove(p game.Position) (game.Position, error) {
	words := strings.Fields(p.String())
	words[1] = m.game.Form().Turn[p.Turn().Other()]
	return m.game.Read(strings.Join(words, " "))
}

// stoneThemes adds the themes of games in which stones are placed.
func (m *Maker) stoneThemes(p *puzzle.Puzzle, start game.Position, first game.Move, add func(string, bool)) {
	b := start.Board()
	if p.WinsIn > 0 { // Connect6
		second, err := start.Parse(p.Turns[0].Moves[len(p.Turns[0].Moves)-1])
		add(themeTwoLines, err == nil && !onLine(b, first.To(), second.To()))
		return
	}
	after := puzzle.PlayTurn(start, []game.Move{first})
	add(themeCorner, corner(b, first.To()))
	add(themeXSquare, xSquare(b, first.To()))
	add(themeParity, oddRegion(b, first.To()))
	add(themeMobility, after.Turn() != start.Turn() && !after.Result().Over() && len(after.Moves(nil)) <= fewReplies)
}

// place returns the row and the column of a cell.
func place(b game.Board, c game.Cell) (row, col int) {
	return int(c) / len(b.Cols), int(c) % len(b.Cols)
}

func onLine(b game.Board, c, d game.Cell) bool {
	row, col := place(b, c)
	r, k := place(b, d)
	return row == r || col == k || row-r == col-k || row-r == k-col
}

func corner(b game.Board, c game.Cell) bool {
	row, col := place(b, c)
	return (row == 0 || row == len(b.Rows)-1) && (col == 0 || col == len(b.Cols)-1)
}

func xSquare(b game.Board, c game.Cell) bool {
	row, col := place(b, c)
	for _, d := range [][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
		r, k := row+d[0], col+d[1]
		if r < 0 || k < 0 || r >= len(b.Rows) || k >= len(b.Cols) {
			continue
		}
		if at := game.Cell(r*len(b.Cols) + k); corner(b, at) && b.Cells[at].Kind == game.Empty {
			return true
		}
	}
	return false
}

// oddRegion reports whether a cell is in a region with an odd number of empty cells, while another region has
// an even number. Cells that touch diagonally are connected.
func oddRegion(b game.Board, c game.Cell) bool {
	region := make([]int, len(b.Cells)) // each cell's region, numbered from 1
	sizes := []int{0}
	for i := range b.Cells {
		if b.Cells[i].Kind == game.Empty && region[i] == 0 {
			sizes = append(sizes, 0)
			flood(b, region, sizes, i)
		}
	}
	own, other := sizes[region[c]]%2 == 1, false
	for i, n := range sizes {
		other = other || i > 0 && n%2 == 0
	}
	return own && other
}

// flood adds an empty cell, and all that are connected to it, to the newest region.
func flood(b game.Board, region, sizes []int, at int) {
	n := len(sizes) - 1
	region[at] = n
	sizes[n]++
	row, col := place(b, game.Cell(at))
	for r := max(row-1, 0); r <= min(row+1, len(b.Rows)-1); r++ {
		for k := max(col-1, 0); k <= min(col+1, len(b.Cols)-1); k++ {
			if next := r*len(b.Cols) + k; b.Cells[next].Kind == game.Empty && region[next] == 0 {
				flood(b, region, sizes, next)
			}
		}
	}
}
