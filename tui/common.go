package tui

import (
	"cmp"
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/tui/look"
)

// Common is what all screens share.
type Common struct {
	Options
	Look          look.Look
	Terminal      look.Terminal
	Width, Height int // of the terminal
	Choices       Choices

	after func(d time.Duration, msg tea.Msg) tea.Cmd // sends a message after a while
	ctx   context.Context                            //nolint:containedctx // of the program: its screens begin work at any time
	tasks *tasks
}

// Choices are what is remembered from one start to the next.
type Choices struct {
	Theme  string            `json:"theme"`
	Glyphs string            `json:"glyphs"`
	Zoom   int               `json:"zoom"`
	Game   string            `json:"game"`  // that was chosen last
	Games  map[string]Choice `json:"games"` // how each was set up last
}

func newCommon(ctx context.Context, o Options) (*Common, error) {
	c := &Common{Options: o, ctx: ctx, after: tick, tasks: newTasks(), Terminal: look.TerminalOf(o.Env), Width: 80, Height: 24}
	c.Choices = Choices{Theme: look.Auto, Glyphs: look.Auto, Zoom: 2}
	if err := o.Store.Choices(&c.Choices); err != nil {
		c.Choices = Choices{Theme: look.Auto, Glyphs: look.Auto, Zoom: 2} // a broken file is replaced at the next choice
	}
	c.Choices.Zoom = max(0, min(c.Choices.Zoom, 2))
	if c.Choices.Games == nil {
		c.Choices.Games = map[string]Choice{}
	}
	c.Choices.Theme = cmp.Or(o.Theme, c.Choices.Theme, look.Auto)
	c.Choices.Glyphs = cmp.Or(o.Glyphs, c.Choices.Glyphs, look.Auto)
	if err := c.dress(); err != nil {
		if o.Theme != "" || o.Glyphs != "" {
			return nil, err
		}
		c.Choices.Theme, c.Choices.Glyphs = look.Auto, look.Auto
		return c, c.dress()
	}
	return c, nil
}

// Background returns a command that runs f beside the interface; its message
// comes when it is done. The context ends when the program does, or when stop is
// called.
func (c *Common) Background(f func(ctx context.Context) tea.Msg) (cmd tea.Cmd, stop context.CancelFunc) {
	ctx, stop := context.WithCancel(c.ctx)
	return func() tea.Msg {
		if !c.tasks.begin() {
			return nil
		}
		defer c.tasks.end()
		return f(ctx)
	}, stop
}

// tick sends a message after a while.
func tick(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// tasks counts what runs in the background, so that the program can wait for it.
type tasks struct {
	mu     sync.Mutex // guards what follows
	idle   *sync.Cond
	count  int
	closed bool
}

func newTasks() *tasks {
	t := &tasks{}
	t.idle = sync.NewCond(&t.mu)
	return t
}

// begin reports whether a task may still begin.
func (t *tasks) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.count++
	return true
}

func (t *tasks) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count--
	t.idle.Broadcast()
}

// wait lets no more tasks begin and waits for those that run.
func (t *tasks) wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for t.count > 0 {
		t.idle.Wait()
	}
}
