package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/record"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// study is the screen for reviewing a game: stepping or autoplay, variations, and an
// engine's assessment.
type study struct {
	*pane
	path          string // of the file; "" if there is none
	owner         *play  // the game that opened it; nil if opened from a file
	judge         *reviewer
	autoplaySpeed int  // autoplay speed as an index of speeds; -1 if stopped
	last          int  // the last autoplay speed
	dirty         bool // has unsaved changes
	steps         int  // counts changes of speed, to recognize stale ticks
}

// speeds are the times per move of autoplay.
var speeds = []time.Duration{4 * time.Second, 2 * time.Second, time.Second, time.Second / 2, time.Second / 4, time.Second / 10}

func newStudy(c *shared, r *record.Record, path string) *study {
	t, err := table.Resume(r, SeatsOf(r), table.ControlOf(r))
	if err != nil {
		c.notifyError(err)
		t = &table.Table{Record: r}
		_ = t.Go(r.Root)
	}
	v := &study{pane: newPane(c, t), path: path, autoplaySpeed: -1, last: 2}
	v.judge = &reviewer{c: c, t: t, onWrite: func() { v.dirty = true }}
	return v
}

func (v *study) title() string {
	return fmt.Sprintf("Review: %s · ply %d of %d", v.t.Game().Title, v.t.Ply(), len(v.t.At().Last().Path()))
}

func (v *study) close() {
	v.analysis.job.stop()
	v.judge.job.stop()
	v.steps++
	v.save()
}

func (v *study) save() {
	if v.path != "" && v.dirty {
		v.dirty = false
		v.c.notifyError(v.c.env.Store.Save(v.path, v.t.Record))
	}
}

func (v *study) keys() []binding {
	list := []binding{
		{"left h p", "back", "one move back", func() tea.Cmd { return v.step(-1) }},
		{"right l n", "on", "one move on", func() tea.Cmd { return v.step(1) }},
		{"up", "", "ten moves back", func() tea.Cmd { return v.step(-10) }},
		{"down", "", "ten moves on", func() tea.Cmd { return v.step(10) }},
		{"home 0", "", "to the start", func() tea.Cmd { return v.step(-v.t.Ply()) }},
		{"end $", "", "to the end", func() tea.Cmd { return v.step(len(v.t.At().Last().Path())) }},
		{"x tab", "variation", "the next move to choose from here instead of the last one", v.sibling},
		{"enter", "play by itself", "let the moves follow by themselves, or stop them", v.toggleAutoplay},
		{"+ =", "", "faster", func() tea.Cmd { return v.changeSpeed(1) }},
		{"-", "", "slower", func() tea.Cmd { return v.changeSpeed(-1) }},
		{": /", "type", "type a move: a variation from here (or click on the board)", func() tea.Cmd { return v.typeMove(v.branch) }},
		{"a", "graph", "let the engine judge every move: graph and worst moves", v.judge.start},
		{"W", "worst", "go to the next of the moves that lost most", v.worst},
		{"e", "eval", "evaluation: bar, best line and depth", func() tea.Cmd { return v.analysis.toggle(&v.analysis.on) }},
		{"v", "", "the value of every legal move", func() tea.Cmd { return v.analysis.toggle(&v.analysis.all) }},
		{"P", "", "make this variation the main line", command(func() { v.promote() })},
		{"D", "", "delete the move on the board and all behind it", command(v.remove)},
		{"C", "", "write a comment on the move", command(v.comment)},
		{"c", "continue", "continue the game from here", v.proceed},
		{"w", "save", "save the game under a name", func() tea.Cmd { return saveAs(v.c, v.t) }},
	}
	return append(append(list, v.showKeys()...), binding{"q esc", "back", "back", v.leave})
}

// step moves n moves forward, or back if negative.
func (v *study) step(n int) tea.Cmd {
	at := v.t.At()
	for ; n > 0 && len(at.Next) > 0; n-- {
		at = at.Next[0]
	}
	for ; n < 0 && at.Parent != nil; n++ {
		at = at.Parent
	}
	return v.goTo(at)
}

func (v *study) goTo(n *record.Node) tea.Cmd {
	v.picked = nil
	v.c.notifyError(v.t.Go(n))
	return v.analysis.restart()
}

// sibling switches to the next alternative of the current move.
func (v *study) sibling() tea.Cmd {
	at := v.t.At()
	if at.Parent == nil || len(at.Parent.Next) < 2 {
		return v.c.notify("There is no other move here: make one on the board.")
	}
	list := at.Parent.Next
	return v.goTo(list[(slices.Index(list, at)+1)%len(list)])
}

// branch plays a move: an existing one, or a new variation.
func (v *study) branch(m game.Move) tea.Cmd {
	for _, n := range v.t.At().Next {
		if n.Move == m {
			return v.goTo(n)
		}
	}
	v.c.notifyError(v.t.Branch(m))
	v.picked, v.dirty = nil, true
	v.save()
	return v.analysis.restart()
}

func (v *study) promote() {
	was := v.t.Record.Last()
	for at := v.t.At(); at.Parent != nil; at = at.Parent {
		at.Promote()
	}
	if v.t.Record.Last() != was {
		v.t.UpdateResult()
	}
	v.dirty = true
	v.save()
	v.c.notify("This is the main line now.")
}

