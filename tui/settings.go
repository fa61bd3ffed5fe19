package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/games"
	"quintet/tui/grid"
	"quintet/tui/look"
)

// settings chooses how things look.
type settings struct {
	*Common
	menu menu
}

func newSettings(c *Common) *settings {
	s := &settings{Common: c}
	themes := append([]string{look.Auto}, look.ThemeNames()...)
	glyphs := append([]string{look.Auto}, look.GlyphNames()...)
	about := map[string]string{look.Auto: "what suits the terminal"}
	for _, t := range look.Themes() {
		about[t.Name] = t.Help
	}
	for _, g := range look.GlyphSets() {
		about[g.Name] = g.Help
	}
	for _, name := range themes {
		s.menu.entries = append(s.menu.entries, entry{"", "colours: " + name, about[name], func() tea.Cmd { return s.set(name, s.Choices.Glyphs) }})
	}
	for _, name := range glyphs {
		s.menu.entries = append(s.menu.entries, entry{"", "shapes: " + name, about[name], func() tea.Cmd { return s.set(s.Choices.Theme, name) }})
	}
	return s
}

func (s *settings) set(theme, glyphs string) tea.Cmd {
	s.Choices.Theme, s.Choices.Glyphs = theme, glyphs
	if err := s.dress(); err != nil {
		return Push(newNotice(s.Common, "That did not work", err.Error()))
	}
	_ = s.Store.SaveChoices(s.Choices) // the look has changed, kept or not
	return nil
}

// Title implements Screen.
func (s *settings) Title() string { return "settings" }

// Init implements Screen.
func (s *settings) Init() tea.Cmd { return nil }

// Actions implements Screen.
func (s *settings) Actions() []Action {
	return append(s.menu.actions(), Action{Keys: []string{"esc", "q", "left"}, Short: "back", Long: "go back", Do: Pop})
}

// Update implements Screen.
func (s *settings) Update(msg tea.Msg) tea.Cmd { return s.menu.mouse(msg) }

// View implements Screen.
func (s *settings) View(_, h int) string {
	head := "\n  " + s.Look.Paint(look.Dim, "Now: colours "+s.Look.Theme.Name+", shapes "+s.Look.Glyphs.Name) + "\n"
	if s.Terminal.NoColor {
		head = "\n  " + s.Look.Paint(look.Warn, "NO_COLOR is set: there are no colours, whatever is chosen here") + "\n"
	}
	n := len(s.menu.entries)
	return head + "\n" + s.menu.view(s.Look, 3, n) + "\n\n" + s.sample(h-n-4)
}

// sample is a piece of a board in the look that is chosen.
func (s *settings) sample(height int) string {
	g, err := games.ByName("chess")
	if err != nil || height < 3 {
		return ""
	}
	p, err := g.Start(nil)
	if err != nil {
		return ""
	}
	b := p.Board()
	v := grid.Fit(b, 20, height, grid.Small, 0, grid.View{})
	marks := map[game.Cell]grid.Mark{0: {Cursor: true}, 1: {Last: true}, 2: {Chosen: true}, 9: {Hint: true}}
	return "  " + strings.ReplaceAll(v.Draw(b, marks, grid.Dark(g), s.Look), "\n", "\n  ")
}

// Close implements Screen.
func (s *settings) Close() {}
