package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Screen is what fills the terminal between the title and the help line.
type Screen interface {
	// Title is what the line at the top says.
	Title() string

	// Actions are what can be done here, the most important first: keys, the
	// help line and the help screen are made of them.
	Actions() []Action

	// Init is called when the screen is shown for the first time.
	Init() tea.Cmd

	// Update hears of everything but the keys of actions. The coordinates of
	// the mouse count from the corner of the screen's own part.
	Update(msg tea.Msg) tea.Cmd

	// View returns at most h lines of at most w columns.
	View(w, h int) string

	// Close ends what the screen has begun.
	Close()
}

// Typist is a screen that now and then takes all keys as text.
type Typist interface{ Typing() bool }

// Shown is a screen that wants to know when it is uncovered.
type Shown interface{ Shown() tea.Cmd }

// Action is something that can be done, and the keys for it.
type Action struct {
	Keys  []string // as Bubble Tea names them; the first one is shown
	Label string   // of the keys, if it is not the first
	Short string   // in the help line; "" to leave it out there
	Long  string   // in the help screen
	Do    func() tea.Cmd
}

// label is how the keys are shown.
func (a Action) label() string {
	if a.Label != "" {
		return a.Label
	}
	return a.Keys[0]
}

// The messages by which screens change.
type (
	pushMsg    struct{ screen Screen }
	popMsg     struct{}
	replaceMsg struct{ screen Screen }
	homeMsg    struct{}
)

// Push shows a screen above the present one.
func Push(s Screen) tea.Cmd { return func() tea.Msg { return pushMsg{s} } }

// Replace shows a screen in place of the present one.
func Replace(s Screen) tea.Cmd { return func() tea.Msg { return replaceMsg{s} } }

// Pop goes back to the screen below.
func Pop() tea.Cmd { return func() tea.Msg { return popMsg{} } }

// Home goes back to the first screen.
func Home() tea.Cmd { return func() tea.Msg { return homeMsg{} } }

// fit makes text exactly h lines of at most w columns.
func fit(text string, w, h int) []string {
	lines := strings.Split(text, "\n")
	for len(lines) < h {
		lines = append(lines, "")
	}
	lines = lines[:max(h, 0)]
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, w, "")
	}
	return lines
}

// pad fills a line with blanks up to a width.
func pad(line string, w int) string {
	return ansi.Truncate(line, w, "") + strings.Repeat(" ", max(w-ansi.StringWidth(line), 0))
}

// beside puts two blocks of lines beside each other.
func beside(left string, width int, right string, h int) string {
	a, b := fit(left, width, h), fit(right, 1<<16, h)
	for i := range a {
		a[i] = pad(a[i], width) + b[i]
	}
	return strings.Join(a, "\n")
}
