package tui

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/tui/board"
	"quintet/tui/paint"
)

// pits is the screen for placing pits.
type pits struct {
	c      *shared
	setup  *setup
	option game.Option
	pic    board.Picture
	chosen map[game.Cell]bool
	random *rand.Rand
}

func newPits(s *setup, o game.Option) *pits {
	p := &pits{c: s.c, setup: s, option: o, chosen: map[game.Cell]bool{}}
	p.random = rand.New(rand.NewPCG(s.c.env.Seed(), 0))
	p.show()
	for i, piece := range p.pic.Board.Cells {
		if piece.Kind == game.Pit {
			p.chosen[game.Cell(i)] = true
		}
	}
	p.pic.Active, p.pic.Dark = true, s.game.Look.Dark()
	return p
}

// show updates the board from the set-up.
func (p *pits) show() {
	if start, err := p.setup.game.Start(p.setup.chose); err == nil {
		p.pic.Board = start.Board()
	}
}

func (p *pits) title() string { return fmt.Sprintf("%s: %d pits", p.setup.game.Title, len(p.chosen)) }
func (p *pits) close()        {}

// name returns the name of a cell.
func (p *pits) name(c game.Cell) string {
	cols := len(p.pic.Board.Cols)
	return strings.ToLower(p.pic.Board.Cols[int(c)%cols]) + p.pic.Board.Rows[int(c)/cols]
}

// choose stores pits in the set-up. It returns false if the game rejects them.
func (p *pits) choose(next map[game.Cell]bool) bool {
	var cells []game.Cell
	for c, on := range next {
		if on {
			cells = append(cells, c)
		}
	}
	slices.Sort(cells)
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = p.name(c)
	}
	if err := p.setup.put(p.option, strings.Join(names, ",")); err != nil {
		p.c.notifyError(err)
		return false
	}
	p.chosen = map[game.Cell]bool{}
	for _, c := range cells {
		p.chosen[c] = true
	}
	p.show()
	return true
}

func (p *pits) toggle(c game.Cell) {
	next := map[game.Cell]bool{}
	for at := range p.chosen {
		next[at] = true
	}
	next[c] = !next[c]
	p.choose(next)
}

// placeRandom places n random pits. Balanced ones come in pairs symmetric by a half
// turn of the board, like the initial discs, so that they favour neither side.
func (p *pits) placeRandom(n int, balanced bool) error {
	if !p.choose(map[game.Cell]bool{}) {
		return nil
	}
	next := map[game.Cell]bool{}
	for _, i := range p.random.Perm(len(p.pic.Board.Cells)) {
		at, twin := game.Cell(i), game.Cell(len(p.pic.Board.Cells)-1-i)
		if len(next) >= n || p.pic.Board.Cells[at].Kind != game.Empty || next[at] {
			continue
		}
		next[at] = true
		if balanced {
			next[twin] = true
		}
	}
	if len(next) < n {
		return fmt.Errorf("%d pits: at most %d are allowed", n, len(next))
	}
	if !p.choose(next) {
		return fmt.Errorf("%d pits: the game refuses these cells: %s", n, p.c.note)
	}
	return nil
}

func (p *pits) ask(balanced bool) func() tea.Cmd {
	name, hint := "Random pits", "how many"
	if balanced {
		name, hint = "Balanced pits", "how many, an even number: each has a twin across the middle"
	}
	return command(func() {
		p.c.openPrompt(name, hint, strconv.Itoa(cmp.Or(len(p.chosen), 4)), func(text string) (tea.Cmd, error) {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || balanced && n%2 != 0 {
				return nil, fmt.Errorf("%q: expected %s", text, hint)
			}
			return nil, p.placeRandom(n, balanced)
		})
	})
}

func (p *pits) keys() []binding {
	move := func(rows, cols int) func() tea.Cmd {
		return command(func() { p.pic.Cursor = p.pic.Move(p.pic.Cursor, rows, cols) })
	}
	return []binding{
		{"up k", "", "up", move(-1, 0)},
		{"down j", "", "down", move(1, 0)},
		{"left h", "", "left", move(0, -1)},
		{"right l", "", "right", move(0, 1)},
		{"enter x", "pit or not", "make the cell a pit, or no longer one", command(func() { p.toggle(p.pic.Cursor) })},
		{"r", "random", "place pits at random", p.ask(false)},
		{"b", "balanced", "place pits at random, in pairs that are fair to both sides", p.ask(true)},
		{"c", "clear", "take all pits away", command(func() { p.choose(map[game.Cell]bool{}) })},
		{"esc q", "done", "back to the set-up", command(p.c.back)},
	}
}

func (p *pits) update(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(board.Click); ok {
		p.pic.Cursor = click.Cell
		p.toggle(click.Cell)
	}
	return nil
}

func (p *pits) draw(canvas *paint.Canvas, r paint.Rect) {
	w, _ := p.pic.Fit(r.W-2, r.H)
	p.pic.Draw(canvas, paint.Rect{X: r.X + (r.W-w)/2, Y: r.Y, W: w, H: r.H}, p.c.signs)
}
