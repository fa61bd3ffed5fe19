package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/tui/sitting"
)

// against returns options that begin a game of a person, on the first side,
// against level 1.
func against(name string) func(*Options) {
	return func(o *Options) {
		o.Begin = &Choice{Game: name, Seats: [2]string{sitting.Person, "level:1"}, Clock: "none", MoveTime: "50ms"}
	}
}

// TestKeysOfPlay lists what keys do in a game.
func TestKeysOfPlay(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Options)
		script func(*driver)
		want   string
	}{
		{"tab and enter play", begin("othello", nil, "none"), func(d *driver) { d.keys("tab enter") }, "1. d6"},
		{"arrows and enter play", begin("othello", nil, "none"), func(d *driver) { d.keys("k h l up right left space") }, "move 2"},
		{"a piece and where to", begin("loa", nil, "none"), func(d *driver) { d.keys("tab enter") }, "From h4: choose where to"},
		{"the piece is given back", begin("loa", nil, "none"), func(d *driver) { d.keys("tab enter esc") }, "move 1"},
		{"no such move", begin("loa", nil, "none"), func(d *driver) { d.keys("enter") }, "e4: no legal move there"},
		{"typed", begin("chess", nil, "none"), func(d *driver) { d.keys("t"); d.typed("E2E4") }, "1. e2e4"},
		{"typed badly", begin("chess", nil, "none"), func(d *driver) { d.keys("t"); d.typed("e2e5") }, `move "e2e5": not a legal move`},
		{"typing given up", begin("chess", nil, "none"), func(d *driver) { d.keys("t e 2 esc") }, "move 1"},
		{"undo", begin("chess", nil, "none"), func(d *driver) { d.moves("e2e4 e7e5"); d.keys("u") }, "move 2"},
		{"undo at the start", begin("chess", nil, "none"), func(d *driver) { d.keys("u") }, "There is no move to take back"},
		{"redo", begin("chess", nil, "none"), func(d *driver) { d.moves("e2e4 e7e5"); d.keys("u u r") }, "move 2"},
		{"the engine answers", against("chess"), func(d *driver) { d.moves("e2e4") }, "move 3"},
		{"undo takes its answer, too", against("chess"), func(d *driver) { d.moves("e2e4"); d.keys("u") }, "move 1"},
		{"swap lets the engine begin", against("chess"), func(d *driver) { d.keys("x") }, "move 2"},
		{"a hint", begin("chess", nil, "none"), func(d *driver) { d.keys("i") }, "The engine would play"},
		{"hand over", against("chess"), func(d *driver) {
			d.play().sit.Seat(game.Second, sitting.Person)
			d.keys("a")
		}, "level:8"},
		{"another player", begin("chess", nil, "none"), func(d *driver) { d.keys("A b down enter") }, "Black is played by random now"},
		{"resign is asked", begin("chess", nil, "none"), func(d *driver) { d.keys("R") }, "White loses the game then."},
		{"not resigned", begin("chess", nil, "none"), func(d *driver) { d.keys("R enter") }, "White to move"},
		{"resigned", begin("chess", nil, "none"), func(d *driver) { d.keys("R y") }, "Black wins (resignation)"},
		{"claim", begin("chess", nil, "none"), func(d *driver) { d.moves("e2e4 d7d5 e4d5"); d.keys("o y") }, "White wins (the game was halted)"},
		{"halt agreed", begin("chess", game.Setup{"halt": "agreed"}, "none"), func(d *driver) { d.keys("o y y") }, "The game is drawn (the game was halted)"},
		{"halt not agreed", begin("chess", game.Setup{"halt": "agreed"}, "none"), func(d *driver) { d.keys("o y n") }, "White to move"},
		{"no halt", begin("chess", game.Setup{"halt": "none"}, "none"), func(d *driver) { d.keys("o y y") }, "The game is drawn (agreement)"},
		{"the engine declines early", against("loa"), func(d *driver) { d.keys("o y") }, "White declines"},
		{"a draw of two people", begin("loa", nil, "none"), func(d *driver) { d.keys("o y y") }, "The game is drawn (agreement)"},
		{"pause", begin("loa", nil, "5+3"), func(d *driver) { d.keys("p"); d.now = d.now.Add(time.Hour) }, "5:00"},
		{"the flag falls", begin("loa", nil, "5+3"), func(d *driver) { d.now = d.now.Add(time.Hour); d.send(tickMsg{d.play()}) }, "White wins (time)"},
		{"values", against("loa"), func(d *driver) { d.think(30, 5, true) }, "a1c1 "},
		{"a new game", begin("loa", nil, "none"), func(d *driver) { d.moves("a1c1"); d.keys("n y") }, "move 1"},
		{"after the end", begin("connect6", game.Setup{"size": "1"}, "none"), func(d *driver) { d.keys("enter enter") }, "What now?"},
		{"larger", begin("loa", nil, "none"), func(d *driver) { d.keys("-") }, "   a b c d e f g h"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDriver(t, test.change)
			test.script(d)
			d.wants(test.want)
		})
	}
}

