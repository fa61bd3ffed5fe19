package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"quintet/tui/look"
)

// dialog is a question with a few answers, or a message with one.
type dialog struct {
	*Common
	title, text string
	menu        menu
}

// newNotice says something that is to be read before anything else is done.
func newNotice(c *Common, title, text string) *dialog {
	return newDialog(c, title, text, entry{text: "OK", do: Pop})
}

// newConfirm asks whether something is meant; no is the first answer.
func newConfirm(c *Common, title, text, yes string, do func() tea.Cmd) *dialog {
	return newDialog(c, title, text,
		entry{"n", "No", "", Pop},
		entry{"y", yes, "", func() tea.Cmd { return tea.Sequence(Pop(), do()) }})
}

func newDialog(c *Common, title, text string, answers ...entry) *dialog {
	return &dialog{Common: c, title: title, text: text, menu: menu{entries: answers}}
}

// Title implements Screen.
func (d *dialog) Title() string { return d.title }

// Init implements Screen.
func (d *dialog) Init() tea.Cmd { return nil }

// Actions implements Screen.
func (d *dialog) Actions() []Action {
	return append(d.menu.actions(), Action{Keys: []string{"esc", "q"}, Short: "back", Long: "go back", Do: Pop})
}

// Update implements Screen.
func (d *dialog) Update(msg tea.Msg) tea.Cmd { return d.menu.mouse(msg) }

// View implements Screen.
func (d *dialog) View(w, h int) string {
	lines := []string{"", "  " + d.Look.Paint(look.Accent, d.title), ""}
	for line := range strings.SplitSeq(ansi.Wrap(d.text, min(w-4, 76), ""), "\n") {
		lines = append(lines, "  "+d.Look.Paint(look.Plain, line))
	}
	lines = append(lines, "")
	return strings.Join(lines, "\n") + "\n" + d.menu.view(d.Look, len(lines), h-len(lines))
}

// Close implements Screen.
func (d *dialog) Close() {}
