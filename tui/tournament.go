package tui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/tui/paint"
	"quintet/tui/remote"
)

// tournament is the screen of a tournament of a server: its standings and boards. It opens the user's next game when that is
// paired.
type tournament struct {
	c      *shared
	server remote.Client
	path   string // in the API
	closed bool

	view   remote.Tournament
	until  time.Time // when something happens next; zero if nothing is planned
	err    error     // of the last request
	opened string    // the user's last game, which is not opened by itself again
	at     int       // the chosen board
	follow *job      // of the tournament
	game   *job      // of the game that is shown
}

// Tournament opens a tournament of a server, named by its identifier or its page, above the home screen.
func (a *App) Tournament(server remote.Client, name string) {
	t := &tournament{c: a.shared, server: server, path: remote.TournamentPath(name)}
	t.c.open(t)
	a.first = tea.Batch(t.start(), t.tick())
}

// start follows the tournament.
func (t *tournament) start() tea.Cmd {
	t.follow = t.c.start(nil, func(ctx context.Context, send func(call)) {
		t.server.Follow(ctx, func() (string, error) {
			var v remote.Tournament
			err := t.server.Ask(ctx, http.MethodGet, t.path, nil, &v)
			send(func() tea.Cmd { return t.show(v, err) })
			if err != nil || v.Phase == "over" {
				return "", err
			}
			return t.path + "/events", nil
		})
	})
	return t.follow.next
}

// show shows what the server says, and opens a game of the user that has begun.
func (t *tournament) show(v remote.Tournament, err error) tea.Cmd {
	if t.err = err; err != nil || t.closed {
		return nil
	}
	t.view, t.until, t.at = v, time.Time{}, max(min(t.at, len(v.Boards)-1), 0)
	if left, ok := v.Left(); ok {
		t.until = t.c.env.Now().Add(left)
	}
	if id := t.playing(); id != "" && id != t.opened {
		t.opened = id
		return t.watch(id)
	}
	return nil
}

// playing returns the game that the user plays, "" for none.
func (t *tournament) playing() string {
	if t.view.You == nil || t.view.You.Game == nil {
		return ""
	}
	return t.view.You.Game.ID
}

// tick draws the clocks and the countdown again and again.
func (t *tournament) tick() tea.Cmd {
	return tea.Tick(200*time.Millisecond, func(time.Time) tea.Msg {
		return call(func() tea.Cmd {
			if t.closed {
				return nil
			}
			return t.tick()
		})
	})
}

func (t *tournament) title() string { return "Tournament: " + t.view.Title }

func (t *tournament) close() {
	t.closed = true
	t.follow.stop()
	t.game.stop()
}

func (t *tournament) keys() []binding {
	return []binding{
		{"up k", "", "one up", command(func() { t.at = max(t.at-1, 0) })},
		{"down j", "", "one down", command(func() { t.at = max(min(t.at+1, len(t.view.Boards)-1), 0) })},
		{"enter", "watch", "watch the game, or play if it is yours", t.enter},
		{"p", "play", "go to your game", func() tea.Cmd { return t.watch(t.playing()) }},
		{"J", "join", "join the tournament", t.join},
		{"W", "withdraw", "withdraw from the tournament", func() tea.Cmd {
			return t.c.openQuestion("Withdraw from the tournament?", func() tea.Cmd { return t.ask(http.MethodDelete, "/players/me", nil) })
		}},
		{"q", "leave", "leave; the tournament goes on", command(t.c.home)},
	}
}

func (t *tournament) update(msg tea.Msg) tea.Cmd {
	if i, ok := msg.(pick); ok {
		t.at = int(i)
		return t.enter()
	}
	return nil
}

// enter opens the chosen board.
func (t *tournament) enter() tea.Cmd {
	if t.at >= len(t.view.Boards) {
		return nil
	}
	return t.watch(t.view.Boards[t.at].ID)
}

// join joins the tournament, with the code if it has one.
func (t *tournament) join() tea.Cmd {
	if t.view.Phase == "" {
		return nil // the server has not answered yet
	}
	if t.server.Token == "" {
		return t.c.notifyError(errors.New("to join, set QUINTET_TOKEN to a token of your account"))
	}
	join := func(code string) (tea.Cmd, error) {
		return t.ask(http.MethodPost, "/players", map[string]string{"code": code}), nil
	}
	if t.view.Code {
		return t.c.openPrompt("Join", "the code of the organiser", "", join)
	}
	cmd, _ := join("")
	return cmd
}

// ask sends a request about the tournament and shows the answer.
func (t *tournament) ask(method, path string, body any) tea.Cmd {
	var v remote.Tournament
	return t.send(method, t.path+path, body, &v, func(err error) tea.Cmd {
		if err != nil {
			return t.c.notifyError(err)
		}
		return t.show(v, nil)
	})
}

// send sends a request in the background, and calls done when the answer is there.
func (t *tournament) send(method, path string, body, answer any, done func(error) tea.Cmd) tea.Cmd {
	return t.c.start(nil, func(ctx context.Context, send func(call)) {
		err := t.server.Ask(ctx, method, path, body, answer)
		send(func() tea.Cmd { return done(err) })
	}).next
}

