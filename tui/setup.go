package tui

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// setup is the screen for setting up a game.
type setup struct {
	form
	game  game.Game
	chose game.Setup
	seats [2]string
	clock string
	speed string // time per engine move
}

// playerNames returns the selectable players.
func playerNames() []string {
	names := []string{table.Person, "random"}
	for n := range bots.Levels {
		names = append(names, "level:"+strconv.Itoa(n+1))
	}
	return append(names, "engine", "mcts")
}

// The selectable values.
var (
	clocks    = []string{"none", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20"}
	moveTimes = []string{"100ms", "250ms", "500ms", "1s", "2s", "5s", "10s", "30s"}
)

func newSetup(c *shared, g game.Game) *setup {
	s := &setup{form: form{c: c}, game: g, chose: game.Setup{}, seats: [2]string{table.Person, "level:3"}}
	s.clock, s.speed = cmp.Or(c.choices.Clock, "none"), cmp.Or(c.choices.MoveTime, "1s")
	maps.Copy(s.chose, c.choices.Setups[g.Name])
	if seats, ok := c.choices.Seats[g.Name]; ok {
		s.seats = seats
	}
	if _, err := g.Start(s.chose); err != nil {
		s.chose = game.Setup{}
	}
	for _, o := range g.Options {
		s.fields = append(s.fields, s.option(o))
	}
	for i, side := range g.Sides {
		s.fields = append(s.fields, c.playerField(side, playerNames(), &s.seats[i], func() string { return g.Name }))
	}
	s.fields = append(s.fields,
		field{"Clocks", "minutes for each side and seconds for each move; Enter to type others", func() string { return s.clock },
			func(by int) { s.clock = cycle(clocks, s.clock, by) }, s.typeClock},
		field{"Engine's time", "for a move without clocks; levels below 10 seldom need it", func() string { return s.speed },
			func(by int) { s.speed = cycle(moveTimes, s.speed, by) }, nil},
		field{"Begin", "begin the game", func() string { return "" }, nil, s.begin},
	)
	s.at = len(s.fields) - 1
	return s
}

func (s *setup) title() string { return "Set up: " + s.game.Title }

// value returns the chosen value of an option.
func (s *setup) value(o game.Option) string { return cmp.Or(s.chose[o.Name], o.ForNew()) }

// put sets an option if the game accepts the value. It does not store defaults.
func (s *setup) put(o game.Option, value string) error {
	next := maps.Clone(s.chose)
	next[o.Name] = value
	if value == o.ForNew() {
		delete(next, o.Name)
	}
	if _, err := s.game.Start(next); err != nil {
		return err
	}
	s.chose = next
	return nil
}

// option returns the form field of an option of the game.
func (s *setup) option(o game.Option) field {
	f := field{name: strings.ToUpper(o.Name[:1]) + o.Name[1:], help: o.Help, value: func() string { return s.value(o) }}
	switch {
	case o.Choices != nil:
		f.step = func(by int) { s.c.notifyError(s.put(o, cycle(o.Choices, s.value(o), by))) }
	case o.Max > 0:
		f.step = func(by int) { s.resize(o, by*max(o.Step, 1)) }
		f.enter = s.typed(o)
	default:
		f.value = func() string { return cmp.Or(s.value(o), "none") }
		f.help = s.c.signs.Text(o.Help) + s.c.signs.Text("; Enter to place them")
		f.enter = command(func() { s.c.open(newPits(s, o)) })
	}
	return f
}

// resize changes a number, and drops cells of other options that are then off the
// board.
func (s *setup) resize(o game.Option, by int) {
	n, err := strconv.Atoi(s.value(o))
	if err != nil {
		return
	}
	text := strconv.Itoa(min(max(n+by, o.Min), o.Max))
	if s.put(o, text) == nil {
		return
	}
	for _, other := range s.game.Options {
		if other.Name != o.Name {
			delete(s.chose, other.Name)
		}
	}
	s.c.notifyError(s.put(o, text))
}

func (s *setup) typed(o game.Option) func() tea.Cmd {
	return command(func() {
		s.c.openPrompt(o.Name, o.Help, s.value(o), func(text string) (tea.Cmd, error) { return nil, s.put(o, text) })
	})
}

func (s *setup) typeClock() tea.Cmd {
	return s.c.openPrompt("Clocks", "minutes and seconds for each move such as 5+3, or none", s.clock, func(text string) (tea.Cmd, error) {
		c, err := table.ParseControl(text)
		if err == nil {
			s.clock = c.String()
		}
		return nil, err
	})
}

// playerField returns the form field of a player of a game, with names to step through.
func (c *shared) playerField(name string, names []string, at *string, of func() string) field {
	return field{
		name: name, help: "person, random, a level from 1 (weak) to 10, engine; Enter for the list and for other programs",
		value: func() string { return *at },
		step:  func(by int) { *at = cycle(names, *at, by) },
		enter: func() tea.Cmd {
			g, err := games.ByName(of())
			c.notifyError(err)
			return c.choosePlayer(name, g, func(name string) tea.Cmd {
				*at = name
				return nil
			})
		},
	}
}

// choosePlayer opens a menu of players, built-in or external.
func (c *shared) choosePlayer(side string, g game.Game, take func(string) tea.Cmd) tea.Cmd {
	var items []item
	for _, name := range playerNames() {
		items = append(items, item{name, func() tea.Cmd { return take(name) }})
	}
	items = append(items, item{"another program...", command(func() {
		c.openPrompt("Another program", "ugi:COMMAND, uci:COMMAND, gtp:COMMAND or nboard:COMMAND", "ugi:", func(text string) (tea.Cmd, error) {
			p, err := c.env.Player(c.ctx, text, g)
			if err != nil {
				return nil, err
			}
			return take(text), p.Close()
		})
	})})
	return c.openMenu(side, items)
}

// begin starts the game and saves the choices.
func (s *setup) begin() tea.Cmd {
	control, err := table.ParseControl(s.clock)
	if err != nil {
		return s.c.notifyError(err)
	}
	t, err := table.New(s.game, s.game.NewSetup(s.chose), s.seats, control)
	if err != nil {
		return s.c.notifyError(err)
	}
	c := s.c
	c.choices.Game, c.choices.Setups[s.game.Name], c.choices.Seats[s.game.Name] = s.game.Name, s.chose, s.seats
	c.choices.Clock, c.choices.MoveTime = s.clock, s.speed
	c.remember()
	c.back()
	return c.openNew(t)
}

func (s *setup) draw(canvas *paint.Canvas, r paint.Rect) {
	const width = 40
	s.form.draw(canvas, paint.Rect{X: r.X + 1, Y: r.Y + 1, W: width, H: r.H - 2})
	p, err := s.game.Start(s.chose)
	if err != nil {
		return
	}
	pic := board.Picture{Board: p.Board(), Dark: s.game.Look.Dark()}
	right := paint.Rect{X: r.X + width + 3, Y: r.Y + 1, W: r.W - width - 4, H: r.H - 1}
	s.c.center(canvas, right, &pic)
}

// DefaultMoveTime is the default time per engine move.
const DefaultMoveTime = time.Second

// moveTime returns the time per engine move without clocks.
func (c *shared) moveTime() time.Duration {
	d, err := time.ParseDuration(c.choices.MoveTime)
	if err != nil || d <= 0 || !slices.Contains(moveTimes, c.choices.MoveTime) && d > time.Hour {
		return DefaultMoveTime
	}
	return d
}
