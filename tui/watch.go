package tui

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
	"quintet/tui/board"
	"quintet/tui/paint"
)

// watch is the screen of a match of engines, with live standings and boards.
type watch struct {
	c         *shared
	options   arena.Options
	places    [boards]atomic.Pointer[game.Match] // the current matches, by the worker that plays them
	job       *job
	standings arena.Standings
	games     []arena.Record // finished games, latest last
	err       error
	over      bool
	focus     int // the visible board, if only one fits
}

// boards is the number of concurrent games.
const boards = 2

func newWatch(c *shared, g game.Game, start game.Position, names [2]string, games int, l engine.Limit) *watch {
	w := &watch{c: c}
	w.options = arena.Options{
		Game: g, Start: start, Games: games, Seed: c.env.Seed(), Concurrency: boards,
		Openings: arena.RandomOpenings(start, 4, c.env.Seed()),
		Moved:    func(worker int, m *game.Match) { w.places[worker].Store(m.Clone()) },
	}
	for i, name := range names {
		shown := name
		if i == 1 && names[0] == name {
			shown += " #2"
		}
		w.options.Entrants = append(w.options.Entrants, arena.Entrant{Name: shown, Limit: l, Make: func() (engine.Player, error) {
			return c.env.Player(c.ctx, name, g)
		}})
	}
	w.standings = arena.InitialStandings(w.options)
	return w
}

// begin starts the match.
func (w *watch) begin() tea.Cmd {
	o := w.options
	w.job = w.c.start(nil, func(ctx context.Context, send func(call)) {
		var games []arena.Record
		o.Report = func(s arena.Standings, pair [2]arena.Record) {
			games = append(games, pair[:]...)
			ended := slices.Clone(games)
			send(func() tea.Cmd { w.standings, w.games = s, ended; return nil })
		}
		s, err := arena.Run(ctx, o)
		send(func() tea.Cmd { w.standings, w.games, w.err, w.over = s, games, err, true; return nil })
	})
	return tea.Batch(w.job.next, w.frame())
}

// frame redraws the boards from time to time.
func (w *watch) frame() tea.Cmd {
	if w.over || w.job.stopped {
		return nil
	}
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return call(w.frame) })
}

func (w *watch) title() string {
	return fmt.Sprintf("Watch: %s, %s against %s", w.options.Game.Title, w.options.Entrants[0].Name, w.options.Entrants[1].Name)
}

func (w *watch) close()                 { w.job.stop() }
func (w *watch) update(tea.Msg) tea.Cmd { return nil }

func (w *watch) keys() []binding {
	return []binding{
		{"tab n", "next board", "the other board", command(func() { w.focus++ })},
		{"r", "replay", "replay the last game that has ended", w.replay},
		{"s", "stop", "stop the match; the table stays", command(func() { w.job.cancel() })},
		{"q esc", "leave", "stop the match and leave", command(w.c.back)},
	}
}

// replay opens the last finished game.
func (w *watch) replay() tea.Cmd {
	if len(w.games) == 0 {
		return w.c.notify("No game has ended yet.")
	}
	r, err := recordOf(w.options, w.games[len(w.games)-1])
	if err != nil {
		return w.c.notifyError(err)
	}
	v := newStudy(w.c, r, "")
	_ = v.t.Go(r.Root)
	w.c.open(v)
	return v.toggleAutoplay()
}

func (w *watch) draw(canvas *paint.Canvas, r paint.Rect) {
	rows := w.table(canvas, paint.Rect{X: r.X + 2, Y: r.Y + 1, W: r.W - 4, H: 7})
	places := w.places[:]
	for len(places) > 0 && places[len(places)-1].Load() == nil {
		places = places[:len(places)-1]
	}
	room := paint.Rect{X: r.X + 1, Y: r.Y + rows + 2, W: r.W - 2, H: r.H - rows - 2}
	if len(places) == 0 {
		canvas.Text(room.X+1, room.Y, w.c.signs.Text("The first moves come soon..."), paint.Style{FG: paint.Dim})
		return
	}
	pic := board.Picture{Board: w.options.Start.Board()}
	across := len(places)
	if bw, _ := pic.Fit(room.W, room.H-1); bw*len(places)+3 > room.W {
		if half, _ := pic.Fit(room.W/len(places), room.H-1); half < 2*len(pic.Board.Cols)+4 {
			across = 1
		}
	}
	for i := range across {
		place := i
		if across == 1 {
			place = w.focus % len(places)
		}
		part := paint.Rect{X: room.X + i*room.W/across, Y: room.Y, W: room.W/across - 1, H: room.H}
		w.board(canvas, part, places[place].Load(), place)
	}
}

// board draws a game in progress.
func (w *watch) board(canvas *paint.Canvas, r paint.Rect, m *game.Match, place int) {
	if m == nil {
		return
	}
	p := m.Position()
	status := w.options.Game.Sides[p.Turn()] + " to move"
	if result := m.Outcome().Result; result.Over() {
		status = "Draw"
		if s, won := result.Winner(); won {
			status = w.options.Game.Sides[s] + " wins"
		}
	}
	canvas.Clip(r.X+3, r.Y, r.W-3, w.c.signs.Text(fmt.Sprintf("Board %d, ply %d: %s", place+1, len(m.Moves()), status)), paint.Style{Bold: true})
	pic := board.Picture{Board: p.Board(), Dark: w.options.Game.Look.Dark(), Marks: map[game.Cell]board.Mark{}}
	if moves := m.Moves(); len(moves) > 0 && moves[len(moves)-1] != game.Pass {
		last := moves[len(moves)-1]
		if from, ok := last.From(); ok {
			pic.Marks[from] = board.Mark{From: true}
		}
		pic.Marks[last.To()] = board.Mark{Last: true}
		pic.Cursor = last.To() // so that it is visible
	}
	pic.Draw(canvas, paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}, w.c.signs)
}

// table draws the standings and returns their height.
func (w *watch) table(canvas *paint.Canvas, r paint.Rect) int {
	s := w.standings
	t := w.c.signs.Text
	head := paint.Pad(t("Player"), 24) + paint.Right(t("Games"), 7) + paint.Right(t("Won"), 6) + paint.Right(t("Drawn"), 6) + paint.Right(t("Lost"), 6) + "  " + t("Score")
	canvas.Clip(r.X, r.Y, r.W, head, paint.Style{FG: paint.Dim, Underline: true})
	for i, p := range s.Players {
		share := 0.0
		if p.Games > 0 {
			share = p.Share()
		}
		line := fmt.Sprintf("%-24.24s %6d %5d %5d %5d  %4.1f %%", p.Name, p.Games, p.Wins, p.Draws, p.Losses, 100*share)
		canvas.Clip(r.X, r.Y+1+i, r.W, line, paint.Style{Bold: true})
	}
	y := r.Y + 1 + len(s.Players)
	done := float64(s.Games) / float64(max(s.Planned, 1))
	drawBar(canvas, paint.Rect{X: r.X, Y: y, W: 24, H: 1}, done, w.c.signs)
	text := t(fmt.Sprintf("%d of %d games", s.Games, s.Planned))
	if len(s.Pairings) == 1 && s.Games > 0 {
		text += ", " + s.Pairings[0].Score.EloText()
	}
	if w.over {
		text += ", " + t("ended")
	}
	canvas.Clip(r.X+26, y, r.W-26, text, paint.Style{})
	if w.err != nil && w.standings.Games == 0 {
		canvas.Clip(r.X, y+1, r.W, t(w.err.Error()), paint.Style{FG: paint.Bad})
	}
	return len(s.Players) + 3
}
