package tui

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/table"
)

// TestUndoRedo takes back to the person's turn, and plays again.
func TestUndoRedo(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("othello", nil, "person", "level:1", "none")
	h.middling(p, 2)
	words := p.t.Record.Moves()
	h.press("u")
	if p.t.Ply() != 2 {
		t.Errorf("ply %d after undo, want 2", p.t.Ply())
	}
	h.press("u", "u", "r", "r", "r")
	if p.t.Ply() != 4 || p.t.Record.Moves() != words {
		t.Errorf("ply %d, %s; want 4, %s", p.t.Ply(), p.t.Record.Moves(), words)
	}
}

// TestTakeOverSeat hands a side to an engine and back, and swaps sides.
func TestTakeOverSeat(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("loa", nil, "person", "person", "none")
	h.press("2", "down", "down", "enter")
	if p.t.Seats[1] != "level:1" {
		t.Fatalf("the second side is %s's", p.t.Seats[1])
	}
	h.middling(p, 1)
	if p.t.Ply() != 2 {
		t.Errorf("ply %d, want the engine's answer", p.t.Ply())
	}
	h.press("s")
	h.until("the engine's move", func() bool { return p.t.Ply() == 3 })
	if p.t.Seats != [2]string{"level:1", "person"} {
		t.Errorf("after a swap: %v", p.t.Seats)
	}
	h.press("1")
	if p.t.Seats[0] != table.Person {
		t.Errorf("taken back: %v", p.t.Seats)
	}
	h.press("2", "up", "enter", "other", "enter")
	h.until("the move of another program", func() bool { return p.t.Ply() == 4 })
	if p.t.Seats[1] != "ugi:other" {
		t.Errorf("with another program: %v", p.t.Seats)
	}
}

// TestEngineResigns lets an engine give up: it has lost the game.
func TestEngineResigns(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("chess", nil, "person", "ugi:resigns", "none")
	h.moves(p, "e2e4")
	h.until("the end", p.t.Over)
	if p.t.Record.End != record.Resigned || p.t.Record.Result != game.FirstWins || !strings.Contains(h.screen(), "White wins by resignation") {
		t.Errorf("%s by %s:\n%s", p.t.Record.Result, p.t.Record.End, h.screen())
	}
}

// TestEngineFaults lets an engine crash: a person takes over, and the game continues.
func TestEngineFaults(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("chess", nil, "person", "ugi:broken", "none")
	h.moves(p, "e2e4")
	h.until("the fault", func() bool { return p.t.Seats[1] == table.Person })
	if !strings.Contains(h.screen(), "it has crashed; you play Black now") {
		t.Errorf("the screen is\n%s", h.screen())
	}
	h.moves(p, "e7e5")
}

// TestNeverBlocks uses the interface while an engine thinks for ever, and takes
// its side over.
func TestNeverBlocks(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("othello", nil, "person", "ugi:stuck", "none")
	h.press(":", "e3", "enter")
	h.press("g", "d", "f", "e")
	h.until("the evaluation", func() bool { return len(p.analysis.line.Moves) > 0 })
	h.press("2")
	h.middling(p, 1)
	if p.t.Ply() != 2 {
		t.Errorf("ply %d, want 2", p.t.Ply())
	}
}

// TestEnds lists the ways in which players end a game, with the messages.
func TestEnds(t *testing.T) {
	for _, test := range []struct {
		name, game  string
		setup       game.Setup
		first, keys string
		want        record.End
		result      game.Result
	}{
		{"resignation", "loa", nil, "person", "Ry", record.Resigned, game.SecondWins},
		{"no resignation after all", "loa", nil, "person", "Rn", record.NotOver, game.Ongoing},
		{"a draw", "loa", nil, "person", "oy", record.Agreed, game.Draw},
		{"a claim", "chess", game.Setup{"halt": "claim"}, "person", "cy", record.Halted, game.Draw},
		{"an agreed halt", "chess", game.Setup{"halt": "agreed"}, "person", "cy", record.Halted, game.Draw},
		{"no halt", "chess", game.Setup{"halt": "none"}, "person", "c", record.NotOver, game.Ongoing},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHarness(t, 80, 24)
			p := h.play(test.game, test.setup, test.first, "person", "none")
			h.press(strings.Split(test.keys, "")...)
			result, end := p.t.Outcome()
			if result != test.result || end != test.want {
				t.Errorf("%v, %q; want %v, %q:\n%s", result, end, test.result, test.want, h.screen())
			}
			h.press("u")
			if end != record.NotOver && p.t.Over() {
				t.Error("undo does not give the game back")
			}
		})
	}
}

