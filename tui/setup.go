package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/bots"
	"quintet/game"
	"quintet/tui/look"
	"quintet/tui/sitting"
)

// setup is the form in which a game is chosen.
type setup struct {
	*Common
	game   game.Game
	choice Choice
	fields []field
	at     int
	typing *input // not nil while a value is typed
	err    error
}

// field is a line of the form.
type field struct {
	name   string
	help   string
	value  func() string
	values []string // to go through by left and right
	set    func(string)
	typed  string         // what may be typed; "" if nothing
	open   func() tea.Cmd // what enter does, if it is not typing
}

func newSetup(c *Common, g game.Game, choice Choice) *setup {
	s := &setup{Common: c, game: g, choice: choice}
	s.fields = append(s.fields, field{name: "Begin", help: "enter begins the game", value: func() string { return "" }, open: s.begin})
	for i, side := range g.Sides {
		s.fields = append(s.fields, s.seat(i, side))
	}
	for _, o := range g.Options {
		s.fields = append(s.fields, s.option(o))
	}
	s.fields = append(s.fields,
		field{
			name: "Clocks", help: "minutes for the game + seconds a move", values: []string{"none", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20"},
			value: func() string { return s.choice.Clock }, set: func(v string) { s.choice.Clock = v }, typed: "minutes+seconds, such as 5+3",
		},
		field{
			name: "Engine's time", help: "for a move, in games without clocks", values: []string{"200ms", "500ms", "1s", "2s", "5s", "10s", "30s"},
			value: func() string { return s.choice.MoveTime }, set: func(v string) { s.choice.MoveTime = v }, typed: "a time such as 3s",
		})
	return s
}

// seat is the field for who plays a side.
func (s *setup) seat(i int, side string) field {
	return field{
		name: side, help: "who plays; enter types another program, such as uci:COMMAND", values: append([]string{sitting.Person}, playerNames()...),
		value: func() string { return s.choice.Seats[i] }, set: func(v string) { s.choice.Seats[i] = v },
		typed: "a player, or another program as ugi:, uci:, gtp: or nboard:COMMAND",
	}
}

// playerNames are the players in the order of their strength.
func playerNames() []string {
	names := []string{"random"}
	for n := range bots.Levels {
		names = append(names, "level:"+strconv.Itoa(n+1))
	}
	return append(names, "engine", "mcts")
}

// option is the field for an option of the game.
func (s *setup) option(o game.Option) field {
	f := field{
		name: strings.ToUpper(o.Name[:1]) + o.Name[1:], help: o.Help, typed: o.Help,
		value: func() string {
			if v := s.choice.Setup[o.Name]; v != "" {
				return v
			}
			return o.Default
		},
		set: func(v string) {
			s.choice.Setup[o.Name] = v
			if v == "" || v == o.Default {
				delete(s.choice.Setup, o.Name)
			}
		},
		values: o.Choices,
	}
	for n := o.Min; o.Max > 0 && n <= o.Max; n++ {
		if o.Step == 0 || n%o.Step == 0 {
			f.values = append(f.values, strconv.Itoa(n))
		}
	}
	if f.values == nil { // a list of cells is best chosen on a board
		f.open = func() tea.Cmd { return Push(newPits(s, o)) }
	}
	return f
}

func (s *setup) begin() tea.Cmd {
	sit, err := s.choice.begin(s.Common)
	if err != nil {
		s.err = err
		return nil
	}
	s.remember(s.choice)
	return tea.Sequence(Pop(), Push(newPlay(s.Common, sit)))
}

// Title implements Screen.
func (s *setup) Title() string { return s.game.Title }

// Init implements Screen.
func (s *setup) Init() tea.Cmd { return nil }

// Typing implements Typist.
func (s *setup) Typing() bool { return s.typing != nil }

// Actions implements Screen.
func (s *setup) Actions() []Action {
	return []Action{
		{Keys: []string{"enter", "space"}, Label: "enter", Short: "begin or type", Long: "begin the game, or type a value of the line", Do: s.enter},
		{Keys: []string{"down", "j", "tab"}, Label: "up/down", Short: "line", Long: "go to the next line (j and tab, too)", Do: s.mover(1)},
		{Keys: []string{"up", "k", "shift+tab"}, Label: "up", Long: "go to the line above", Do: s.mover(-1)},
		{Keys: []string{"right", "l"}, Label: "left/right", Short: "change", Long: "take the next value", Do: s.changer(1)},
		{Keys: []string{"left", "h"}, Label: "left", Long: "take the value before", Do: s.changer(-1)},
		{Keys: []string{"x"}, Short: "swap sides", Long: "let the players change sides", Do: s.swap},
		{Keys: []string{"b"}, Short: "begin", Long: "begin the game", Do: s.begin},
		{Keys: []string{"d"}, Long: "take the usual values again", Do: s.reset},
		{Keys: []string{"esc", "q"}, Short: "back", Long: "go back", Do: Pop},
	}
}

func (s *setup) mover(by int) func() tea.Cmd {
	return func() tea.Cmd {
		s.at = (s.at + by + len(s.fields)) % len(s.fields)
		return nil
	}
}

func (s *setup) changer(by int) func() tea.Cmd {
	return func() tea.Cmd {
		f := s.fields[s.at]
		if len(f.values) == 0 {
			return nil
		}
		i := slices.Index(f.values, f.value())
		if i < 0 && by < 0 {
			i = 0
		}
		f.set(f.values[(i+by+len(f.values))%len(f.values)])
		s.err = nil
		return nil
	}
}

func (s *setup) swap() tea.Cmd {
	s.choice.Seats[0], s.choice.Seats[1] = s.choice.Seats[1], s.choice.Seats[0]
	return nil
}

func (s *setup) reset() tea.Cmd {
	s.choice, s.err = NewChoice(s.game.Name), nil
	return nil
}

func (s *setup) enter() tea.Cmd {
	f := s.fields[s.at]
	if f.open != nil {
		return f.open()
	}
	in := newInput(f.value())
	s.typing = &in
	return nil
}

// Update implements Screen.
func (s *setup) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.typed(msg)
	case tea.PasteMsg:
		if s.typing != nil {
			s.typing.update(msg)
		}
	case tea.MouseClickMsg:
		return s.click(msg)
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return s.changer(-1)()
		}
		return s.changer(1)()
	}
	return nil
}

