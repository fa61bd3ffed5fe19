package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"quintet/tui/look"
)

// The smallest terminal on which every screen can be used.
const (
	minWidth  = 60
	minHeight = 18
)

// App is the program as Bubble Tea sees it: a stack of screens.
type App struct {
	*Common
	stack []Screen
	help  *helpOverlay // not nil while it is shown
	first []tea.Cmd    // of the screens that were there at the start
}

func newApp(c *Common) *App { return &App{Common: c} }

// Init implements tea.Model.
func (a *App) Init() tea.Cmd { return tea.Batch(append(a.first, tea.RequestBackgroundColor)...) }

func (a *App) top() Screen { return a.stack[len(a.stack)-1] }

// push puts a screen on the stack before the program runs.
func (a *App) push(s Screen) {
	a.stack = append(a.stack, s)
	a.first = append(a.first, s.Init())
}

func (a *App) close() {
	for _, s := range a.stack {
		s.Close()
	}
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.Width, a.Height = msg.Width, msg.Height
		return a, a.all(msg)
	case tea.BackgroundColorMsg:
		a.Terminal.Light = !msg.IsDark()
		if err := a.dress(); err != nil {
			return a, nil
		}
		return a, nil
	case pushMsg:
		a.stack = append(a.stack, msg.screen)
		return a, msg.screen.Init()
	case replaceMsg:
		a.top().Close()
		a.stack[len(a.stack)-1] = msg.screen
		return a, msg.screen.Init()
	case popMsg:
		return a, a.back(len(a.stack) - 1)
	case homeMsg:
		return a, a.back(1)
	case tea.KeyPressMsg:
		return a, a.key(msg)
	case tea.MouseMsg:
		return a, a.mouse(msg)
	case tea.PasteMsg:
		return a, a.top().Update(msg)
	}
	return a, a.all(msg)
}

// all tells every screen, as messages of work in the background are for the
// screen that began it.
func (a *App) all(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range a.stack {
		cmds = append(cmds, s.Update(msg))
	}
	return tea.Batch(cmds...)
}

// back closes screens until so many are left, at least one.
func (a *App) back(left int) tea.Cmd {
	if left < 1 {
		return tea.Quit
	}
	for len(a.stack) > left {
		a.top().Close()
		a.stack = a.stack[:len(a.stack)-1]
	}
	if s, ok := a.top().(Shown); ok {
		return s.Shown()
	}
	return nil
}

// key lets a key act.
func (a *App) key(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	if key == "ctrl+c" {
		return tea.Quit
	}
	if a.help != nil {
		if !a.help.key(key) {
			a.help = nil
		}
		return nil
	}
	if t, ok := a.top().(Typist); ok && t.Typing() {
		return a.top().Update(msg)
	}
	for _, act := range a.top().Actions() {
		if slices.Contains(act.Keys, key) {
			return act.Do()
		}
	}
	if key == "?" || key == "f1" {
		a.help = newHelp(a.Common, a.top())
		return nil
	}
	return a.top().Update(msg)
}

// mouse passes the mouse on, with the coordinates of the screen's part; the help
// line is a row of buttons.
func (a *App) mouse(msg tea.MouseMsg) tea.Cmd {
	m := msg.Mouse()
	click, isClick := msg.(tea.MouseClickMsg)
	switch {
	case a.help != nil:
		if isClick {
			a.help = nil
		}
		return nil
	case isClick && m.Y == a.Height-1:
		return a.press(m.X)
	}
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		click.Y--
		return a.top().Update(click)
	case tea.MouseWheelMsg:
		msg.Y--
		return a.top().Update(msg)
	}
	return nil
}

// press is a click on the help line.
func (a *App) press(x int) tea.Cmd {
	for _, b := range a.buttons() {
		if x >= b.from && x < b.to {
			return b.do()
		}
	}
	return nil
}

// View implements tea.Model.
func (a *App) View() tea.View {
	v := tea.NewView(a.render())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "Quintet"
	return v
}

// render returns all lines of the screen.
func (a *App) render() string {
	if a.Width < minWidth || a.Height < minHeight {
		return a.tooSmall()
	}
	body := a.top().View(a.Width, a.Height-2)
	if a.help != nil {
		body = a.help.View(a.Width, a.Height-2)
	}
	lines := append([]string{a.title()}, fit(body, a.Width, a.Height-2)...)
	return strings.Join(append(lines, a.helpLine()), "\n")
}

func (a *App) title() string {
	text := " Quintet " + a.dash() + " " + a.top().Title()
	return a.Look.Paint(look.Title, pad(text, a.Width))
}

func (a *App) dash() string {
	if a.Look.Glyphs.ASCII() {
		return "-"
	}
	return "—"
}

// tooSmall asks for more room.
func (a *App) tooSmall() string {
	text := fmt.Sprintf("Window: %dx%d\nQuintet needs %dx%d:\nplease enlarge it.\nThe game is kept;\nctrl+c leaves.", a.Width, a.Height, minWidth, minHeight)
	return strings.Join(fit(text, a.Width, a.Height), "\n")
}

// button is a part of the help line.
type button struct {
	from, to int
	text     string
	do       func() tea.Cmd
}

// buttons are the actions of the help line, as many as there is room for.
func (a *App) buttons() (list []button) {
	help := Action{Keys: []string{"?"}, Short: "all keys", Do: func() tea.Cmd {
		a.help = newHelp(a.Common, a.top())
		return nil
	}}
	last := len(help.label()) + 1 + len(help.Short)
	x := 1
	add := func(act Action, room int) {
		w := ansi.StringWidth(act.label()) + 1 + len(act.Short)
		if act.Short == "" || x+w > room {
			return
		}
		text := a.Look.Paint(look.Key, act.label()) + " " + a.Look.Paint(look.Help, act.Short)
		list = append(list, button{x, x + w, text, act.Do})
		x += w + 2
	}
	for _, act := range a.top().Actions() {
		add(act, a.Width-last-3)
	}
	add(help, a.Width)
	return list
}

func (a *App) helpLine() string {
	var words []string
	for _, b := range a.buttons() {
		words = append(words, b.text)
	}
	return " " + strings.Join(words, "  ")
}
