package gametest

import (
	"slices"
	"strings"

	"quintet/game"
)

// checkLook checks what a game says of itself to pages, pictures and the terminal.
func checkLook(t TB, g game.Game) {
	if light := g.Sides[0] == "White" || g.Sides[1] == "Black"; light != g.Look.LightFirst && (light || g.Sides[0] == "Black" || g.Sides[1] == "White") {
		t.Errorf("%s moves first, but Look.LightFirst is %t", g.Sides[0], g.Look.LightFirst)
	}
	checkMoves(t, g, "Face", nil, g.Look.Face)
	checkMoves(t, g, "Demo", g.Look.Demo.Setup, g.Look.Demo.Moves)
}

// checkMoves checks that moves for display are legal.
func checkMoves(t TB, g game.Game, field string, setup game.Setup, moves string) {
	start, err := g.Start(setup)
	if err != nil {
		t.Fatalf("%s: %v", field, err)
	}
	m := game.NewMatch(g, start)
	for _, text := range strings.Fields(moves) {
		if err := m.PlayText(text); err != nil {
			t.Errorf("%s: %v", field, err)
			return
		}
	}
}

// checkForm checks that the text which board editors write for a position is read as that
// position's board and side to move.
func (w *walk) checkForm(p game.Position) {
	form, board := w.g.Form(), p.Board()
	if len(board.Cells) != len(board.Rows)*len(board.Cols) {
		return // as checkBoard says
	}
	letters := map[game.Piece]byte{{}: game.Blank}
	for _, l := range form.Letters {
		letters[l.Piece] = l.Letter
	}
	for _, piece := range board.Cells {
		if letters[piece] == 0 {
			w.Errorf("%s: Look.Form has no letter for %+v", p, piece)
			return
		}
	}
	rows := game.FormatRows(len(board.Rows), len(board.Cols), func(c game.Cell) byte { return letters[board.Cells[c]] })
	text := rows + " " + form.Turn[p.Turn()&1]
	if fields := strings.Fields(p.String()); w.g.Look.PliesPerTurn() > 1 && len(fields) > 2 {
		text += " " + fields[2] // the plies left, of which boards know nothing
	}
	q, err := w.g.Read(text + form.Rest)
	if err != nil {
		w.Errorf("%s: Look.Form gives %q: %v", p, text+form.Rest, err)
	} else if q.Turn() != p.Turn() || !slices.Equal(q.Board().Cells, board.Cells) {
		w.Errorf("%s: Look.Form gives %q, which is %s", p, text+form.Rest, q)
	}
}

// checkPass checks that the turn can be handed over where the game says so.
func (w *walk) checkPass(p game.Position, moves []game.Move) {
	if !w.g.Passable || len(moves) == 0 {
		return
	}
	passed := p.Clone()
	passed.Play(game.Pass)
	if passed.Turn() == p.Turn() || !slices.Equal(passed.Board().Cells, p.Board().Cells) {
		w.Errorf("%s: Play(pass) gives %s, but the game is Passable", p, passed)
	}
}

// checkTurn counts the plies of a turn.
func (w *walk) checkTurn(p game.Position) {
	if w.run++; p.Turn() != w.turn {
		w.turn, w.run = p.Turn(), 1
	}
	if w.run > w.g.Look.PliesPerTurn() {
		w.Errorf("%s: ply %d of one turn, but Look.PerTurn says %d", p, w.run, w.g.Look.PliesPerTurn())
	}
}
