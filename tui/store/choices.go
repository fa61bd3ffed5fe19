package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quintet/game"
	"quintet/internal/atomicfile"
)

// Choices are the user's last choices.
type Choices struct {
	Theme    string                `json:"theme"`  // as paint.ThemeNames
	Signs    string                `json:"signs"`  // "auto", "unicode" or "ascii"
	Game     string                `json:"game"`   // the name
	Setups   map[string]game.Setup `json:"setups"` // by game
	Seats    map[string][2]string  `json:"seats"`  // by game
	Clock    string                `json:"clock"`  // as table.ParseControl
	MoveTime string                `json:"move_time"`
	Watch    Watch                 `json:"watch"`
	Solved   map[string][]string   `json:"solved,omitempty"` // IDs of puzzles, by game
}

// Watch are the choices for a match of engines.
type Watch struct {
	Game     string    `json:"game"`
	Players  [2]string `json:"players"`
	Games    int       `json:"games"`
	MoveTime string    `json:"move_time"`
}

// DefaultChoices returns the initial choices.
func DefaultChoices() Choices {
	return Choices{
		Theme: "auto", Signs: "auto", Game: "othello", Setups: map[string]game.Setup{}, Seats: map[string][2]string{}, Clock: "none", MoveTime: "1s",
		Watch: Watch{Game: "othello", Players: [2]string{"level:4", "level:3"}, Games: 20, MoveTime: "100ms"},
	}
}

func (s Store) choices() string { return filepath.Join(s.Config, "choices.json") }

// Choices loads the last choices. It uses defaults for what cannot be read and
// returns the error.
func (s Store) Choices() (Choices, error) {
	c := DefaultChoices()
	text, err := os.ReadFile(s.choices())
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("reading the last choices: %w", err)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return DefaultChoices(), fmt.Errorf("reading the last choices: %s: %w", s.choices(), err)
	}
	if c.Setups == nil {
		c.Setups = map[string]game.Setup{}
	}
	if c.Seats == nil {
		c.Seats = map[string][2]string{}
	}
	return c, nil
}

// Remember saves choices.
func (s Store) Remember(c Choices) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err == nil {
		err = os.MkdirAll(s.Config, 0o700)
	}
	if err == nil {
		err = atomicfile.Write(s.choices(), append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("saving the choices: %w", err)
	}
	return nil
}