// TestDrawOffer offers an engine a draw: it refuses while it is ahead.
func TestDrawOffer(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("loa", nil, "person", "level:1", "none")
	h.press("o") // the oracle thinks that the side to move, the person, is ahead
	h.until("the answer", func() bool { return p.t.Over() })
	if _, end := p.t.Outcome(); end != record.Agreed {
		t.Errorf("ended by %q", end)
	}
	p = h.play("loa", nil, "level:1", "person", "none")
	h.until("a move", func() bool { return p.t.Ply() == 1 })
	h.press("o")
	h.until("the answer", func() bool { return p.t.Over() })
}

// TestClock lets the person's time run out.
func TestClock(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("loa", nil, "person", "person", "1+2")
	h.now = h.now.Add(10 * time.Second)
	h.middling(p, 1)
	if left := p.t.Clock.Left[0]; left != 52*time.Second {
		t.Errorf("%v left after 10 s of 1+2, want 52 s", left)
	}
	h.press("p")
	h.now = h.now.Add(time.Hour)
	h.press("p")
	h.now = h.now.Add(time.Minute)
	h.until("the flag", p.t.Over)
	if result, end := p.t.Outcome(); result != game.FirstWins || end != record.OnTime {
		t.Errorf("%v, %q", result, end)
	}
}

// TestContinue opens a game again: players, clocks, and what was taken back.
func TestContinue(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("othello", game.Setup{"size": "6", "pits": "a1"}, "person", "level:1", "5+3")
	h.now = h.now.Add(30 * time.Second)
	h.middling(p, 2)
	h.press("u")
	left := p.t.Clock.Left
	h.press("q", "enter")
	again, ok := h.app.shared.top().(*play)
	if !ok {
		t.Fatalf("not continued:\n%s", h.screen())
	}
	if again.t.Ply() != 2 || again.t.Clock.Left != left || again.t.Seats != p.t.Seats {
		t.Errorf("ply %d, clocks %v, %v; want 2, %v, %v", again.t.Ply(), again.t.Clock.Left, again.t.Seats, left, p.t.Seats)
	}
	h.press("r")
	if again.t.Ply() != 4 {
		t.Errorf("ply %d after redo, want 4", again.t.Ply())
	}
}