func (v *study) remove() {
	n := v.t.At()
	if n.Parent == nil {
		return
	}
	v.c.openQuestion("Delete this move and all behind it?", func() tea.Cmd {
		main := slices.Contains(v.t.Record.Main(), n)
		cmd := v.goTo(n.Parent)
		n.Remove()
		if main {
			v.t.UpdateResult()
		}
		v.dirty = true
		v.save()
		return cmd
	})
}

func (v *study) comment() {
	n := v.t.At()
	v.c.openPrompt("Comment", "what is to be said about the move on the board", n.Comment, func(text string) (tea.Cmd, error) {
		n.Comment, v.dirty = text, true
		v.save()
		return nil, nil
	})
}

// toggleAutoplay starts or stops autoplay.
func (v *study) toggleAutoplay() tea.Cmd {
	v.steps++
	if v.autoplaySpeed >= 0 {
		v.last, v.autoplaySpeed = v.autoplaySpeed, -1
		return nil
	}
	v.autoplaySpeed = v.last
	if len(v.t.At().Next) == 0 {
		return tea.Batch(v.goTo(v.t.Record.Root), v.tick())
	}
	return v.tick()
}

// changeSpeed changes the autoplay speed.
func (v *study) changeSpeed(by int) tea.Cmd {
	v.steps++
	if v.autoplaySpeed < 0 {
		v.autoplaySpeed = v.last
	}
	v.autoplaySpeed = min(max(v.autoplaySpeed+by, 0), len(speeds)-1)
	v.c.notify("A move every %v.", speeds[v.autoplaySpeed])
	return v.tick()
}

func (v *study) tick() tea.Cmd {
	steps := v.steps
	return tea.Tick(speeds[v.autoplaySpeed], func(time.Time) tea.Msg {
		return call(func() tea.Cmd { return v.autoplay(steps) })
	})
}

// autoplay plays the next move, unless the speed has changed since its tick was scheduled.
func (v *study) autoplay(steps int) tea.Cmd {
	switch {
	case steps != v.steps || v.autoplaySpeed < 0:
		return nil
	case len(v.t.At().Next) == 0:
		v.last, v.autoplaySpeed = v.autoplaySpeed, -1
		return nil
	}
	return tea.Batch(v.step(1), v.tick())
}

// proceed continues the game from the current position.
func (v *study) proceed() tea.Cmd {
	c, r, at := v.c, v.t.Record, v.t.At()
	if v.owner != nil {
		owner := v.owner
		c.back()
		return owner.positionChanged(owner.t.Go(at) == nil)
	}
	path, err := c.env.Store.NewGame(r.Game.Name, c.env.Now())
	c.notifyError(err)
	t, err := table.Resume(r, v.t.Seats, table.ControlOf(r))
	if err != nil {
		return c.notifyError(err)
	}
	c.notifyError(t.Go(at))
	return c.confirmPrograms(v.path, t.Seats, func() tea.Cmd {
		c.back()
		return c.openTable(t, path)
	})
}

func (v *study) leave() tea.Cmd {
	v.c.back()
	if v.owner != nil {
		return v.owner.positionChanged(true)
	}
	return nil
}

func (v *study) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case board.Click:
		return v.choose(msg.Cell, v.branch)
	case jump:
		return v.goTo(msg.node)
	}
	return nil
}

func (v *study) draw(canvas *paint.Canvas, r paint.Rect) {
	w := v.pane.draw(canvas, paint.Rect{X: r.X + 1, Y: r.Y, W: r.W - panelWidth(r.W), H: r.H}, len(v.picked) > 0)
	v.panel(canvas, paint.Rect{X: r.X + w + 4, Y: r.Y, W: r.W - w - 5, H: r.H})
}

// player returns the name of a side's player.
func (v *study) player(side int) string {
	if name := v.t.Record.Players[side]; name != "" {
		return name
	}
	return v.t.Seats[side]
}

// panel draws the side panel.
func (v *study) panel(canvas *paint.Canvas, r paint.Rect) {
	y := r.Y
	canvas.Clip(r.X, y, r.W, fmt.Sprintf("%s %s  %s %s", v.sideSign(0), v.c.signs.Text(v.player(0)), v.sideSign(1), v.c.signs.Text(v.player(1))), paint.Style{Bold: true})
	y++
	canvas.Clip(r.X, y, r.W, v.c.signs.Text(statusText(v.t)), paint.Style{FG: paint.Accent, Bold: true})
	y++
	if n := v.t.At(); n.Comment != "" {
		y += wrap(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: 3}, n.Comment, paint.Style{FG: paint.Good})
	}
	if v.analysis.on || v.analysis.all {
		y += v.analysis.draw(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y})
	}
	y++
	if v.judge.started() {
		y += v.judge.draw(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y - 4}) + 1
	}
	v.drawMoves(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y})
}

// worst jumps to the next of the worst moves.
func (v *study) worst() tea.Cmd {
	list := v.judge.worst()
	if len(list) == 0 {
		return v.c.notify("Press a first: the engine judges every move.")
	}
	at := slices.Index(list, v.t.At()) + 1
	return v.goTo(list[at%len(list)])
}