// TestPassIsAnnounced wants to be told of a pass, and that enter makes it.
func TestPassIsAnnounced(t *testing.T) {
	for seed := range 50 {
		d := newDriver(t, begin("othello", game.Setup{"size": "4"}, "none"))
		for ply := 0; len(d.play().choice.legal) > 0; ply++ {
			p := d.play()
			if p.choice.pass() {
				d.wants("must pass: press enter")
				d.keys("enter")
				d.wants("passes")
				return
			}
			p.cursor = p.choice.legal[(seed+7*ply)%len(p.choice.legal)].To()
			d.keys("enter")
		}
	}
	t.Fatal("nobody had to pass")
}

// TestMouse clicks on every cell of every board: the cursor must follow, at each
// size and scale.
func TestMouse(t *testing.T) {
	for _, name := range []string{"othello", "connect6", "chess"} {
		for _, size := range [][2]int{{60, 18}, {80, 24}, {120, 40}, {200, 60}} {
			d := newDriver(t, begin(name, nil, "none"))
			d.size(size[0], size[1])
			p := d.play()
			for c := range p.start.Cells {
				p.cursor = game.Cell(c)
				p.fit()
				lines := strings.Split(d.text(), "\n")
				x, y := -1, -1
				for i, line := range lines {
					if at := strings.Index(line, "["); at >= 0 {
						y = i
						x = len([]rune(line[:at])) + (len([]rune(line[at:strings.Index(line, "]")])))/2
					}
				}
				p.cursor, p.choice.legal = 0, nil
				d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
				if p.cursor != game.Cell(c) {
					t.Fatalf("%s %v: a click on the mark of cell %d (%d, %d) is on %d", name, size, c, x, y, p.cursor)
				}
			}
		}
	}
}

// BenchmarkFrame draws the largest board.
func BenchmarkFrame(b *testing.B) {
	d := newDriver(b, begin("othello", game.Setup{"size": "26"}, "none"))
	d.size(120, 40)
	for b.Loop() {
		d.app.render()
	}
}

// TestHelpNames wants every action to have a key, and a description in the help.
func TestHelpNames(t *testing.T) {
	d := newDriver(t, begin("othello", nil, "none"))
	screens := []Screen{d.app.top(), newHome(d.app.Common), newSettings(d.app.Common), newFiles(d.app.Common), newSave(d.app.Common, d.play().sit.Record)}
	for _, s := range screens {
		seen := map[string]bool{"?": true, "ctrl+c": true}
		for _, a := range s.Actions() {
			if len(a.Keys) == 0 || a.Long == "" || a.Do == nil {
				t.Errorf("%s: action %v is not complete", s.Title(), a.Keys)
			}
			for _, key := range a.Keys {
				if seen[key] {
					t.Errorf("%s: key %s has two meanings", s.Title(), key)
				}
				seen[key] = true
			}
		}
	}
}

// TestRemembered wants the last choices at the next start.
func TestRemembered(t *testing.T) {
	d := newDriver(t, nil)
	d.keys("o down down right down right b")
	d.wants("size=10")
	next := newDriver(t, func(o *Options) { o.Store = d.app.Store })
	next.wants("Continue")
	next.keys("o")
	next.wants("level:4")
	next.wants("10")
}

// TestPlain plays where only lines can be written.
func TestPlain(t *testing.T) {
	var out strings.Builder
	d := newDriver(t, nil)
	o := d.app.Options
	in := "go\nchess\nhelp\ne2e4\nfoo\nundo\nredo\nsave\nresign\nundo\nquit\n"
	o.Store = d.app.Store
	d.app.Choices.Games["chess"] = Choice{Game: "chess", Seats: [2]string{"person", "person"}}
	d.app.remember(d.app.Choices.Games["chess"])
	if err := RunPlain(t.Context(), o, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`game "go": want neighbors`, "Black to move", `move "foo": want two cells`, "Saved in ", "White wins (resignation)", "8 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
