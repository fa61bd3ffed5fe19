package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// home is the first screen, the main menu.
type home struct {
	c     *shared
	items []homeItem
	at    int
	left  *record.Record // the unfinished game; nil if none
}

type homeItem struct {
	name, help string
	game       string // game of the preview
	run        func() tea.Cmd
}

func newHome(c *shared) *home {
	h := &home{c: c}
	if e, r, ok := c.env.Store.Unfinished(); ok {
		h.left = r
		h.items = append(h.items, homeItem{
			"Continue", fmt.Sprintf("%s, %d plies, %s against %s", r.Game.Title, len(r.Main()), r.Players[0], r.Players[1]), r.Game.Name,
			func() tea.Cmd { return c.resume(e.Path, r) },
		})
	}
	for _, g := range c.env.Games {
		h.items = append(h.items, homeItem{g.Title, g.Look.Blurb, g.Name, func() tea.Cmd { return c.open(newSetup(c, g)) }})
		if h.left == nil && g.Name == c.choices.Game {
			h.at = len(h.items) - 1
		}
	}
	h.items = append(h.items,
		homeItem{"Watch engines play", "a match with a live table and boards", c.choices.Watch.Game, func() tea.Cmd { return c.open(newWatchSetup(c)) }},
		homeItem{"Puzzles", "find the only turn that wins", c.choices.Game, c.chooseGame("Puzzles of which game?", func(g game.Game) (screen, error) { return newPuzzles(c, g) })},
		homeItem{"Tutorial", "learn the rules by playing", c.choices.Game, c.chooseGame("Learn which game?", func(g game.Game) (screen, error) { return newLessons(c, g) })},
		homeItem{"Saved games", "continue, go through or replay what was played", "", func() tea.Cmd { return c.open(newLibrary(c)) }},
		homeItem{"Appearance", "colours and signs", "", func() tea.Cmd { return c.open(newLook(c)) }},
		homeItem{"Quit", "leave the program; games are kept", "", func() tea.Cmd { return tea.Quit }},
	)
	return h
}

func (h *home) title() string { return "board games for two" }
func (h *home) close()        {}
func (h *home) update(m tea.Msg) tea.Cmd {
	if i, ok := m.(pick); ok {
		h.at = int(i)
		return h.items[h.at].run()
	}
	return nil
}

func (h *home) keys() []binding {
	list := []binding{
		{"up k", "", "one up", command(func() { h.move(-1) })},
		{"down j", "choose", "one down", command(func() { h.move(1) })},
		{"enter right", "open", "open what is chosen", func() tea.Cmd { return h.items[h.at].run() }},
	}
	for i, item := range h.items {
		letter := strings.ToLower(item.name[:1])
		if i > 0 && slices.ContainsFunc(list, func(b binding) bool { return b.keys == letter }) {
			continue
		}
		label := map[string]string{"q": "quit", "w": "watch", "p": "puzzles", "s": "saved games"}[letter]
		list = append(list, binding{letter, label, h.c.signs.List(h.startingWith(letter)), func() tea.Cmd { return h.jump(letter) }})
	}
	return list
}

// startingWith lists the items that begin with a letter.
func (h *home) startingWith(letter string) (names []string) {
	for _, item := range h.items {
		if strings.EqualFold(item.name[:1], letter) {
			names = append(names, h.c.signs.Text(item.name))
		}
	}
	return names
}

// jump opens the item that begins with a letter, or moves to the next one of several.
func (h *home) jump(letter string) tea.Cmd {
	many := len(h.startingWith(letter)) > 1
	for range h.items {
		h.move(1)
		if strings.EqualFold(h.items[h.at].name[:1], letter) {
			break
		}
	}
	if many {
		return nil
	}
	return h.items[h.at].run()
}

func (h *home) move(by int) { h.at = (h.at + by + len(h.items)) % len(h.items) }

func (h *home) draw(canvas *paint.Canvas, r paint.Rect) {
	const width = 32
	y := r.Y + 1
	for i, item := range h.items {
		if strings.HasPrefix(item.name, "Watch") || i == 1 && h.left != nil {
			y++
		}
		h.c.line(canvas, paint.Rect{X: r.X + 2, Y: y, W: width, H: 1}, item.name, i == h.at, pick(i))
		y++
	}
	item := h.items[h.at]
	right := paint.Rect{X: r.X + width + 5, Y: r.Y + 1, W: r.W - width - 6, H: r.H - 1}
	wrap(canvas, paint.Rect{X: r.X + 2, Y: y + 1, W: width, H: r.Y + r.H - y - 1}, h.c.signs.Text(item.help), paint.Style{FG: paint.Dim})
	h.preview(canvas, right, item)
}

