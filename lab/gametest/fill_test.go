package gametest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"quintet/game"
)

// fill is a small correct game. Two sides alternately put stones on a board of 25
// cells; when four cells are empty, the second side must pass. On a full board the
// owner of a1 wins.
type fill struct {
	cells [25]byte // game.Blank or one of fillDiscs
	turn  game.Side
}

const fillDiscs = "XO"

func fillCoords() game.Coords { return game.Coords{Rows: 5, Cols: 5, Base: 1} }

func newFill() fill {
	var f fill
	for i := range f.cells {
		f.cells[i] = game.Blank
	}
	return f
}

func (f *fill) empty() (n int) {
	for _, c := range f.cells {
		if c == game.Blank {
			n++
		}
	}
	return n
}

func (f *fill) passes() bool { return f.turn == game.Second && f.empty() == 4 }

func (f *fill) Turn() game.Side { return f.turn }

func (f *fill) Moves(buf []game.Move) []game.Move {
	if f.passes() {
		return append(buf, game.Pass)
	}
	return f.puts(buf)
}

func (f *fill) puts(buf []game.Move) []game.Move {
	for i, c := range f.cells {
		if c == game.Blank {
			buf = append(buf, game.Put(game.Cell(i)))
		}
	}
	return buf
}

func (f *fill) Play(m game.Move) {
	if m != game.Pass {
		f.cells[m.To()%25] = fillDiscs[f.turn&1]
	}
	f.turn = f.turn.Other()
}

func (f *fill) Result() game.Result {
	switch {
	case f.empty() > 0:
		return game.Ongoing
	case f.cells[0] == fillDiscs[0]:
		return game.FirstWins
	}
	return game.SecondWins
}

func (f *fill) Key() uint64 { return f.keyOf(uint64(f.turn), len(f.cells)) }

// keyOf is the key of the first n cells.
func (f *fill) keyOf(turn uint64, n int) uint64 {
	key := turn
	for _, c := range f.cells[:n] {
		key = game.Mix(key, uint64(c))
	}
	return key
}

func (f *fill) CopyFrom(p game.Position) { *f = *p.(*fill) }
func (f *fill) Clone() game.Position     { c := *f; return &c }

func (f *fill) Format(m game.Move) string {
	if m == game.Pass {
		return game.PassText
	}
	return fillCoords().Name(m.To())
}

func (f *fill) Parse(s string) (game.Move, error) {
	m := game.Pass
	if !game.IsPass(s) {
		cell, err := fillCoords().Cell(s)
		if err != nil {
			return 0, err
		}
		m = game.Put(cell)
	}
	if !game.Legal(f, m) {
		return 0, fmt.Errorf("move %q: %w", s, game.Illegal(f, m))
	}
	return m, nil
}

func (f *fill) WhyIllegal(m game.Move) string {
	if game.Legal(f, m) {
		return ""
	}
	return "there is a stone, or no place for one"
}

func (f *fill) Count() int {
	if f.passes() {
		return 1
	}
	return f.empty()
}

func (f *fill) Sample(r *rand.PCG) game.Move {
	switch {
	case f.passes():
		return game.Pass
	case f.empty() == 0:
		return 0
	}
	return f.nth(game.IntN(r, f.empty()))
}

// nth returns the nth move, counted from 0, or the last one.
func (f *fill) nth(n int) (m game.Move) {
	for i, c := range f.cells {
		if c != game.Blank {
			continue
		}
		if m = game.Put(game.Cell(i)); n == 0 {
			break
		}
		n--
	}
	return m
}

func (f *fill) Perft(depth int) uint64 {
	switch {
	case depth == 0 || f.empty() == 0:
		return 1
	case f.passes():
		return (&fill{f.cells, game.First}).Perft(depth - 1)
	}
	after := *f
	after.Play(f.nth(0))
	return uint64(f.empty()) * after.Perft(depth-1) // all moves are alike
}

func (f *fill) Board() game.Board {
	rows, cols := fillCoords().Labels()
	b := game.Board{Rows: rows, Cols: cols, Cells: make([]game.Piece, 25), Note: fmt.Sprint(f.empty(), " empty")}
	for i, c := range f.cells {
		if side := strings.IndexByte(fillDiscs, c); side >= 0 {
			b.Cells[i] = game.Piece{Kind: game.Stone, Side: game.Side(side)}
		}
	}
	return b
}

func (f *fill) String() string {
	rows := game.FormatRows(5, 5, func(c game.Cell) byte { return f.cells[c] })
	return rows + " " + string(fillDiscs[f.turn&1])
}

func readFill(text string) (*fill, error) {
	board, side, _ := strings.Cut(text, " ")
	cells, size, err := game.ParseRows(board, fillDiscs)
	if err == nil && size != 5 {
		err = fmt.Errorf("board of %d rows: want 5", size)
	}
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	turn, err := game.ParseSide(side, fillDiscs)
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	return &fill{[25]byte(cells), turn}, nil
}

// fillGame has an option, so that it has set-ups, but ignores it.
func fillGame() game.Game {
	return game.Game{
		Name: "fill", Title: "Fill", Sides: [2]string{"Black", "White"}, Notation: "a cell such as d3, or pass",
		Options:  []game.Option{{Name: "komi", Help: "points", Default: "1", Min: 1, Max: 3}},
		New:      func(game.Setup) (game.Position, error) { f := newFill(); return &f, nil },
		Passable: true,
		Look: game.Look{Form: game.Form{Letters: []game.Letter{
			{Piece: game.Piece{Kind: game.Stone}, Letter: fillDiscs[0]},
			{Piece: game.Piece{Kind: game.Stone, Side: game.Second}, Letter: fillDiscs[1]},
		}}},
		Read: func(text string) (game.Position, error) {
			f, err := readFill(text)
			if err != nil {
				return nil, err
			}
			return f, nil
		},
	}
}
