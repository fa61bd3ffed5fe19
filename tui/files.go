package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/record"
	"quintet/tui/look"
)

// files is the list of saved games.
type files struct {
	*Common
	menu   menu
	err    error
	typing *input // the path of a file that is elsewhere
}

func newFiles(c *Common) *files {
	f := &files{Common: c}
	list, err := c.Store.List()
	f.err = err
	f.menu.entries = append(f.menu.entries, entry{"/", "Another file...", "its path is typed", f.other})
	for _, saved := range list {
		f.menu.entries = append(f.menu.entries, entry{"", saved.Name, saved.Time.Format("2 Jan 2006 15:04"), func() tea.Cmd { return f.load(saved.Path) }})
	}
	if len(list) > 0 {
		f.menu.at = 1
	}
	return f
}

func (f *files) other() tea.Cmd {
	in := newInput("")
	f.typing = &in
	return nil
}

// load opens the first game of a file.
func (f *files) load(path string) tea.Cmd {
	list, err := record.Load(path)
	if err != nil || len(list) == 0 {
		f.err = err
		if err == nil {
			f.err = fmt.Errorf("%s: there is no game in it", path)
		}
		return nil
	}
	if len(list) == 1 {
		return f.open(list[0])
	}
	var games []entry
	for i, r := range list {
		games = append(games, entry{text: fmt.Sprintf("Game %d: %s", i+1, r.Game.Title), about: r.Players[0] + " - " + r.Players[1], do: func() tea.Cmd { return f.open(r) }})
	}
	return Push(newDialog(f.Common, "Which game?", path+" holds several.", games...))
}

func (f *files) open(r *record.Record) tea.Cmd {
	s, err := resume(f.Common, r)
	if err == nil {
		err = f.Store.Shelve(f.Now())
	}
	if err != nil {
		f.err = err
		return nil
	}
	return tea.Sequence(Home(), Push(newPlay(f.Common, s)))
}

// Title implements Screen.
func (f *files) Title() string { return "saved games" }

// Init implements Screen.
func (f *files) Init() tea.Cmd { return nil }

// Typing implements Typist.
func (f *files) Typing() bool { return f.typing != nil }

// Actions implements Screen.
func (f *files) Actions() []Action {
	return append(f.menu.actions(), Action{Keys: []string{"esc", "q"}, Short: "back", Long: "go back", Do: Pop})
}

// Update implements Screen.
func (f *files) Update(msg tea.Msg) tea.Cmd {
	key, isKey := msg.(tea.KeyPressMsg)
	switch {
	case f.typing == nil:
		return f.menu.mouse(msg)
	case isKey && key.String() == "esc":
		f.typing = nil
	case isKey && key.String() == "enter":
		path := strings.TrimSpace(f.typing.String())
		f.typing = nil
		return f.load(path)
	default:
		f.typing.update(msg)
	}
	return nil
}

// View implements Screen.
func (f *files) View(w, h int) string {
	lines := []string{"", "  " + f.Look.Paint(look.Dim, "Games are kept in "+f.Store.Games()), ""}
	if f.err != nil {
		lines = append(lines, "  "+f.Look.Paint(look.Bad, f.err.Error()), "")
	}
	if f.typing != nil {
		lines = append(lines, "  "+f.Look.Paint(look.Key, "File: ")+f.typing.view(f.Look, w-12), "")
	}
	return strings.Join(lines, "\n") + "\n" + f.menu.view(f.Look, len(lines), h-len(lines))
}

// Close implements Screen.
func (f *files) Close() {}

// save asks for a name and saves a game.
type save struct {
	*Common
	record *record.Record
	name   input
	sure   bool // a file of that name may be replaced
	said   string
}

func newSave(c *Common, r *record.Record) *save {
	return &save{Common: c, record: r, name: newInput(c.Store.FreeName(r, c.Now()))}
}

// Title implements Screen.
func (s *save) Title() string { return "save the game" }

// Init implements Screen.
func (s *save) Init() tea.Cmd { return nil }

// Typing implements Typist.
func (s *save) Typing() bool { return true }

// Actions implements Screen.
func (s *save) Actions() []Action {
	return []Action{
		{Keys: []string{"enter"}, Short: "save", Long: "save under this name", Do: s.enter},
		{Keys: []string{"esc"}, Short: "back", Long: "go back", Do: Pop},
	}
}

// Update implements Screen.
func (s *save) Update(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return Pop()
		case "enter":
			return s.enter()
		}
		s.sure, s.said = false, ""
	}
	s.name.update(msg)
	return nil
}

func (s *save) enter() tea.Cmd {
	name := strings.TrimSpace(s.name.String())
	switch {
	case name == "":
		s.said = "A game needs a name"
		return nil
	case s.Store.Exists(name) && !s.sure:
		s.sure, s.said = true, "There is such a file already: enter replaces it"
		return nil
	}
	path, err := s.Store.Save(name, s.record)
	if err != nil {
		s.said = err.Error()
		return nil
	}
	return Replace(newNotice(s.Common, "The game is saved", "It is in "+path))
}

// View implements Screen.
func (s *save) View(w, _ int) string {
	text := "\n  " + s.Look.Paint(look.Plain, "Under which name? A path with a slash leads elsewhere.") + "\n\n  " + s.Look.Paint(look.Key, "Name: ") + s.name.view(s.Look, w-12)
	if s.said != "" {
		text += "\n\n  " + s.Look.Paint(look.Warn, s.said)
	}
	return text
}

// Close implements Screen.
func (s *save) Close() {}
