package game_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/game"
)

// rowGame is a game for these tests: two sides alternately move one piece by a cell,
// left or right, on a row of five. The side that reaches an end wins.
type rowGame struct {
	at   int8
	turn game.Side
}

func (w *rowGame) Turn() game.Side { return w.turn }
func (w *rowGame) Moves(buf []game.Move) []game.Move {
	if w.Result().Over() {
		return buf
	}
	return append(buf, game.Put(game.Cell(w.at-1)), game.Put(game.Cell(w.at+1)))
}
func (w *rowGame) Play(m game.Move) { w.at, w.turn = int8(m.To()), w.turn.Other() }
func (w *rowGame) Result() game.Result {
	if w.at == 0 || w.at == 4 {
		return game.Win(w.turn.Other())
	}
	return game.Ongoing
}
func (w *rowGame) Key() uint64               { return uint64(w.at)<<1 | uint64(w.turn) }
func (w *rowGame) CopyFrom(p game.Position)  { *w = *p.(*rowGame) }
func (w *rowGame) Clone() game.Position      { c := *w; return &c }
func (w *rowGame) Format(m game.Move) string { return fmt.Sprint(m.To()) }
func (w *rowGame) Board() game.Board         { return game.Board{} }
func (w *rowGame) String() string            { return fmt.Sprintf("%d %s", w.at, w.turn) }
func (w *rowGame) Parse(s string) (game.Move, error) {
	var n game.Cell
	if _, err := fmt.Sscan(s, &n); err != nil {
		return 0, fmt.Errorf("move %q: expected a number", s)
	}
	if !game.Legal(w, game.Put(n)) {
		return 0, fmt.Errorf("move %q: %w", s, game.ErrIllegal)
	}
	return game.Put(n), nil
}

// haltingGame is a rowGame that can be halted: the second side then wins.
type haltingGame struct{ rowGame }

func (h *haltingGame) Clone() game.Position { c := *h; return &c }
func (h *haltingGame) Stopped() game.Result { return game.SecondWins }

// fastGame is a rowGame with fast methods that return recognizable results.
type fastGame struct{ rowGame }

func (c *fastGame) Count() int                 { return 42 }
func (c *fastGame) Sample(*rand.PCG) game.Move { return game.Put(42) }

func newMatch(repeat int) *game.Match {
	return game.NewMatch(game.Game{Name: "walk", Repeat: repeat}, &rowGame{at: 2})
}

