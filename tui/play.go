package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// play is the screen of a game in progress.
type play struct {
	*pane
	path     string // of the autosave file, "" if there is none
	query    *job   // searches for a hint or the answer to an offer
	engines  [2]*seat
	thinking *job // job of the engine to move
	thinks   *record.Node
	ticking  bool
}

// seat is an engine at the table.
type seat struct {
	name   string
	player engine.Player // nil until started
}

func newPlay(c *shared, t *table.Table, path string) *play {
	return &play{pane: newPane(c, t), path: path}
}

// begin starts the screen.
func (p *play) begin() tea.Cmd {
	p.t.Begin(p.c.env.Now())
	return p.proceed()
}

func (p *play) title() string {
	g := p.t.Game()
	text := g.Title
	if setup := unusual(g, p.t.Record.Setup); setup != "" && len(setup) < 30 {
		text += " · " + setup
	}
	return fmt.Sprintf("%s · ply %d", text, p.t.Ply())
}

func (p *play) close() {
	p.analysis.job.stop()
	p.query.stop()
	p.thinking.stop()
	p.t.Clock.Stop(p.c.env.Now())
	p.save()
	for _, e := range p.engines {
		p.closeEngine(e)
	}
}

// closeEngine closes an engine in the background after its search has stopped.
func (p *play) closeEngine(e *seat) {
	if e == nil {
		return
	}
	last := p.thinking
	p.c.start(last, func(context.Context, func(call)) {
		if e.player != nil {
			_ = e.player.Close() // the result no longer matters
		}
	})
}

// save saves the game.
func (p *play) save() {
	if p.path != "" {
		p.c.notifyError(p.c.env.Store.Save(p.path, p.t.Record))
	}
}

// proceed saves the game and starts the engine to move. Call it whenever the position
// or the players may have changed.
func (p *play) proceed() tea.Cmd {
	p.picked = nil
	p.save()
	if p.thinks != nil && (p.thinks != p.t.At() || p.t.Seats[p.t.Turn()] == table.Person || p.t.Paused || p.t.Over()) {
		p.thinking.stop()
		p.thinks = nil
	}
	list := []tea.Cmd{p.analysis.restart(), p.scheduleTick()}
	if name := p.t.Seats[p.t.Turn()]; name != table.Person && !p.t.Over() && !p.t.Paused && p.thinks == nil {
		list = append(list, p.think(name))
	}
	return tea.Batch(list...)
}

// think starts the named engine's search for a move.
func (p *play) think(name string) tea.Cmd {
	side, now := p.t.Turn(), p.c.env.Now()
	if e := p.engines[side]; e == nil || e.name != name {
		p.closeEngine(e)
		p.engines[side] = &seat{name: name}
	}
	e, g, env, life := p.engines[side], p.t.Game(), p.c.env, p.c.ctx
	m, err := p.t.Record.Match(p.t.At())
	if err != nil {
		return p.c.notifyError(err)
	}
	limit := engine.Limit{Time: p.c.moveTime()}
	if p.t.Clock.Control.On() {
		limit = engine.Limit{Clock: engine.Clock{Left: max(p.t.Clock.Remaining(side, now), time.Millisecond), Increment: p.t.Clock.Control.Increment}}
	}
	pace := env.Pace
	if len(p.t.Sides()) > 0 {
		pace = 0
	}
	p.thinks = p.t.At()
	p.thinking = p.c.start(p.thinking, func(ctx context.Context, send func(call)) {
		began := time.Now()
		mv, err := e.choose(ctx, life, env, g, m, limit)
		select {
		case <-time.After(pace - time.Since(began)):
		case <-ctx.Done():
		}
		send(func() tea.Cmd { return p.answered(mv, err) })
	})
	return p.thinking.next
}

