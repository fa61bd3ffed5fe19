package gametest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"quintet/game"
)

// fill is a correct little game for these tests, and with a bug one that is
// not: both sides fill six cells in turn, White passes when three are left,
// and the game is drawn when all are full.
type fill struct {
	cells [6]byte // 0, or 1 and the side
	turn  game.Side
	bug   bug
}

// bug is what is wrong with a fill.
type bug uint8

const (
	none bug = iota
	passBesideMoves
	twice
	otherOrder
	overwritesBuffer
	resultTooLate
	keyWithoutSide
	keyUnchanged
	sharedCopy
	textWithoutSide
	textOfTwoLines
	sameNotation
	parsesAnything
	casesDiffer
	copiesHalf
	wrongCount
	unfairSample
	foreignSample
	wrongPerft
	shortBoard
	allocates
	bugs
)

// shared is what a copy of a fill with the bug sharedCopy has in common with
// its original.
var shared fill

func (f *fill) Turn() game.Side { return f.turn }

func (f *fill) empty() (n int) {
	for _, c := range f.cells {
		if c == 0 {
			n++
		}
	}
	return n
}

func (f *fill) Moves(buf []game.Move) []game.Move {
	if f.bug == overwritesBuffer {
		buf = buf[:0]
	}
	if f.bug == allocates {
		buf = append(make([]game.Move, 0, len(buf)+8), buf...)
	}
	if f.empty() == 3 && f.turn == game.Second {
		buf = append(buf, game.Pass)
		if f.bug != passBesideMoves {
			return buf
		}
	}
	first := len(buf)
	for i, c := range f.cells {
		if c == 0 {
			buf = append(buf, game.Put(game.Cell(i)))
		}
	}
	if f.bug == twice && len(buf) > first {
		buf = append(buf, buf[first])
	}
	if f.bug == otherOrder && first > 0 && len(buf) > first+1 {
		buf[first], buf[first+1] = buf[first+1], buf[first]
	}
	return buf
}

func (f *fill) Play(m game.Move) {
	if m != game.Pass {
		f.cells[m.To()%6] = 1 + byte(f.turn)
	}
	f.turn ^= 1
	if f.bug == sharedCopy {
		shared = *f
	}
}

func (f *fill) Result() game.Result {
	if f.empty() == 0 && f.bug != resultTooLate {
		return game.Draw
	}
	return game.Ongoing
}

func (f *fill) Key() uint64 {
	key := uint64(f.turn)
	if f.bug == keyWithoutSide {
		// The sides are left out of the cells and of the turn.
		key = 0
	}
	for _, c := range f.cells {
		if f.bug == keyWithoutSide || f.bug == keyUnchanged {
			c = 0
		}
		key = game.Mix(key, uint64(c))
	}
	if f.bug == keyUnchanged {
		return 7
	}
	return key
}

func (f *fill) CopyFrom(p game.Position) {
	turn := f.turn
	*f = *p.(*fill)
	if f.bug == copiesHalf {
		f.turn = turn
	}
}

func (f *fill) Clone() game.Position { c := *f; return &c }

func (f *fill) Format(m game.Move) string {
	switch {
	case f.bug == sameNotation:
		return "a1"
	case m == game.Pass:
		return "pass"
	}
	return fmt.Sprintf("x%d", m.To())
}

func (f *fill) Parse(s string) (game.Move, error) {
	if f.bug != casesDiffer {
		s = strings.ToLower(s)
	}
	for _, m := range f.Moves(nil) {
		if f.Format(m) == s || f.bug == parsesAnything {
			return m, nil
		}
	}
	return 0, fmt.Errorf("move %q: %w", s, game.ErrIllegal)
}

func (f *fill) Count() int {
	if f.bug == wrongCount && f.empty() == 2 {
		return 3
	}
	return len(f.Moves(nil))
}

func (f *fill) Sample(r *rand.PCG) game.Move {
	moves := f.Moves(nil)
	if len(moves) == 0 {
		return 0
	}
	if f.bug == foreignSample && f.empty() == 4 {
		return game.Put(77)
	}
	i := game.Below(r, len(moves))
	if f.bug == unfairSample && i == 0 {
		i = game.Below(r, len(moves))
	}
	return moves[i]
}

func (f *fill) Perft(depth int) uint64 {
	if f.bug == wrongPerft && depth == 2 {
		return 1
	}
	return leaves(f, depth)
}

func (f *fill) Board() game.Board {
	b := game.Board{Rows: []string{"1"}, Cols: strings.Split("abcdef", ""), Cells: make([]game.Piece, 6)}
	if f.bug == shortBoard {
		b.Cells = b.Cells[:5]
	}
	return b
}

func (f *fill) String() string {
	if f.bug == sharedCopy && shared.bug == sharedCopy {
		return fmt.Sprint(shared.cells, shared.turn)
	}
	text := "cells"
	for _, c := range f.cells {
		text += fmt.Sprint(" ", c)
	}
	switch f.bug {
	case textWithoutSide:
		return text + " 0"
	case textOfTwoLines:
		return text + fmt.Sprintf("\n%d", f.turn)
	}
	return text + fmt.Sprintf(" %d", f.turn)
}