func play(t *testing.T, m *game.Match, moves string) {
	t.Helper()
	for _, s := range strings.Fields(moves) {
		if err := m.PlayText(s); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMatchPlay(t *testing.T) {
	m := newMatch(0)
	for _, test := range []struct {
		text string
		want error
	}{{"4", game.ErrIllegal}, {"2", game.ErrIllegal}, {"x", nil}} {
		err := m.PlayText(test.text)
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("playing %s: %v, want %v", test.text, err, test.want)
		}
	}
	if err := m.Play(game.Pass); !errors.Is(err, game.ErrIllegal) || err.Error() != "move 1: not a legal move" {
		t.Errorf("playing a pass: %v", err)
	}
	if len(m.Moves()) != 0 || m.Position().String() != "2 first" || len(m.Legal()) != 2 {
		t.Errorf("after moves that were refused: %v, %s", m.Moves(), m.Position())
	}
	play(t, m, "3 4")
	if m.Outcome() != (game.Outcome{Result: game.SecondWins, Reason: game.ByRules}) || m.Legal() != nil {
		t.Errorf("after 3 4: %v, legal %v", m.Outcome(), m.Legal())
	}
	if err := m.PlayText("3"); !errors.Is(err, game.ErrOver) {
		t.Errorf("playing on: %v, want %v", err, game.ErrOver)
	}
	if err := m.Play(game.Put(3)); !errors.Is(err, game.ErrOver) {
		t.Errorf("playing on: %v, want %v", err, game.ErrOver)
	}
	if m.Game().Name != "walk" || m.Start().String() != "2 first" {
		t.Errorf("%s from %s", m.Game().Name, m.Start())
	}
}

// TestMatchOfFinishedGame begins in a terminal position.
func TestMatchOfFinishedGame(t *testing.T) {
	m := game.NewMatch(game.Game{}, &rowGame{at: 0})
	if m.Outcome() != (game.Outcome{Result: game.SecondWins, Reason: game.ByRules}) || m.Undo() {
		t.Errorf("%v", m.Outcome())
	}
}

// TestMatchCopies modifies the arguments and results of a match.
func TestMatchCopies(t *testing.T) {
	start := &rowGame{at: 2}
	m := game.NewMatch(game.Game{}, start)
	start.Play(game.Put(1))
	m.Start().Play(game.Put(1))
	m.Position().Play(game.Put(1))
	play(t, m, "3 2")
	m.Moves()[0] = game.Pass
	m.Keys()[0] = 99
	if keys := m.Keys(); len(keys) != 3 || keys[0] != 4 || keys[1] != 7 || keys[2] != 4 {
		t.Errorf("keys %v, want those of the start, of 3 and of the start again", keys)
	}
	if m.Position().String() != "2 first" || m.Moves()[0] != game.Put(3) || m.Start().String() != "2 first" {
		t.Errorf("%s, %v", m.Position(), m.Moves())
	}
}

// TestRepetition counts the start as the first occurrence, and the side to
// move as part of a position.
func TestRepetition(t *testing.T) {
	m := newMatch(3)
	play(t, m, "3 2 3")
	play(t, m, "2")
	if want := (game.Outcome{Result: game.Draw, Reason: game.Repetition}); m.Outcome() != want {
		t.Errorf("the start came thrice: %v, want %v", m.Outcome(), want)
	}
	if !m.Undo() || m.Over() || m.Position().String() != "3 second" {
		t.Errorf("taken back: %v at %s", m.Outcome(), m.Position())
	}
	never := newMatch(0)
	play(t, never, strings.Repeat("3 2 ", 10))
	if never.Over() {
		t.Errorf("repetition does not count: %v", never.Outcome())
	}
	halt := game.NewMatch(game.Game{Repeat: 2}, &haltingGame{rowGame{at: 2}})
	play(t, halt, "3 2")
	if want := (game.Outcome{Result: game.SecondWins, Reason: game.Repetition}); halt.Outcome() != want {
		t.Errorf("a game that can be halted: %v, want %v", halt.Outcome(), want)
	}
}

func TestBack(t *testing.T) {
	m := newMatch(0)
	if m.Undo() {
		t.Error("a move was taken back before the first")
	}
	play(t, m, "3 4")
	for _, want := range []string{"3 second", "2 first"} {
		if !m.Undo() || m.Position().String() != want || m.Outcome() != (game.Outcome{}) {
			t.Errorf("taken back to %s, %v, want %s", m.Position(), m.Outcome(), want)
		}
	}
	play(t, m, "1")
	if err := m.Resign(game.First); err != nil {
		t.Fatal(err)
	}
	if !m.Undo() || m.Outcome() != (game.Outcome{}) || len(m.Moves()) != 0 {
		t.Errorf("a resignation taken back with the move before it: %v, %v", m.Outcome(), m.Moves())
	}
}

func TestResign(t *testing.T) {
	m := newMatch(0)
	if err := m.Resign(game.Second); err != nil || m.Outcome() != (game.Outcome{Result: game.FirstWins, Reason: game.Resigned}) {
		t.Errorf("%v, %v", m.Outcome(), err)
	}
	if err := m.Resign(game.First); !errors.Is(err, game.ErrOver) {
		t.Errorf("resigning twice: %v, want %v", err, game.ErrOver)
	}
	if m.Undo() || m.Outcome() != (game.Outcome{}) {
		t.Errorf("a resignation taken back at the start: %v", m.Outcome())
	}
}

func TestHalt(t *testing.T) {
	begin := func() *game.Match { return game.NewMatch(game.Game{Name: "walk"}, &haltingGame{rowGame{at: 2}}) }
	halted := game.Outcome{Result: game.SecondWins, Reason: game.Halted}

	m := begin()
	if over, err := m.Halt(game.Second, game.HaltClaim); over || !errors.Is(err, game.ErrHalt) {
		t.Errorf("claimed out of turn: %t, %v", over, err)
	}
	if over, err := m.Halt(game.First, game.HaltClaim); !over || err != nil || m.Outcome() != halted {
		t.Errorf("claimed: %t, %v, %v", over, err, m.Outcome())
	}
	if over, err := m.Halt(game.First, game.HaltClaim); !over || !errors.Is(err, game.ErrOver) {
		t.Errorf("claimed twice: %t, %v", over, err)
	}

	m = begin()
	for range 2 {
		if over, err := m.Halt(game.First, game.HaltAgreed); over || err != nil {
			t.Errorf("offered: %t, %v", over, err)
		}
	}
	play(t, m, "3")
	if over, err := m.Halt(game.Second, game.HaltAgreed); over || err != nil {
		t.Errorf("a move has withdrawn the offer: %t, %v", over, err)
	}
	if over, err := m.Halt(game.First, game.HaltAgreed); !over || err != nil || m.Outcome() != halted {
		t.Errorf("agreed: %t, %v, %v", over, err, m.Outcome())
	}

	m = begin()
	for _, rule := range []game.HaltRule{game.HaltNone, "", "whatever"} {
		if over, err := m.Halt(game.First, rule); over || !errors.Is(err, game.ErrHalt) {
			t.Errorf("rule %q: %t, %v, want %v", rule, over, err, game.ErrHalt)
		}
	}
	if over, err := newMatch(0).Halt(game.First, game.HaltClaim); over || !errors.Is(err, game.ErrHalt) {
		t.Errorf("a game that cannot be halted: %t, %v, want %v", over, err, game.ErrHalt)
	}
}

// TestHelpers uses positions with and without fast methods.
func TestHelpers(t *testing.T) {
	r := rand.NewPCG(1, 1)
	p, over, fast := &rowGame{at: 2}, &rowGame{at: 0}, &fastGame{rowGame{at: 2}}
	if game.Count(p, nil) != 2 || game.Count(over, nil) != 0 || game.Count(fast, nil) != 42 {
		t.Errorf("Count: %d, %d, %d", game.Count(p, nil), game.Count(over, nil), game.Count(fast, nil))
	}
	seen := map[game.Move]int{}
	for range 100 {
		seen[game.Sample(p, r, nil)]++
	}
	if len(seen) != 2 || seen[game.Put(1)] < 25 || seen[game.Put(3)] < 25 {
		t.Errorf("Sample gives %v", seen)
	}
	if game.Sample(over, r, nil) != 0 || game.Sample(fast, r, nil) != game.Put(42) {
		t.Errorf("Sample: %v, %v", game.Sample(over, r, nil), game.Sample(fast, r, nil))
	}
	if !game.Legal(p, game.Put(1)) || game.Legal(p, game.Put(2)) || game.Legal(over, game.Put(1)) {
		t.Error("Legal is wrong")
	}
}

func TestBoardAt(t *testing.T) {
	b := game.Board{Rows: []string{"1", "2"}, Cols: []string{"a", "b", "c"}, Cells: make([]game.Piece, 6)}
	b.Cells[5].Kind = game.Stone
	if b.At(1, 2).Kind != game.Stone || b.At(1, 1).Kind != game.Empty {
		t.Error("At gives another cell")
	}
}

// TestReplay plays random matches and compares what Replay yields with the keys of
// the match and with a clone that is played on.
func TestReplay(t *testing.T) {
	m := game.NewMatch(game.Game{Name: "walk"}, &rowGame{at: 2})
	var texts []string
	for i := range 6 {
		mv := m.Legal()[i%len(m.Legal())]
		texts = append(texts, m.Position().String())
		if err := m.Play(mv); err != nil {
			t.Fatal(err)
		}
	}
	i := 0
	for p, mv := range m.Replay() {
		if p.String() != texts[i] || mv != m.Moves()[i] || p.Key() != m.Keys()[i] {
			t.Errorf("ply %d: %s, %v", i, p, mv)
		}
		i++
	}
	if i != len(texts) {
		t.Errorf("%d plies, want %d", i, len(texts))
	}
	for range m.Replay() {
		break
	}
	c := m.Clone()
	if c.Outcome() != m.Outcome() || !slices.Equal(c.Moves(), m.Moves()) || !c.Undo() || len(m.Moves()) != len(c.Moves())+1 {
		t.Errorf("a clone has the moves %v and the outcome %v", c.Moves(), c.Outcome())
	}
}