// choose returns the engine's move. It creates the engine on first use, with the
// context life.
func (e *seat) choose(ctx, life context.Context, env Env, g game.Game, m *game.Match, l engine.Limit) (game.Move, error) {
	if e.player == nil {
		player, err := env.Player(life, e.name, g)
		if err != nil {
			return 0, err
		}
		player.NewGame(env.Seed())
		e.player = player
	}
	mv, err := e.player.Choose(ctx, m, l)
	if err == nil && !game.Legal(m.Position(), mv) {
		err = fmt.Errorf("%w: %v", game.ErrIllegal, mv)
	}
	return mv, err
}

// play plays a move of a person.
func (p *play) play(m game.Move) tea.Cmd {
	if p.t.Seats[p.t.Turn()] != table.Person && !p.t.Over() {
		return p.c.notifyError(fmt.Errorf("it is the turn of %s: wait, or press %d to take the side over", p.t.Seats[p.t.Turn()], p.t.Turn()+1))
	}
	if p.t.Paused {
		return p.c.notifyError(errors.New("the game is paused: press p to resume"))
	}
	return p.applyMove(m)
}

// applyMove plays a move and announces forced passes.
func (p *play) applyMove(m game.Move) tea.Cmd {
	now, side := p.c.env.Now(), p.t.Turn()
	if p.t.Flag(now) {
		return p.proceed()
	}
	if err := p.t.Play(m, now); err != nil {
		return p.c.notifyError(err)
	}
	if m == game.Pass {
		p.c.notify("%s has no move and passes.", p.t.Game().Sides[side])
	}
	return p.proceed()
}

func (p *play) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case board.Click:
		return p.choose(msg.Cell, p.play)
	case jump:
		return p.positionChanged(p.t.Go(msg.node) == nil)
	}
	return nil
}

// answered plays the move of an engine that was to move, or does what its error says.
func (p *play) answered(m game.Move, err error) tea.Cmd {
	p.thinks = nil
	switch {
	case errors.Is(err, game.ErrResigned):
		p.c.notifyError(p.t.Resign(p.t.Turn(), p.c.env.Now()))
		return p.proceed()
	case err != nil:
		return p.engineFailed(err)
	}
	return p.applyMove(m)
}

// engineFailed replaces a failed engine by a person, so that the game can continue.
func (p *play) engineFailed(err error) tea.Cmd {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	side := p.t.Turn()
	name := p.t.Seats[side]
	p.closeEngine(p.engines[side])
	p.engines[side] = nil
	p.t.Sit(side, table.Person)
	cmd := p.proceed()
	p.c.notifyError(fmt.Errorf("%s: %w; you play %s now", name, err, p.t.Game().Sides[side]))
	return cmd
}

// scheduleTick schedules the next tick while a clock runs.
func (p *play) scheduleTick() tea.Cmd {
	if p.ticking || !p.t.Clock.Running() {
		return nil
	}
	p.ticking = true
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return call(p.tick) })
}

// tick ends the game if a clock has run out.
func (p *play) tick() tea.Cmd {
	p.ticking = false
	if p.t.Flag(p.c.env.Now()) {
		return p.proceed()
	}
	return p.scheduleTick()
}

func (p *play) draw(canvas *paint.Canvas, r paint.Rect) {
	w := p.pane.draw(canvas, paint.Rect{X: r.X + 1, Y: r.Y, W: r.W - panelWidth(r.W), H: r.H}, true)
	p.panel(canvas, paint.Rect{X: r.X + w + 4, Y: r.Y, W: r.W - w - 5, H: r.H})
}

// panelWidth is the width of the side panel.
func panelWidth(w int) int { return max(w/4, 24) }

// unusual writes the options that differ from those of new games.
func unusual(g game.Game, s game.Setup) string {
	var words []string
	for _, o := range g.Options {
		if v, ok := s[o.Name]; ok && v != o.ForNew() || !ok && o.Initial != "" {
			words = append(words, o.Name+"="+cmp.Or(v, o.Default))
		}
	}
	return strings.Join(words, " ")
}
