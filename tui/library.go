package tui

import (
	"fmt"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/record"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/store"
	"quintet/tui/table"
)

// library is the screen of saved games.
type library struct {
	c     *shared
	list  []store.Entry
	at    int
	shown string // the file of the preview
	game  *record.Record
	err   error // error of the preview

	fetching *job // fetches a review; nil if none was asked for
}

func newLibrary(c *shared) *library {
	l := &library{c: c}
	l.reload()
	return l
}

func (l *library) reload() {
	list, err := l.c.env.Store.List()
	l.c.notifyError(err)
	l.list, l.shown = list, ""
	l.move(0)
}

// move selects another file and loads its preview.
func (l *library) move(by int) {
	l.at = min(max(l.at+by, 0), max(len(l.list)-1, 0))
	if len(l.list) == 0 {
		l.game = nil
		return
	}
	if path := l.list[l.at].Path; path != l.shown {
		l.shown = path
		l.game, l.err = l.c.env.Store.Load(path)
	}
}

func (l *library) title() string { return fmt.Sprintf("Saved games: %d", len(l.list)) }
func (l *library) close()        { l.fetching.stop() }

func (l *library) keys() []binding {
	return []binding{
		{"up k", "", "one up", command(func() { l.move(-1) })},
		{"down j", "", "one down", command(func() { l.move(1) })},
		{"pgup", "", "ten up", command(func() { l.move(-10) })},
		{"pgdown", "", "ten down", command(func() { l.move(10) })},
		{"enter a", "review", "go through the game", func() tea.Cmd { return l.review(false) }},
		{"c", "continue", "continue the game where it stands", l.proceed},
		{"r", "replay", "replay the game by itself", func() tea.Cmd { return l.review(true) }},
		{"o", "open a file", "open a file of another folder, or a review of a server by its address", l.openFile},
		{"D", "delete", "delete the file", l.remove},
		{"esc q", "back", "back", command(l.c.home)},
	}
}

// writablePath returns the path of a file with a single game, else "": saving would
// lose the other games.
func (c *shared) writablePath(path string) string {
	if c.env.Store.HasOneGame(path) {
		return path
	}
	c.notify("The file has several games: the first is shown. Save it under a name to keep changes.")
	return ""
}

// readable reports whether the selected game can be read, and notifies the user if
// not.
func (l *library) readable() bool {
	l.move(0) // reload: the file may have changed
	if l.game == nil {
		l.c.notifyError(l.err)
		if l.err == nil {
			l.c.notify("There are no games yet.")
		}
	}
	return l.game != nil
}

func (l *library) review(run bool) tea.Cmd {
	if !l.readable() {
		return nil
	}
	r := newStudy(l.c, l.game, l.c.writablePath(l.shown))
	_ = r.t.Go(r.t.Record.Root)
	l.shown = "" // reload: the review may change it
	l.c.open(r)
	if run {
		return r.toggleAutoplay()
	}
	return nil
}

func (l *library) proceed() tea.Cmd {
	if !l.readable() {
		return nil
	}
	if l.game.Result.Over() {
		return l.c.notify("This game is over: review it, and continue from a move before the end.")
	}
	return l.c.resume(l.shown, l.game)
}

func (l *library) openFile() tea.Cmd {
	return l.c.openPrompt("Open a file or an address", "a record in any form, a review, or the address of a review on a server", "", func(text string) (tea.Cmd, error) {
		if IsURL(text) {
			return l.fetch(text), nil
		}
		path, err := l.c.env.Store.Path(text)
		if err != nil {
			return nil, err
		}
		if _, err := filepath.Abs(text); err == nil && filepath.Base(text) != text {
			path = text
		}
		if ok, err := l.c.openReviewFile(path); ok {
			return nil, err
		}
		r, form, err := l.c.env.Store.Import(path)
		if err != nil {
			return nil, err
		}
		if form != "quintet" {
			l.c.notify("Read as %s. Save it under a name to keep changes.", form)
			return l.c.open(newStudy(l.c, r, "")), nil
		}
		return l.c.open(newStudy(l.c, r, l.c.writablePath(path))), nil
	})
}

func (l *library) remove() tea.Cmd {
	if len(l.list) == 0 {
		return nil
	}
	e := l.list[l.at]
	return l.c.openQuestion("Delete "+e.Name+"?", func() tea.Cmd {
		l.c.notifyError(l.c.env.Store.Delete(e.Path))
		l.reload()
		return nil
	})
}

func (l *library) update(msg tea.Msg) tea.Cmd {
	if i, ok := msg.(pick); ok {
		l.move(int(i) - l.at)
	}
	return nil
}

func (l *library) draw(canvas *paint.Canvas, r paint.Rect) {
	width := max(r.W-42, 36)
	if len(l.list) == 0 {
		canvas.Text(r.X+2, r.Y+1, l.c.signs.Text("There are no games yet."), paint.Style{FG: paint.Dim})
		return
	}
	l.move(0)
	first, shown := paint.Span(len(l.list), r.H-2, l.at)
	for i := first; i < first+shown; i++ {
		e := l.list[i]
		text := e.Name
		if e.Saved {
			text = l.c.signs.Bullet + " " + text
		}
		l.c.line(canvas, paint.Rect{X: r.X + 1, Y: r.Y + 1 + i - first, W: width - 2, H: 1}, text, i == l.at, pick(i))
	}
	l.preview(canvas, paint.Rect{X: r.X + width + 1, Y: r.Y + 1, W: r.W - width - 2, H: r.H - 1})
}

// preview draws the selected game.
func (l *library) preview(canvas *paint.Canvas, r paint.Rect) {
	if l.game == nil {
		if l.err != nil {
			wrap(canvas, r, l.c.signs.Text(l.err.Error()), paint.Style{FG: paint.Bad})
		}
		return
	}
	t, err := table.Resume(l.game, SeatsOf(l.game), table.ControlOf(l.game))
	if err != nil {
		wrap(canvas, r, l.c.signs.Text(err.Error()), paint.Style{FG: paint.Bad})
		return
	}
	lines := []string{
		t.Game().Title, fmt.Sprintf("%s against %s", l.game.Players[0], l.game.Players[1]),
		fmt.Sprintf("%d plies, %s", len(l.game.Main()), statusText(t)), l.list[l.at].Changed.Format(time.DateTime),
	}
	for i, line := range lines {
		canvas.Clip(r.X, r.Y+i, r.W, l.c.signs.Text(line), paint.Style{Bold: i == 0})
	}
	pic := board.Picture{Board: t.Position().Board(), Dark: t.Game().Look.Dark()}
	pic.Draw(canvas, paint.Rect{X: r.X, Y: r.Y + 5, W: r.W, H: r.H - 5}, l.c.signs)
}
