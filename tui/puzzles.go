package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/learn/puzzle"
	"quintet/tui/paint"
)

// puzzles is the screen of the puzzles of a game.
type puzzles struct {
	*exercise
	c    *shared
	game game.Game
	list []puzzle.Puzzle
	at   int // number of the puzzle
	turn int // number of the turn that is asked for
}

// newPuzzles opens the first puzzle that is not solved yet.
func newPuzzles(c *shared, g game.Game) (screen, error) {
	list, err := puzzle.Embedded(g.Name)
	if err != nil {
		return nil, fmt.Errorf("opening puzzles: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New(g.Title + " has no puzzles")
	}
	z := &puzzles{c: c, game: g, list: list, at: len(list) - 1}
	return z, z.next(1)
}

// solvedIDs are the puzzles of the game that have been solved.
func (z *puzzles) solvedIDs() []string { return z.c.choices.Solved[z.game.Name] }

// next opens the next puzzle that is not solved, or the next at all; by is 1 or -1.
func (z *puzzles) next(by int) error {
	n := len(z.list)
	to := (z.at + by + n) % n
	for i := range n {
		if at := ((z.at+by*(i+1))%n + n) % n; !slices.Contains(z.solvedIDs(), z.list[at].ID) {
			to = at
			break
		}
	}
	return z.load(to)
}

func (z *puzzles) load(at int) error {
	_, start, err := z.list[at].Start()
	if err != nil {
		return fmt.Errorf("opening a puzzle: %w", err)
	}
	e, err := newExercise(z.c, z.game, start)
	if err != nil {
		return err
	}
	z.exercise, z.at, z.turn = e, at, 0
	return nil
}

func (z *puzzles) puzzle() *puzzle.Puzzle { return &z.list[z.at] }

func (z *puzzles) title() string {
	return fmt.Sprintf("%s · puzzle %d of %d · %d solved", z.game.Title, z.at+1, len(z.list), len(z.solvedIDs()))
}

func (z *puzzles) keys() []binding {
	return append([]binding{
		{"n", "next", "the next puzzle that is not solved", command(func() { z.c.notifyError(z.next(1)) })},
		{"b", "", "the one before", command(func() { z.c.notifyError(z.next(-1)) })},
		{"t", "hint", "say with which move the turn begins", command(z.giveHint)},
		{"s", "solution", "play the solution", command(z.reveal)},
	}, z.exerciseKeys(z.play)...)
}

// play tries a move of the turn that is asked for.
func (z *puzzles) play(m game.Move) tea.Cmd {
	if !z.try(m) {
		return nil
	}
	turn := &z.puzzle().Turns[z.turn]
	switch {
	case turn.Solves(z.part):
		z.right(turn)
	case len(z.part) >= len(turn.Moves) || z.t.Over():
		z.wrong(turn)
	}
	return nil
}

// right continues to the next turn, or ends the puzzle.
func (z *puzzles) right(turn *puzzle.Turn) {
	reply := z.show(turn.Reply, len(turn.Reply))
	z.base, z.part = z.t.At(), nil
	if z.turn++; z.turn < len(z.puzzle().Turns) {
		z.news = fmt.Sprintf("Right. %s replies %s. Go on.", z.opponent(), turnText(reply))
		return
	}
	z.phase, z.news = solved, "Solved."
	if p := z.puzzle(); len(p.Turns) < p.WinsIn {
		z.news = "Solved: nothing stops the win now."
	}
	if !slices.Contains(z.solvedIDs(), z.puzzle().ID) {
		if z.c.choices.Solved == nil {
			z.c.choices.Solved = map[string][]string{}
		}
		z.c.choices.Solved[z.game.Name] = append(z.solvedIDs(), z.puzzle().ID)
		z.c.remember()
	}
}

// wrong refutes the turn on the board.
func (z *puzzles) wrong(turn *puzzle.Turn) {
	tried := turnText(z.part)
	reply, _ := turn.Refutation(z.part)
	z.phase = missed
	if played := z.show(reply, len(turn.Moves)); len(played) > 0 {
		z.news = fmt.Sprintf("Not %s: %s replies %s.", tried, z.opponent(), turnText(played))
		return
	}
	z.news = tried + " ends the game without a win."
}

// opponent is the name of the side that does not solve.
func (z *puzzles) opponent() string { return z.game.Sides[z.side().Other()] }

func (z *puzzles) side() game.Side {
	if z.puzzle().Side == game.Second.String() {
		return game.Second
	}
	return game.First
}

// giveHint says with which cell or piece the turn begins.
func (z *puzzles) giveHint() {
	if z.phase != asked {
		return
	}
	z.again()
	first := z.puzzle().Turns[z.turn].Moves[0]
	m, err := z.t.Position().Parse(first)
	if err != nil {
		z.c.notifyError(err)
		return
	}
	z.news = "Look at " + first + "."
	if from, ok := m.From(); ok {
		z.news = "Move the piece on " + cellName(z.t.Position().Board(), from) + "."
	}
}

// reveal plays the rest of the solution.
func (z *puzzles) reveal() {
	if z.phase == solved || z.phase == shown {
		return
	}
	z.phase = missed
	z.again()
	var all []string
	for _, t := range z.puzzle().Turns[z.turn:] {
		all = append(all, z.show(t.Moves, len(t.Moves))...)
		all = append(all, z.show(t.Reply, len(t.Reply))...)
	}
	z.phase, z.news = shown, "The solution is "+turnText(all)+"."
}

func (z *puzzles) update(msg tea.Msg) tea.Cmd { return z.clicked(msg, z.play) }

// goal says what is to be done.
func (z *puzzles) goal() string {
	side := z.game.Sides[z.side()]
	switch n := z.puzzle().WinsIn; n {
	case 0:
		return side + " wins with perfect play: find the only move."
	case 1:
		return side + " wins in one turn."
	default:
		return side + " wins in " + strconv.Itoa(n) + " turns."
	}
}

func (z *puzzles) draw(canvas *paint.Canvas, r paint.Rect) {
	z.drawWith(canvas, r, []paragraph{
		{z.goal(), paint.Style{Bold: true}},
		{z.news, z.newsStyle()},
		{z.about(), paint.Style{FG: paint.Dim}},
	})
}

// about tells the level of a puzzle, and its themes once they give nothing away.
func (z *puzzles) about() string {
	text := "Level " + strconv.Itoa(z.puzzle().Difficulty)
	if z.phase == solved || z.phase == shown {
		text += ": " + z.c.signs.List(z.themes())
	}
	return text
}

// themes names the themes of the puzzle; those of other languages are in the catalogue of the pages.
func (z *puzzles) themes() (names []string) {
	for _, name := range z.puzzle().Themes {
		if l := z.c.env.Language; l != nil && !z.c.signs.ASCII {
			name = cmp.Or(l.Pages["theme."+name], name)
		}
		names = append(names, name)
	}
	return names
}
