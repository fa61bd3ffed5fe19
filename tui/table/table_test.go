package table_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/table"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// TestControl lists clocks as people write them.
func TestControl(t *testing.T) {
	for _, test := range []struct {
		text string
		want table.Control
		ok   bool
	}{
		{"none", table.Control{}, true},
		{"", table.Control{}, true},
		{"5+3", table.Control{Base: 5 * time.Minute, Increment: 3 * time.Second}, true},
		{"0.5+0.1", table.Control{Base: 30 * time.Second, Increment: 100 * time.Millisecond}, true},
		{"3", table.Control{Base: 3 * time.Minute}, true},
		{"-1+0", table.Control{}, false},
		{"NaN", table.Control{}, false},
		{"0", table.Control{}, false},
		{"5+-1", table.Control{}, false},
		{"1e9", table.Control{}, false},
		{"soon", table.Control{}, false},
	} {
		got, err := table.ParseControl(test.text)
		if got != test.want || err == nil != test.ok {
			t.Errorf("%q: %v, %v", test.text, got, err)
		}
		if again, err := table.ParseControl(got.String()); again != got || err != nil {
			t.Errorf("%q is written as %q, read as %v, %v", test.text, got, again, err)
		}
	}
}

func open(t testing.TB, name string, s game.Setup, seats [2]string, clock string) *table.Table {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := table.ParseControl(clock)
	if err != nil {
		t.Fatal(err)
	}
	tb, err := table.New(g, s, seats, c)
	if err != nil {
		t.Fatal(err)
	}
	tb.Begin(noon)
	return tb
}

// TestHaltRules lists who may halt under which rule.
func TestHaltRules(t *testing.T) {
	for _, test := range []struct {
		game, rule string
		side       game.Side
		agreed, ok bool
	}{
		{"chess", "", game.First, false, true},
		{"chess", "claim", game.Second, false, false},
		{"chess", "agreed", game.First, false, false},
		{"chess", "agreed", game.Second, true, true},
		{"chess", "none", game.First, true, false},
		{"loa", "", game.First, true, false},
	} {
		s := game.Setup{}
		if test.rule != "" {
			s["halt"] = test.rule
		}
		tb := open(t, test.game, s, [2]string{table.Person, table.Person}, "none")
		err := tb.Halt(test.side, test.agreed, noon)
		if test.ok != (err == nil) || err != nil && !errors.Is(err, game.ErrHalt) {
			t.Errorf("%+v: %v", test, err)
		}
		if err == nil && (!tb.Over() || tb.Record.End != record.Halted) {
			t.Errorf("%+v: not over", test)
		}
	}
}

// TestOver checks that nothing can be played or ended twice.
func TestOver(t *testing.T) {
	tb := open(t, "loa", nil, [2]string{table.Person, table.Person}, "none")
	if err := tb.Resign(game.First, noon); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"playing": tb.Play(game.Shift(0, 2), noon), "resigning": tb.Resign(game.Second, noon), "agreeing": tb.Agree(noon),
	} {
		if !errors.Is(err, table.ErrOver) {
			t.Errorf("%s when it is over: %v", name, err)
		}
	}
}

// TestAnyTable does at random what players can do: the record can always be
// written, and the table that is made of it stands where this one does.
func TestAnyTable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(games.Names()).Draw(rt, "game")
		clock := rapid.SampledFrom([]string{"none", "1+1"}).Draw(rt, "clock")
		tb := open(t, name, nil, [2]string{table.Person, "level:1"}, clock)
		now := noon
		rt.Repeat(map[string]func(*rapid.T){
			"play": func(rt *rapid.T) {
				if legal := tb.Match().Legal(); len(legal) > 0 && !tb.Over() {
					now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(rt, "ms")) * time.Millisecond)
					if tb.Flag(now) {
						return
					}
					if err := tb.Play(rapid.SampledFrom(legal).Draw(rt, "move"), now); err != nil {
						rt.Fatal(err)
					}
				}
			},
			"back":    func(*rapid.T) { tb.Back(now) },
			"forward": func(*rapid.T) { tb.Forward(now) },
			"swap":    func(*rapid.T) { tb.Swap() },
			"pause":   func(*rapid.T) { tb.Pause(now) },
			"resign":  func(*rapid.T) { _ = tb.Resign(tb.Turn(), now) },
			"agree":   func(*rapid.T) { _ = tb.Agree(now) },
			"": func(rt *rapid.T) {
				text, err := tb.Record.Append(nil)
				if err != nil {
					rt.Fatal(err)
				}
				list, err := record.Parse(text)
				if err != nil {
					rt.Fatalf("%v in\n%s", err, text)
				}
				again, err := table.Resume(list[0], list[0].Players, table.ControlOf(list[0]))
				if err != nil {
					rt.Fatal(err)
				}
				result, end := tb.Outcome()
				result2, end2 := again.Outcome()
				if again.Position().String() != tb.Position().String() || result != result2 || end != end2 {
					rt.Fatalf("%s %v %q, made again %s %v %q, from\n%s", tb.Position(), result, end, again.Position(), result2, end2, text)
				}
				if !tb.Clock.Running() && again.Clock.Control != tb.Clock.Control {
					rt.Fatalf("clocks %v, made again %v", tb.Clock.Control, again.Clock.Control)
				}
			},
		})
	})
}
