package tui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/remote"
	"quintet/tui/table"
)

// serverGame is the screen of a game of a tournament on a server, which the user plays or watches.
type serverGame struct {
	*pane // nil until the server has answered

	tournament *tournament
	path       string // in the API
	game       remote.Game
	side       game.Side // that the user plays
	plays      bool      // the user plays; else they watch
	err        error     // of the last request
	sent       bool      // a move is on its way
	job        *job
}

// watch opens a game, "" for none, in place of the one that is shown.
func (t *tournament) watch(id string) tea.Cmd {
	if id == "" {
		return t.c.notify("There is no game to show yet.")
	}
	l := &serverGame{tournament: t, path: "/api/games/" + url.PathEscape(id)}
	l.job = t.c.start(t.game, func(ctx context.Context, send func(call)) {
		t.server.Follow(ctx, func() (string, error) {
			var g remote.Game
			err := t.server.Ask(ctx, http.MethodGet, l.path, nil, &g)
			send(func() tea.Cmd { return l.show(g, err) })
			if err != nil || g.Over() {
				return "", err
			}
			return l.path + "/events?after=" + strconv.Itoa(g.Events-1), nil
		})
	})
	t.game = l.job
	return l.job.next
}

// show shows the game as the server has it, and opens the screen the first time.
func (l *serverGame) show(g remote.Game, err error) tea.Cmd {
	c := l.tournament.c
	if l.tournament.closed {
		return nil
	}
	var tb *table.Table
	if l.err = err; err == nil {
		tb, l.err = g.Table(c.env.Now())
	}
	switch {
	case l.err != nil && l.pane == nil:
		return c.notifyError(l.err)
	case l.err != nil:
		return nil
	case l.pane == nil:
		for c.top() != screen(l.tournament) {
			c.back()
		}
		l.pane = newPane(c, tb)
		l.side, l.plays = g.Side()
		l.flip = l.plays && l.side == game.Second
		c.open(l)
	case tb.Ply() != l.t.Ply():
		l.picked = nil
	}
	l.game, l.t, l.analysis.t = g, tb, tb
	return nil
}

func (l *serverGame) title() string {
	return fmt.Sprintf("%s · ply %d", l.t.Game().Title, l.t.Ply())
}

func (l *serverGame) close() { l.job.stop() }

func (l *serverGame) keys() []binding {
	list := l.cursorKeys(l.play)
	if l.plays {
		list = append(list,
			binding{"R", "resign", "resign", func() tea.Cmd {
				return l.c.openQuestion(l.t.Game().Sides[l.side]+" resigns?", func() tea.Cmd { return l.do("/resign", nil) })
			}},
			binding{"o", "offer", "offer a draw, or accept one", func() tea.Cmd { return l.do("/offer", nil) }},
			binding{"x", "", "decline a draw", func() tea.Cmd { return l.do("/decline", map[string]string{"what": "draw"}) }},
			binding{"w", "", "claim the win when your opponent has left", func() tea.Cmd { return l.do("/claimwin", nil) }},
			binding{"B", "", "berserk: play with half of your time, before your first move", func() tea.Cmd { return l.do("/berserk", nil) }},
		)
	}
	return append(append(list, l.showKeys()...),
		binding{"esc", "", "forget the piece that is chosen", command(func() { l.picked = nil })},
		binding{"q", "standings", "back to the standings; the game goes on", command(l.c.back)},
	)
}

// play sends a move.
func (l *serverGame) play(m game.Move) tea.Cmd {
	switch {
	case !l.plays:
		return l.c.notifyError(errors.New("you watch this game"))
	case l.sent || l.game.Over() || l.t.Turn() != l.side:
		return l.c.notifyError(errors.New("it is not your turn"))
	}
	l.sent = true
	return l.doThen("/moves", map[string]any{"move": l.t.Position().Format(m), "ply": l.t.Ply()}, func() { l.sent = false })
}

// do sends a command. The stream of the game then shows what it has changed.
func (l *serverGame) do(path string, body any) tea.Cmd { return l.doThen(path, body, func() {}) }

// doThen sends a command, and calls done when the answer is there.
func (l *serverGame) doThen(path string, body any, done func()) tea.Cmd {
	return l.tournament.send(http.MethodPost, l.path+path, body, &struct{}{}, func(err error) tea.Cmd {
		done()
		return l.c.notifyError(err)
	})
}

func (l *serverGame) update(msg tea.Msg) tea.Cmd {
	if at, ok := msg.(board.Click); ok {
		return l.choose(at.Cell, l.play)
	}
	return nil
}

func (l *serverGame) draw(canvas *paint.Canvas, r paint.Rect) {
	w := l.pane.draw(canvas, paint.Rect{X: r.X + 1, Y: r.Y, W: r.W - panelWidth(r.W), H: r.H}, true)
	r = paint.Rect{X: r.X + w + 4, Y: r.Y, W: r.W - w - 5, H: r.H}
	for i, s := range []game.Side{l.side.Other(), l.side} {
		l.player(canvas, paint.Rect{X: r.X, Y: r.Y + 2*i, W: r.W, H: 2}, s)
	}
	y := r.Y + 5
	y += wrap(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: 3}, l.c.signs.Text(l.status()), paint.Style{FG: paint.Accent, Bold: true})
	y += wrap(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: 3}, l.tournament.state(), paint.Style{FG: paint.Dim}) + 1
	l.drawMoves(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y})
}

// status says whose turn it is, what the opponent asks, or how the game ended.
func (l *serverGame) status() string {
	switch other := l.side.Other(); {
	case l.err != nil:
		return l.err.Error()
	case l.game.Over() && !l.t.Over():
		return "The game was called off"
	case !l.plays || l.t.Over():
		return statusText(l.t)
	case l.game.Asks(other):
		return l.t.Game().Sides[other] + " offers a draw: o accepts, x declines"
	case l.mustPass() && l.t.Turn() == l.side:
		return "You have no move and must pass: press Enter"
	case l.t.Turn() == l.side:
		return "Your turn"
	}
	return statusText(l.t)
}