// preview draws the board of the chosen item.
func (h *home) preview(canvas *paint.Canvas, r paint.Rect, item homeItem) {
	g, err := games.ByName(item.game)
	if err != nil {
		h.program(canvas, r)
		return
	}
	p, err := g.Start(h.c.choices.Setups[g.Name])
	if err != nil {
		return
	}
	if h.left != nil && h.at == 0 {
		if m, err := h.left.Match(h.left.Last()); err == nil {
			p = m.Position()
		}
	}
	pic := board.Picture{Board: p.Board(), Dark: g.Look.Dark()}
	h.c.center(canvas, r, &pic)
}

// center draws a board in the middle between the edges of an area.
func (c *shared) center(canvas *paint.Canvas, r paint.Rect, pic *board.Picture) {
	w, _ := pic.Fit(r.W, r.H)
	pic.Draw(canvas, paint.Rect{X: r.X + (r.W-w)/2, Y: r.Y, W: w, H: r.H}, c.signs)
}

// about returns the chosen game.
func (h *home) about() (game.Game, bool) {
	g, err := games.ByName(h.items[h.at].game)
	return g, err == nil
}

// program draws a description of the program.
func (h *home) program(canvas *paint.Canvas, r paint.Rect) {
	y := r.Y + 1
	for _, text := range []string{
		"Neighbors, Othello with pits, Lines of Action, Connect6, and chess in which the king is captured.",
		"Play against a person, a level from 1 to 10, or another program by its protocol.",
		"Every game is kept on disk after every move.", "Press ? on any screen for all its keys.",
	} {
		y += 1 + wrap(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y}, h.c.signs.Text(text), paint.Style{FG: paint.Dim})
	}
}

// wrap draws a text with line breaks between words.
func wrap(canvas *paint.Canvas, r paint.Rect, text string, s paint.Style) (lines int) {
	for _, line := range paint.Wrap(text, r.W) {
		if lines < r.H {
			canvas.Clip(r.X, r.Y+lines, r.W, line, s)
			lines++
		}
	}
	return lines
}

// resume continues a saved game.
func (c *shared) resume(path string, r *record.Record) tea.Cmd {
	t, err := table.Resume(r, SeatsOf(r), table.ControlOf(r))
	if err != nil {
		return c.notifyError(err)
	}
	from := path
	if path = c.writablePath(path); path == "" {
		path, err = c.env.Store.NewGame(r.Game.Name, c.env.Now())
		c.notifyError(err)
	}
	return c.confirmPrograms(from, t.Seats, func() tea.Cmd { return c.openTable(t, path) })
}

// confirmPrograms starts a game from a file. If the file names external programs, it
// asks first, unless the file is an autosave: a foreign file could name any command.
func (c *shared) confirmPrograms(path string, seats [2]string, start func() tea.Cmd) tea.Cmd {
	for _, name := range seats {
		if strings.Contains(name, ":") && !strings.HasPrefix(name, "level:") && !c.env.Store.IsAutosave(path) {
			return c.openQuestion("The file names a program. Start "+name+"?", start)
		}
	}
	return start()
}

// SeatsOf returns the players of a record; Person where it names none.
func SeatsOf(r *record.Record) (seats [2]string) {
	for i, name := range r.Players {
		seats[i] = table.Person
		if slices.Contains(playerNames(), name) || strings.Contains(name, ":") {
			seats[i] = name
		}
	}
	return seats
}

// openNew opens a table with a new game, which is saved from now on.
func (c *shared) openNew(t *table.Table) tea.Cmd {
	path, err := c.env.Store.NewGame(t.Game().Name, c.env.Now())
	c.notifyError(err)
	return c.openTable(t, path)
}

// openTable opens a table.
func (c *shared) openTable(t *table.Table, path string) tea.Cmd {
	p := newPlay(c, t, path)
	c.open(p)
	return p.begin()
}

// Start opens a new game above the home screen.
func (a *App) Start(t *table.Table) { a.first = a.shared.openNew(t) }

// newLook returns the screen for colours and signs.
func newLook(c *shared) screen {
	m := &menu{c: c, name: "Colours and signs"}
	set := func(f func()) func() tea.Cmd {
		return func() tea.Cmd {
			f()
			c.applyTheme()
			c.remember()
			return nil
		}
	}
	texts := map[string]string{
		"auto": "Colours as the terminal's: dark or light", "dark": "Dark colours", "light": "Light colours",
		"safe": "Colours for any colour vision", "none": "No colours",
	}
	for _, name := range paint.ThemeNames() {
		if name == c.choices.Theme {
			m.at = len(m.items)
		}
		m.items = append(m.items, item{texts[name], set(func() { c.choices.Theme = name })})
	}
	for _, s := range [][2]string{{"auto", "Signs as the terminal can show them"}, {"unicode", "Signs of Unicode"}, {"ascii", "Signs of plain ASCII"}} {
		m.items = append(m.items, item{s[1], set(func() { c.choices.Signs = s[0] })})
	}
	return m
}
