package record_test

import (
	"errors"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/record"
)

// othello returns a game with a variation: e3 d3 c3, and e3 f3.
func othello(t *testing.T) (r *record.Record, d3, f3 *record.Node) {
	t.Helper()
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	r, err = record.New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	e3 := play(t, r, r.Root, "e3")
	d3 = play(t, r, e3, "d3")
	play(t, r, d3, "c3")
	return r, d3, play(t, r, e3, "f3")
}

// play puts a move in notation after a node.
func play(t *testing.T, r *record.Record, at *record.Node, text string) *record.Node {
	t.Helper()
	m, err := r.Match(at)
	if err != nil {
		t.Fatal(err)
	}
	mv, err := m.Position().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.Play(at, mv)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTree(t *testing.T) {
	r, d3, f3 := othello(t)
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	if got, want := r.Moves(), "e3 d3 c3"; got != want {
		t.Errorf("the main line is %q, want %q", got, want)
	}
	if again := play(t, r, d3.Parent, "f3"); again != f3 {
		t.Error("a move that is there already was put there twice")
	}
	f3.Promote()
	if got, want := r.Moves(), "e3 f3"; got != want {
		t.Errorf("after promotion the main line is %q, want %q", got, want)
	}
	f3.Remove()
	if got, want := r.Moves(), "e3 d3 c3"; got != want {
		t.Errorf("after removal the main line is %q, want %q", got, want)
	}
	if _, err := r.Play(r.Root, game.Put(0)); !errors.Is(err, game.ErrIllegal) {
		t.Errorf("a1 at the start: %v, want it refused", err)
	}
}

func TestCheck(t *testing.T) {
	for name, spoil := range map[string]func(r *record.Record){
		"a move that is not legal":      func(r *record.Record) { r.Last().Move = game.Put(0) },
		"a result without an end":       func(r *record.Record) { r.Result = game.Draw },
		"an end without a result":       func(r *record.Record) { r.End = record.OnTime },
		"an end that does not exist":    func(r *record.Record) { r.Result, r.End = game.Draw, "rain" },
		"over by rules, but it goes on": func(r *record.Record) { r.Result, r.End = game.Draw, record.ByRules },
		"halted, which cannot be":       func(r *record.Record) { r.Result, r.End = game.Draw, record.Halted },
	} {
		r, _, _ := othello(t)
		spoil(r)
		if err := r.Check(); err == nil {
			t.Errorf("%s: found nothing wrong", name)
		}
	}
	r, _, _ := othello(t)
	r.Result, r.End = game.FirstWins, record.Resigned
	if err := r.Check(); err != nil {
		t.Errorf("a game that was resigned: %v", err)
	}
}

func TestTags(t *testing.T) {
	r, _, _ := othello(t)
	r.SetTag("Event", "Club")
	r.SetTag("event", "Cup")
	if got := r.Tag("EVENT"); got != "Cup" || len(r.Tags) != 1 {
		t.Errorf("tags are %v, want one Event that is Cup", r.Tags)
	}
	if r.SetTag("Event", ""); len(r.Tags) != 0 {
		t.Errorf("tags are %v, want none", r.Tags)
	}
}