// TestChoices remembers what was chosen last.
func TestChoices(t *testing.T) {
	h := newHarness(t, 80, 24)
	h.press("o", "down", "right", "b")
	c, err := h.app.shared.env.Store.Choices()
	if err != nil || c.Game != "othello" || c.Setups["othello"]["size"] != "10" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestVariations branches in the review, promotes, and continues from there.
func TestVariations(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("chess", nil, "person", "person", "none")
	h.moves(p, "e2e4", "e7e5", "d2d4")
	h.press("a", "left", "left")
	v := h.app.shared.top().(*study)
	h.press(":", "c7c5", "enter")
	if got := p.t.Record.Moves(); got != "e2e4 e7e5 d2d4" {
		t.Errorf("the main line is %s", got)
	}
	h.press("tab")
	h.press("tab", "P")
	if got := p.t.Record.Moves(); got != "e2e4 c7c5" || v.t.Ply() != 2 {
		t.Errorf("the main line is %s, ply %d", got, v.t.Ply())
	}
	h.press("c")
	h.moves(p, "d2d4")
	if got := p.t.Record.Moves(); got != "e2e4 c7c5 d2d4" {
		t.Errorf("continued as %s", got)
	}
}

// TestReplay lets a game go by itself.
func TestReplay(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("connect6", nil, "person", "person", "none")
	h.middling(p, 5)
	h.press("a", "home", "+", "+", "+", "+")
	v := h.app.shared.top().(*study)
	h.until("the end", func() bool { return v.t.Ply() == 5 && v.autoplaySpeed < 0 })
}

// TestWatch runs a match of engines to its end.
func TestWatch(t *testing.T) {
	h := newHarness(t, 120, 40)
	h.app.shared.choices.Watch.Games = 4
	h.press("w", "b")
	w := h.app.shared.top().(*watch)
	h.until("the end of the match", func() bool { return w.over })
	if w.err != nil || w.standings.Games != 4 {
		t.Errorf("%d games, %v", w.standings.Games, w.err)
	}
	if w.places[0].Load() == nil && w.places[1].Load() == nil {
		t.Error("no board was shown")
	}
	h.press("r")
	if _, ok := h.app.shared.top().(*study); !ok {
		t.Errorf("no replay:\n%s", h.screen())
	}
}

// TestRandomKeys presses keys and clicks at random, on all screens: the program
// never panics, every screen has its size, and the games on the disk can be read.
func TestRandomKeys(t *testing.T) {
	keys := strings.Split("abcdefghijklmnopqrstuvwxyzRWPDC:?+-012", "")
	keys = append(keys, "enter", "esc", "up", "down", "left", "right", "tab", "enter", "enter", "up", "down", "left", "right")
	n := 250
	if testing.Short() {
		n = 60
	}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 9))
		h := newHarness(t, 80, 24)
		for range n {
			switch {
			case r.IntN(4) == 0:
				h.send(tea.MouseClickMsg{X: r.IntN(80), Y: r.IntN(24), Button: tea.MouseLeft})
			case r.IntN(100) == 0:
				h.send(tea.WindowSizeMsg{Width: 20 + r.IntN(110), Height: 10 + r.IntN(40)})
			default:
				if key := keys[r.IntN(len(keys))]; key != "D" {
					h.press(key)
				}
			}
			for len(h.msgs) > 0 {
				h.send(<-h.msgs)
			}
			c := h.app.shared
			if lines := strings.Split(h.app.View().Content, "\n"); len(lines) != c.h {
				t.Fatalf("%d lines, want %d", len(lines), c.h)
			}
		}
		list, err := h.app.shared.env.Store.List()
		if err != nil || len(list) == 0 {
			t.Fatalf("no games, %v", err)
		}
		for _, e := range list {
			if _, err := h.app.shared.env.Store.Load(e.Path); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestHelp checks that the help has every key of every screen once.
func TestHelp(t *testing.T) {
	for name, prepare := range golden() {
		h := newHarness(t, 80, 24)
		prepare(h)
		var seen []string
		for _, b := range h.app.shared.top().keys() {
			for key := range strings.FieldsSeq(b.keys) {
				if slices.Contains(seen, key) || key == "?" {
					t.Errorf("%s: key %s has two meanings", name, key)
				}
				seen = append(seen, key)
			}
			if b.help == "" {
				t.Errorf("%s: %s has no help", name, b.keys)
			}
		}
	}
}

// TestThreats lists positions and what is in danger there.
func TestThreats(t *testing.T) {
	for _, test := range []struct{ game, moves, want string }{
		{"chess", "e2e4 d7d5", "e4"},
		{"chess", "", ""},
		{"othello", "", "d4 e5"},
		{"connect6", "J9 A0 A1 J10 J11 A2 A4 J12", "A3 A5 J7 J8 J13 J14"},
		{"loa", "", "a2 h2 a5 h5"},
	} {
		g, err := games.ByName(test.game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		m := game.NewMatch(g, p)
		for w := range strings.FieldsSeq(test.moves) {
			if err := m.PlayText(w); err != nil {
				t.Fatal(err)
			}
		}
		cells := threats(g, m.Position())
		slices.Sort(cells)
		cells = slices.Compact(cells)
		var names []string
		for _, c := range cells {
			names = append(names, cellName(m.Position().Board(), c))
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s after %q: %s, want %s", test.game, test.moves, got, test.want)
		}
	}
}

// TestUntrustedFiles reviews files of other people: a look changes nothing, names
// stay, and a file with several games is not written over.
func TestUntrustedFiles(t *testing.T) {
	const one = "[Game \"othello\"]\n[First \"Ann\"]\n[Second \"Bob\"]\n[Result \"*\"]\n\n1. e3 2. d3 *\n"
	for name, text := range map[string]string{"one": one, "two": one + "\n" + one} {
		h := newHarness(t, 80, 24)
		s := h.app.shared.env.Store
		path := filepath.Join(s.Data, "theirs.quintet")
		if err := os.MkdirAll(s.Data, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		h.press("s", "enter", "end", "q")
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s: a look changed the file: %v\n%s", name, err, got)
		}
		h.press("enter", "end", "C", "!", "enter", "q", "c")
		p, ok := h.app.shared.top().(*play)
		if !ok {
			t.Fatalf("%s: not continued:\n%s", name, h.screen())
		}
		h.middling(p, 1)
		if p.t.Record.Players != [2]string{"Ann", "Bob"} {
			t.Errorf("%s: players %v", name, p.t.Record.Players)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name == "two" && string(got) != text || name == "one" && !strings.Contains(string(got), "{!}") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
