package tui

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/paint"
	"quintet/tui/store"
	"quintet/tui/table"
)

// watchSetup is the screen for setting up a match of engines.
type watchSetup struct {
	form
	chose store.Watch
}

// counts are the selectable numbers of games.
var counts = []string{"2", "10", "20", "50", "100", "200", "500", "1000"}

func newWatchSetup(c *shared) *watchSetup {
	w := &watchSetup{form: form{c: c}, chose: c.choices.Watch}
	w.fields = append(w.fields, field{"Game", "with the size and pits that were chosen for it last", func() string { return w.chose.Game },
		func(by int) { w.chose.Game = cycle(games.Names(), w.chose.Game, by) }, nil})
	names := slices.DeleteFunc(playerNames(), func(n string) bool { return n == table.Person })
	for i := range 2 {
		f := c.playerField(fmt.Sprintf("Player %d", i+1), names, &w.chose.Players[i], func() string { return w.chose.Game })
		f.help = "random, a level, engine; Enter for the list and for other programs"
		w.fields = append(w.fields, f)
	}
	w.fields = append(w.fields,
		field{"Games", "in pairs with sides changed, each pair from another random opening", func() string { return strconv.Itoa(w.chose.Games) },
			func(by int) { w.chose.Games, _ = strconv.Atoi(cycle(counts, strconv.Itoa(w.chose.Games), by)) }, nil},
		field{"Time of a move", "levels below 10 seldom need it", func() string { return w.chose.MoveTime },
			func(by int) { w.chose.MoveTime = cycle(moveTimes, w.chose.MoveTime, by) }, nil},
		field{"Begin", "begin the match", func() string { return "" }, nil, w.begin},
	)
	w.at = len(w.fields) - 1
	return w
}

func (w *watchSetup) title() string { return "Watch engines play" }

func (w *watchSetup) begin() tea.Cmd {
	c := w.c
	g, err := games.ByName(w.chose.Game)
	if err != nil {
		return c.notifyError(err)
	}
	start, err := g.Start(c.choices.Setups[g.Name])
	if err == nil && slices.Contains(w.chose.Players[:], table.Person) {
		err = fmt.Errorf("a match of engines: choose an engine for each side")
	}
	if err != nil {
		return c.notifyError(err)
	}
	d, err := time.ParseDuration(w.chose.MoveTime)
	if err != nil || d <= 0 {
		d = 100 * time.Millisecond
	}
	c.choices.Watch = w.chose
	c.remember()
	screen := newWatch(c, g, start, w.chose.Players, max(w.chose.Games, 2), engine.Limit{Time: d})
	c.open(screen)
	return screen.begin()
}

func (w *watchSetup) draw(canvas *paint.Canvas, r paint.Rect) {
	w.form.draw(canvas, paint.Rect{X: r.X + 1, Y: r.Y + 1, W: min(56, r.W-2), H: r.H - 2})
}

// recordOf converts a game of a match to a record.
func recordOf(o arena.Options, a arena.Record) (*record.Record, error) {
	m := game.NewMatch(o.Game, a.Start)
	for _, mv := range a.Moves {
		if err := m.Play(mv); err != nil {
			return nil, fmt.Errorf("replaying a game of the match: %w", err)
		}
	}
	r := record.FromMatch(nil, m)
	for side, i := range a.Players {
		r.Players[side] = o.Entrants[i].Name
	}
	return r, nil
}
