package tui

import (
	"cmp"
	"fmt"
	"maps"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/sitting"
)

// Choice is how a game is set up.
type Choice struct {
	Game     string     `json:"game"`
	Setup    game.Setup `json:"setup,omitempty"`
	Seats    [2]string  `json:"seats"`
	Clock    string     `json:"clock"`     // as sitting.ParseClock reads it
	MoveTime string     `json:"move_time"` // of engines in games without clocks
}

// NewChoice returns the usual choice: a person begins against an easy level,
// without clocks.
func NewChoice(name string) Choice {
	return Choice{Game: name, Setup: game.Setup{}, Seats: [2]string{sitting.Person, "level:3"}, Clock: "none", MoveTime: "1s"}
}

// last returns how a game was set up last.
func (c *Common) last(name string) Choice {
	usual := NewChoice(name)
	choice, ok := c.Choices.Games[name]
	if !ok {
		return usual
	}
	choice.Game = name
	if choice.Setup = maps.Clone(choice.Setup); choice.Setup == nil {
		choice.Setup = usual.Setup
	}
	for i := range choice.Seats {
		choice.Seats[i] = cmp.Or(choice.Seats[i], usual.Seats[i])
	}
	choice.Clock, choice.MoveTime = cmp.Or(choice.Clock, usual.Clock), cmp.Or(choice.MoveTime, usual.MoveTime)
	return choice
}

// remember keeps a choice for the next start. That it could not be kept is no
// reason not to play.
func (c *Common) remember(choice Choice) {
	c.Choices.Game = choice.Game
	c.Choices.Games[choice.Game] = choice
	_ = c.Store.SaveChoices(c.Choices)
}

// terms reads the choice.
func (choice Choice) terms(c *Common) (sitting.Terms, error) {
	t := sitting.Terms{Seats: choice.Seats}
	for _, name := range choice.Seats {
		if name == sitting.Person {
			continue
		}
		if err := c.Known(name); err != nil {
			return t, err
		}
	}
	var err error
	if t.Clock, err = sitting.ParseClock(choice.Clock); err != nil {
		return t, err
	}
	if t.MoveTime, err = time.ParseDuration(choice.MoveTime); err != nil || t.MoveTime <= 0 {
		return t, fmt.Errorf("time of a move %q: want one above 0, such as 500ms or 2s", choice.MoveTime)
	}
	return t, nil
}

// sit begins the game that was chosen.
func (choice Choice) sit(c *Common) (*sitting.Sitting, error) {
	g, err := games.ByName(choice.Game)
	if err != nil {
		return nil, err
	}
	t, err := choice.terms(c)
	if err != nil {
		return nil, err
	}
	return sitting.New(g, choice.Setup, t, c.Now())
}

// begin begins the game that was chosen, and keeps the one before.
func (choice Choice) begin(c *Common) (*sitting.Sitting, error) {
	s, err := choice.sit(c)
	if err == nil {
		err = c.Store.Shelve(c.Now())
	}
	return s, err
}

// resume goes on with the game of a record.
func resume(c *Common, r *record.Record) (*sitting.Sitting, error) {
	known := func(name string) bool { return name == sitting.Person || c.Known(name) == nil }
	s, err := sitting.Resume(r, known, c.Now())
	if err != nil {
		return nil, err
	}
	if s.Terms.MoveTime == 0 {
		s.Terms.MoveTime = time.Second
	}
	return s, nil
}
