package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/games"
	"quintet/record"
	"quintet/tui/look"
)

// home is the first screen: the games, and what else there is.
type home struct {
	*Common
	menu    menu
	current *record.Record // the game in progress; nil if there is none
	failed  error          // why it could not be read
}

func newHome(c *Common) *home {
	h := &home{Common: c}
	h.refresh()
	if h.current == nil {
		h.menu.at = max(0, slices.Index(games.Names(), c.Choices.Game))
	}
	return h
}

// refresh looks again whether a game is in progress.
func (h *home) refresh() {
	h.current, h.failed = h.Store.Current()
	h.menu.entries = nil
	if h.current != nil {
		h.menu.entries = append(h.menu.entries, entry{"enter", "Continue", h.describe(), h.resume})
		h.menu.entries[0].key = "0"
	}
	for _, g := range games.All() {
		h.menu.entries = append(h.menu.entries, entry{
			strings.ToLower(g.Title[:1]), g.Title, h.abouts()[g.Name],
			func() tea.Cmd { return Push(newSetup(h.Common, g, h.last(g.Name))) },
		})
	}
	h.menu.entries = append(h.menu.entries, h.others()...)
	h.menu.at = min(h.menu.at, len(h.menu.entries)-1)
}

// others are the entries that are no games.
func (h *home) others() []entry {
	return []entry{
		{"g", "Saved games", "load one, go on with it", func() tea.Cmd { return Push(newFiles(h.Common)) }},
		{"s", "Settings", "colours and shapes", func() tea.Cmd { return Push(newSettings(h.Common)) }},
		{"q", "Quit", "", func() tea.Cmd { return tea.Quit }},
	}
}

// abouts says in a few words what each game is about.
func (h *home) abouts() map[string]string {
	return map[string]string{
		"neighbors": "jump from the edge and join your pieces",
		"othello":   "turn discs over, around pits",
		"loa":       "join your pieces, wherever they stand",
		"connect6":  "six in a row, two stones a turn",
		"chess":     "capture the king",
	}
}

// describe says which game is in progress.
func (h *home) describe() string {
	r := h.current
	text := fmt.Sprintf("%s, %d moves", r.Game.Title, len(r.Main()))
	if s := r.Game.FormatSetup(r.Setup); s != "" && len(s) < 30 {
		text += ", " + s
	}
	return text
}

func (h *home) resume() tea.Cmd {
	s, err := resume(h.Common, h.current)
	if err != nil {
		return Push(newNotice(h.Common, "This game cannot be continued", err.Error()))
	}
	return Push(newPlay(h.Common, s))
}

// Title implements Screen.
func (h *home) Title() string { return "five board games for two" }

// Init implements Screen.
func (h *home) Init() tea.Cmd { return nil }

// Shown implements Shown.
func (h *home) Shown() tea.Cmd {
	h.refresh()
	return nil
}

// Actions implements Screen.
func (h *home) Actions() []Action {
	list := h.menu.actions()
	quit := slices.IndexFunc(list, func(a Action) bool { return a.Keys[0] == "q" })
	list[quit].Short = "quit"
	return list
}

// Update implements Screen.
func (h *home) Update(msg tea.Msg) tea.Cmd { return h.menu.mouse(msg) }

// View implements Screen.
func (h *home) View(_, height int) string {
	head := []string{"", "  " + h.Look.Paint(look.Plain, "What would you like to play?"), ""}
	if h.failed != nil {
		head = append(head, "  "+h.Look.Paint(look.Bad, h.failed.Error()), "")
	}
	return strings.Join(head, "\n") + "\n" + h.menu.view(h.Look, len(head), height-len(head))
}

// Close implements Screen.
func (h *home) Close() {}