func readFill(b bug) func(text string) (game.Position, error) {
	return func(text string) (game.Position, error) {
		f := &fill{bug: b}
		_, err := fmt.Sscanf(strings.ReplaceAll(text, "\n", " "), "cells %d %d %d %d %d %d %d",
			&f.cells[0], &f.cells[1], &f.cells[2], &f.cells[3], &f.cells[4], &f.cells[5], &f.turn)
		if err != nil {
			return nil, fmt.Errorf("position %q: %w", text, err)
		}
		return f, nil
	}
}

func fillGame(b bug) game.Game {
	return game.Game{
		Name: "fill", Title: "Fill", Sides: [2]string{"Black", "White"}, Notation: "x0",
		New:  func(game.Setup) (game.Position, error) { return &fill{bug: b}, nil },
		Read: readFill(b),
	}
}

// recorder is a test that goes on after it has failed.
type recorder struct{ failures []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// stopped is the panic by which Fatalf leaves a check.
type stopped struct{}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(stopped{})
}

// judge returns what the suite finds wrong with a game.
func judge(g game.Game) []string {
	r := &recorder{}
	start, err := g.Start(nil)
	if err != nil {
		return []string{err.Error()}
	}
	for _, check := range []func(){
		func() { checkFacts(r, g) },
		func() { checkFlat(r, reflect.TypeOf(start).Elem(), nil) },
		func() { checkSamples(r, start) },
		func() { checkAllocations(r, start) },
		func() {
			for seed := range uint64(20) {
				w := walk{TB: r, g: g, pick: newPicker(seed)}
				w.play(start, 20)
			}
		},
	} {
		guarded(check)
	}
	return r.failures
}

func guarded(check func()) {
	defer func() {
		if p := recover(); p != nil && p != any(stopped{}) {
			panic(p)
		}
	}()
	check()
}

func TestCorrectGame(t *testing.T) {
	// The little game allocates where it counts and samples; nothing else
	// may be found.
	for _, failure := range judge(fillGame(none)) {
		if !strings.Contains(failure, "allocations") {
			t.Error(failure)
		}
	}
}

// TestMutants makes the little game wrong in one way after the other, and
// wants the suite to find each.
func TestMutants(t *testing.T) {
	for b := none + 1; b < bugs; b++ {
		if b == allocates {
			continue // see below
		}
		shared = fill{}
		found := judge(fillGame(b))
		wrong := 0
		for _, failure := range found {
			if !strings.Contains(failure, "allocations") {
				wrong++
			}
		}
		if wrong == 0 {
			t.Errorf("bug %d is not found", b)
		}
	}
}

// lean is a game that allocates nothing, or just where its Moves have the bug.
type lean struct{ fill }

func (l *lean) Count() int                   { return l.empty() }
func (l *lean) Sample(r *rand.PCG) game.Move { return game.Put(game.Cell(game.Below(r, 6))) }
func (l *lean) Clone() game.Position         { c := *l; return &c }
func (l *lean) CopyFrom(p game.Position)     { *l = *p.(*lean) }

func TestAllocations(t *testing.T) {
	if raceEnabled {
		return // allocations are not counted then
	}
	for b, want := range map[bug]int{none: 0, allocates: 1} {
		r := &recorder{}
		guarded(func() { checkAllocations(r, &lean{fill{bug: b}}) })
		if len(r.failures) != want {
			t.Errorf("bug %d: %q, want %d failures", b, r.failures, want)
		}
	}
}

func TestFlat(t *testing.T) {
	for _, position := range []any{
		struct{ p *int }{}, struct{ s []int }{}, struct{ m map[int]int }{}, struct{ s string }{},
		struct{ a [2]struct{ f func() } }{}, struct{ i any }{}, struct{ c chan int }{},
	} {
		r := &recorder{}
		if checkFlat(r, reflect.TypeOf(position), nil); len(r.failures) != 1 {
			t.Errorf("%T: %q, want one failure", position, r.failures)
		}
	}
}

func TestFacts(t *testing.T) {
	for name, spoil := range map[string]func(*game.Game){
		"no name":             func(g *game.Game) { g.Name = "" },
		"no side":             func(g *game.Game) { g.Sides[1] = "" },
		"no help":             func(g *game.Game) { g.Options = []game.Option{{Name: "x"}} },
		"a default not right": func(g *game.Game) { g.Options = []game.Option{{Name: "x", Help: "h", Default: "9", Min: 1, Max: 3}} },
		"reads anything":      func(g *game.Game) { g.Read = func(string) (game.Position, error) { return &fill{}, nil } },
	} {
		g := fillGame(none)
		spoil(&g)
		r := &recorder{}
		if checkFacts(r, g); len(r.failures) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
	}
}
