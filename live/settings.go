package live

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quintet/game"
	"quintet/games"
	"quintet/people/rating"
)

// Settings are what a table is opened with.
type Settings struct {
	Game    string     `json:"game"`
	Options game.Setup `json:"options,omitempty"`

	// Position is the text of the position to start from, which must agree with
	// Options. Moves were played from there before the table was opened.
	Position string   `json:"position,omitempty"`
	Moves    []string `json:"moves,omitempty"`

	Clock     TimeControl `json:"clock,omitzero"`
	Seats     [2]Player   `json:"seats"`              // a zero Player is an open seat
	Private   bool        `json:"private,omitempty"`  // visible to the seats and to holders of the secret
	Secret    string      `json:"secret,omitempty"`   // hash of the secret of a private game
	Unlisted  bool        `json:"unlisted,omitempty"` // in no list, but visible by address
	Rated     bool        `json:"rated,omitempty"`    // counts for the ratings of both players: see package rating
	Delay     int64       `json:"delay,omitempty"`    // delay for spectators in seconds
	RematchOf string      `json:"before,omitempty"`   // identifier of the game that this is the rematch of

	Tournament string `json:"tournament,omitempty"` // identifier of the tournament that the game belongs to
	Berserk    bool   `json:"berserk,omitempty"`    // players may play with less time, for more points
}

// MaxDelay is the maximum delay for spectators, in seconds.
const MaxDelay = 3600

// Check returns an *Error if no table can be opened with these settings.
func (s Settings) Check() error {
	if len(s.Moves) > MaxMoves {
		return invalid("moves", "moves.many", fmt.Errorf("a game can start after at most %d moves, not %d", MaxMoves, len(s.Moves)))
	}
	if s.Delay < 0 || s.Delay > MaxDelay {
		return invalid("delay", "delay", fmt.Errorf("the delay must be 0 to %d seconds, not %d", MaxDelay, s.Delay))
	}
	for _, p := range s.Seats {
		if p.Joined() {
			if err := p.check(); err != nil {
				return err
			}
		}
	}
	if err := s.Clock.Check(); err != nil {
		return invalid("clock", "clock", err)
	}
	m, _, err := s.Match()
	if err != nil {
		return err
	}
	if err := s.checkRated(); err != nil {
		return err
	}
	if m.Over() {
		return invalid(s.startField(), "start.over", errors.New("the game is over at its start: choose a position with a legal move"))
	}
	return nil
}

// checkRated returns an *Error if the game is to be rated but cannot be. It needs a clock, because a player
// who leaves must lose on time.
func (s Settings) checkRated() error {
	switch {
	case !s.Rated:
	case s.Clock.none():
		return invalid("clock", "clock", errors.New("a rated game needs a clock"))
	case s.Position != "" || len(s.Moves) > 0:
		return invalid(s.startField(), s.startField(), errors.New("a rated game starts from the usual position"))
	default:
		if _, ok := s.Pool(); !ok {
			return invalid("options", "options", errors.New("there are no ratings for these options: choose Connect6 on 15 or 19 rows, or chess without halting by claim"))
		}
	}
	return nil
}

// Pool returns the game's pool of ratings; ok is false if it has none.
func (s Settings) Pool() (p rating.Pool, ok bool) {
	p.Board, ok = rating.Board(s.Game, s.Setup())
	p.Speed = rating.Speed(s.Clock.Main, s.Clock.Increment+s.Clock.Delay, s.Clock.Days)
	return p, ok && p.Speed != ""
}

// startField names the field that sets where the game starts.
func (s Settings) startField() string {
	switch {
	case len(s.Moves) > 0:
		return "moves"
	case s.Position != "":
		return "position"
	}
	return "options"
}

// MaxMoves is how many moves can have been played before a table is opened.
const MaxMoves = 2000

// position returns the position before the first move. The error is an *Error.
func (s Settings) position(g game.Game) (game.Position, error) {
	if s.Position == "" {
		p, err := g.Start(s.Options)
		if err != nil {
			return nil, invalid("options", "options", err)
		}
		return p, nil
	}
	p, err := g.Read(s.Position)
	if err != nil {
		return nil, invalid("position", "position", err)
	}
	if err := g.Agrees(p, s.Options); err != nil {
		return nil, invalid("options", "options", err)
	}
	return p, nil
}

// Setup returns every option of the game: as set, else as in the start position, else its
// default. It is empty if the settings are invalid.
func (s Settings) Setup() game.Setup {
	g, err := games.ByName(s.Game)
	if err != nil {
		return game.Setup{}
	}
	p, err := s.position(g)
	if err != nil {
		return game.Setup{}
	}
	return g.SetupAt(p, s.Options)
}

// halt returns who may halt the game.
func (s Settings) halt(g game.Game) game.HaltRule {
	if rule, ok := s.Options["halt"]; ok {
		return game.HaltRule(rule)
	}
	if option, ok := g.Option("halt"); ok {
		return game.HaltRule(option.Default)
	}
	return game.HaltNone
}

// Player is the holder of a seat. The zero Player is an open seat.
type Player struct {
	Name   string `json:"name,omitempty"`
	Engine string `json:"engine,omitempty"` // name of the player in package bots, if it is one
	Secret string `json:"secret,omitempty"` // hash of the seat's secret
	Person string `json:"person,omitempty"` // identifier of a guest or an account, whose name is shown in place of an empty one
}

// Joined reports whether the seat is taken.
func (p Player) Joined() bool { return p.Name != "" || p.Person != "" }

// check returns an *Error if the player cannot take a seat.
func (p Player) check() error {
	if p.Name == "" && p.Person != "" {
		return nil
	}
	return CheckName(p.Name)
}

// Opens reports whether one of the keys is for the seat: the hash of its secret, or the key of its
// person, see PersonKey.
func (p Player) Opens(keys []string) bool {
	return p.Secret != "" && slices.Contains(keys, p.Secret) || p.Person != "" && slices.Contains(keys, PersonKey(p.Person))
}

// PersonKey returns the key to the seats of a person. It is no hash of a secret, and no name.
func PersonKey(person string) string { return "<" + person }

// MaxName is the maximum length of a name, in characters.
const MaxName = 40

// CheckName returns an *Error if a name cannot be shown: it is empty, too long, or has
// invisible characters or characters with a meaning in HTML.
func CheckName(name string) error {
	if err := checkName(name); err != nil {
		return invalid("name", "name", err)
	}
	return nil
}

func checkName(name string) error {
	n := utf8.RuneCountInString(name)
	switch {
	case !utf8.ValidString(name):
		return errors.New("the name is not valid UTF-8")
	case n == 0 || n > MaxName:
		return fmt.Errorf("a name must have 1 to %d characters, not %d", MaxName, n)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("name %q: remove the blanks around it", name)
	case strings.ContainsAny(name, "<>&\"`\\"):
		return fmt.Errorf("name %q: remove < > & \" ` \\", name)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("name %q: remove the invisible characters", name)
		}
	}
	return nil
}

// HashSecret returns the hash of a secret. Logs keep only the hash.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte("quintet seat " + secret))
	return hex.EncodeToString(sum[:16])
}