func (t *tournament) draw(canvas *paint.Canvas, r paint.Rect) {
	r = r.Inset(1, 1)
	bold := paint.Style{FG: paint.Accent, Bold: true}
	canvas.Clip(r.X, r.Y, r.W, t.state(), bold)
	if t.err != nil {
		canvas.Clip(r.X, r.Y+1, r.W, t.c.signs.Text(t.err.Error()), paint.Style{FG: paint.Bad, Bold: true})
	} else if t.view.Phase == "waiting" || t.view.Phase == "running" {
		canvas.Clip(r.X, r.Y+1, r.W, t.c.signs.Text(t.own()), paint.Style{})
	}
	r.Y, r.H = r.Y+3, r.H-3
	left := r.W * 11 / 20
	t.standings(canvas, paint.Rect{X: r.X, Y: r.Y, W: left - 2, H: r.H})
	t.boards(canvas, paint.Rect{X: r.X + left, Y: r.Y, W: r.W - left, H: r.H})
}

// state says where the tournament stands and what happens next.
func (t *tournament) state() (text string) {
	next := ""
	switch v := t.view; {
	case v.Phase == "waiting":
		text, next = fmt.Sprintf("Players waiting: %d", v.Players), "it starts in %s"
	case v.Phase == "over":
		text = "The tournament is over"
	case v.Form == "arena":
		text, next = fmt.Sprintf("Games in progress: %d", v.Running), "the arena ends in %s"
	case v.Phase == "running" && v.Round == 0:
		text, next = "The tournament has begun", "the next round begins in %s"
	case v.Phase == "running":
		text, next = fmt.Sprintf("Round %d, games in progress: %d", v.Round, v.Running), "the next round begins in %s"
	}
	if text = t.c.signs.Text(text); !t.until.IsZero() && next != "" {
		text += ", " + t.c.signs.Text(fmt.Sprintf(next, clockText(max(t.until.Sub(t.c.env.Now()), 0))))
	}
	return text
}

// own says how the user stands.
func (t *tournament) own() string {
	switch y := t.view.You; {
	case y == nil || y.Withdrawn:
		return "You are not playing: press J to join"
	case t.playing() != "":
		return "Your game is in progress: press p to open it"
	case t.view.Phase == "waiting":
		return "You have joined: your games open here automatically"
	default:
		return fmt.Sprintf("You are in place %d: your next game opens automatically", y.Rank)
	}
}

// standings lists the players from the first on, and the user below if there is no room for the row.
func (t *tournament) standings(canvas *paint.Canvas, r paint.Rect) {
	s := t.c.signs.Text
	const numbers = 7 + 3*6
	line := func(y int, style paint.Style, rank, name, points, won, drawn, lost string) {
		canvas.Clip(r.X, y, r.W-numbers, paint.Right(rank, 3)+" "+name, style)
		canvas.Clip(r.X+r.W-numbers, y, numbers, paint.Right(points, 7)+paint.Right(won, 6)+paint.Right(drawn, 6)+paint.Right(lost, 6), style)
	}
	line(r.Y, paint.Style{FG: paint.Dim, Underline: true}, "", s("Player"), s("Points"), s("Won"), s("Drawn"), s("Lost"))
	rows := t.view.Standings
	if y := t.view.You; y != nil && r.H >= 2 && len(rows) >= r.H-1 {
		own := func(p remote.Row) bool { return p.Player == y.Player }
		if !slices.ContainsFunc(rows[:r.H-1], own) {
			rows = append(rows[:r.H-2:r.H-2], y.Row)
		}
	}
	for i, p := range rows[:max(min(len(rows), r.H-1), 0)] {
		style := paint.Style{}
		if t.view.You != nil && t.view.You.Player == p.Player {
			style = paint.Style{Bold: true, FG: paint.Accent}
		}
		if p.Withdrawn {
			style.FG = paint.Dim
		}
		line(r.Y+1+i, style, strconv.Itoa(p.Rank), p.Name, strconv.FormatFloat(p.Points, 'g', -1, 64), strconv.Itoa(p.Wins), strconv.Itoa(p.Draws), strconv.Itoa(p.Losses))
	}
}

// boards lists the games of the round.
func (t *tournament) boards(canvas *paint.Canvas, r paint.Rect) {
	canvas.Clip(r.X, r.Y, r.W, t.c.signs.Text("Boards"), paint.Style{FG: paint.Dim, Underline: true})
	first, shown := paint.Span(len(t.view.Boards), r.H-1, t.at)
	for i := first; i < first+shown; i++ {
		b := t.view.Boards[i]
		y := r.Y + 1 + i - first
		result := t.c.signs.Text(b.Result)
		names := b.Names.First
		if b.Names.Second != "" {
			names += " - " + b.Names.Second
		}
		t.c.line(canvas, paint.Rect{X: r.X, Y: y, W: r.W - 7, H: 1}, names, i == t.at, pick(i))
		canvas.Right(r.X+r.W-1, y, result, paint.Style{})
	}
}