// typed takes a key while a value is typed.
func (s *setup) typed(msg tea.KeyPressMsg) {
	if s.typing == nil {
		return
	}
	switch msg.String() {
	case "esc":
		s.typing = nil
	case "enter":
		s.fields[s.at].set(strings.TrimSpace(s.typing.String()))
		s.typing, s.err = nil, s.check()
	default:
		s.typing.update(msg)
	}
}

// check says what is wrong with the choice as it stands.
func (s *setup) check() error {
	_, err := s.choice.sit(s.Common)
	return err
}

// firstRow is the row of the first field.
const firstRow = 2

func (s *setup) click(msg tea.MouseClickMsg) tea.Cmd {
	i := msg.Y - firstRow
	if i < 0 || i >= len(s.fields) || s.typing != nil {
		return nil
	}
	if again := s.at == i; !again && s.fields[i].open == nil {
		s.at = i
		return nil
	}
	s.at = i
	if len(s.fields[i].values) > 0 {
		return s.changer(1)()
	}
	return s.enter()
}

// View implements Screen.
func (s *setup) View(w, _ int) string {
	lines := []string{"", ""}
	for i, f := range s.fields {
		lines = append(lines, s.line(f, i == s.at, w))
	}
	f := s.fields[s.at]
	lines = append(lines, "", "  "+s.Look.Paint(look.Dim, f.help))
	if s.typing != nil {
		lines = append(lines, "", "  "+s.Look.Paint(look.Dim, "enter takes it, esc does not; wanted is "+f.typed))
	}
	if s.err != nil {
		lines = append(lines, "", "  "+s.Look.Paint(look.Bad, s.err.Error()))
	}
	return strings.Join(lines, "\n")
}

func (s *setup) line(f field, chosen bool, w int) string {
	pointer, role := " ", look.Plain
	if chosen {
		pointer, role = s.Look.Glyphs.Pointer, look.Accent
	}
	head := "  " + s.Look.Paint(look.Accent, pointer) + " " + s.Look.Paint(role, pad(f.name, 15))
	if chosen && s.typing != nil {
		return head + s.typing.view(s.Look, w-24)
	}
	value := f.value()
	if value == "" && f.open != nil && f.name != "Begin" {
		value = "none (enter chooses on a board)"
	}
	if chosen && len(f.values) > 0 {
		value = fmt.Sprintf("%c %s %c", s.Look.Glyphs.Arrows[2], value, s.Look.Glyphs.Arrows[3])
	}
	return head + s.Look.Paint(role, value)
}

// Close implements Screen.
func (s *setup) Close() {}
