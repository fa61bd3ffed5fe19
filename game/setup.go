package game

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Setup maps option names to values. A missing option has its default, so the nil
// Setup is the usual game.
type Setup map[string]string

// Option is a setting of a game, described well enough to generate a flag, a form
// field and a check.
type Option struct {
	Name    string `json:"name"`
	Help    string `json:"help"`
	Default string `json:"default"`

	// Initial is the value for new games, if it is not Default: records that leave the
	// option out keep their meaning. See Game.NewSetup.
	Initial string `json:"-"`

	Choices []string `json:"choices,omitempty"` // if not nil, the only values

	// If Max > 0, the value is an integer from Min to Max and a multiple of Step (0
	// means any). It has no plus sign and no leading zeros, so that each game has one
	// text.
	Min  int `json:"min,omitempty"`
	Max  int `json:"max,omitempty"`
	Step int `json:"step,omitempty"`
}

// NewOptions returns the options of new games, for JSON: Default is the value for new games. The
// list is empty, not nil, if there are no options.
func (g Game) NewOptions() []Option {
	list := append([]Option{}, g.Options...)
	for i, o := range list {
		list[i].Default = o.ForNew()
	}
	return list
}

// Check returns an error that states the valid values if the value is invalid.
func (o Option) Check(value string) error {
	if o.Max > 0 {
		n, err := strconv.Atoi(value)
		if err != nil || value != strconv.Itoa(n) || n < o.Min || n > o.Max || o.Step > 0 && n%o.Step != 0 {
			return fmt.Errorf("%s %q: expected %s", o.Name, value, o.wanted())
		}
		return nil
	}
	if o.Choices != nil && !slices.Contains(o.Choices, value) {
		return fmt.Errorf("%s %q: expected %s", o.Name, value, Alternatives(o.Choices))
	}
	return nil
}

func (o Option) wanted() string {
	kind := "a whole number"
	switch {
	case o.Step == 2:
		kind = "an even number"
	case o.Step > 2:
		kind = fmt.Sprintf("a multiple of %d", o.Step)
	}
	return fmt.Sprintf("%s from %d to %d", kind, o.Min, o.Max)
}

// Alternatives joins words as in a sentence: "a, b or c".
func Alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// ForNew returns the value for new games.
func (o Option) ForNew() string { return cmp.Or(o.Initial, o.Default) }

// NewSetup returns the set-up of a new game: as chosen, and with the values for new games
// that differ from the defaults. Use it where a game begins, not where one is read.
func (g Game) NewSetup(chosen Setup) Setup {
	s := maps.Clone(chosen)
	for _, o := range g.Options {
		if _, ok := s[o.Name]; o.Initial == "" || ok {
			continue
		}
		if s == nil {
			s = Setup{}
		}
		s[o.Name] = o.Initial
	}
	return s
}

// Option returns the game's option with the name.
func (g Game) Option(name string) (Option, bool) {
	i := slices.IndexFunc(g.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return Option{}, false
	}
	return g.Options[i], true
}

// fill checks the set-up and returns it with all defaults filled in.
func (g Game) fill(s Setup) (Setup, error) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		o, ok := g.Option(name)
		if !ok {
			return nil, fmt.Errorf("%s has no option %q: %s", g.Name, name, g.optionNames())
		}
		if err := o.Check(s[name]); err != nil {
			return nil, err
		}
	}
	return g.SetupAt(nil, s), nil
}

// SetupAt returns the values of all options of a game that begins at a position: those chosen, else
// those that the position determines (see Configured), else the defaults. p may be nil.
func (g Game) SetupAt(p Position, chosen Setup) Setup {
	full, fixed := Setup{}, setupOf(p)
	for _, o := range g.Options {
		full[o.Name] = o.Default
		for _, s := range []Setup{fixed, chosen} {
			if v, ok := s[o.Name]; ok {
				full[o.Name] = v
			}
		}
	}
	return full
}

func setupOf(p Position) Setup {
	if f, ok := p.(Configured); ok {
		return f.SetupOf()
	}
	return nil
}

// Agrees returns an error if no game that begins at the position can have the chosen
// options: the position determines another value, or the game has no such option.
func (g Game) Agrees(p Position, chosen Setup) error {
	if len(chosen) == 0 {
		return nil
	}
	if _, err := g.fill(chosen); err != nil {
		return err
	}
	given, fixed := chosen, setupOf(p)
	// Options have several spellings, positions have one. No game may start with the options of
	// some positions: one of Othello can have a pit where a disc starts.
	if same, err := g.Start(g.SetupAt(p, chosen)); err == nil {
		given = setupOf(same)
	}
	for _, o := range g.Options {
		says, ok := fixed[o.Name]
		if _, meant := chosen[o.Name]; ok && meant && given[o.Name] != says {
			return fmt.Errorf("%s %q: the position has %q: give that value, or leave the option out", o.Name, chosen[o.Name], says)
		}
	}
	return nil
}

func (g Game) optionNames() string {
	if len(g.Options) == 0 {
		return "it has none"
	}
	var names []string
	for _, o := range g.Options {
		names = append(names, o.Name)
	}
	return "expected " + Alternatives(names)
}

// FormatSetup returns the chosen options as "name=value" words in the order of the
// game's options, without defaults; "" for the usual game.
func (g Game) FormatSetup(s Setup) string {
	var words []string
	for _, o := range g.Options {
		if v, ok := s[o.Name]; ok && v != o.Default {
			words = append(words, o.Name+"="+v)
		}
	}
	return strings.Join(words, " ")
}

// ParseSetup parses "name=value" words separated by blanks. Game.Start checks whether
// the game has these options.
func ParseSetup(text string) (Setup, error) {
	s := Setup{}
	for _, word := range strings.Fields(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("set-up %q: expected name=value", word)
		}
		if _, twice := s[name]; twice {
			return nil, fmt.Errorf("set-up %q: %s is given twice", word, name)
		}
		s[name] = value
	}
	return s, nil
}
