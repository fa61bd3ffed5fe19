// Package formats converts records from and to file formats: the text format of package
// record, PGN, SGF, GGF, bare transcripts, moves, and the input and output of the
// course's console programs.
//
// Start with [Read], which detects the format of a text from its content, and
// [Write]; [All] lists the formats. docs/records.md lists what each can hold.
//
// What a format cannot express causes an error with the reason. The only exception:
// formats that hold nothing but moves omit players, times and the like, and Write
// lists what it omitted.
package formats

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quintet/game"
	"quintet/games"
	"quintet/record"
)

// Format is a file format.
type Format struct {
	Name string // as in commands: "pgn"
	Help string // a short description

	// is reports whether a text is in the format. Read uses the first format of All that
	// matches, else moves.
	is func(text string, h Hint) bool

	// read parses the games of a text one after another and calls add with each, until it
	// returns an error. Its own errors have places.
	read func(text string, h Hint, add addFunc) (Omitted, error)

	// write appends a game to a text.
	write func(text []byte, r *record.Record) ([]byte, Omitted, error)

	single bool // a text holds only one game

	// Tree says that a text can hold variations, comments and marks.
	Tree bool
}

// addFunc takes a game that has been parsed. After an error, none follows.
type addFunc func(*record.Record) error

// All returns the formats in the order of detection.
func All() []Format {
	return []Format{
		{"quintet", "the text format of all games", isText, readText, writeText, false, true},
		{"pgn", "chess, as chess programs have it", isPGN, readPGN, writePGN, false, true},
		{"ggf", "Othello, as the server GGS has it", isGGF, readGGF, writeGGF, false, false},
		{"sgf", "Othello, Lines of Action and Connect6, by the Smart Game Format", isSGF, readSGF, writeSGF, false, true},
		{"console", "what a person types into quintet console, or what it printed", isConsole, readConsole, writeConsole, true, false},
		{"moves", "moves in library notation", nil, readMoves, writeMoves, true, false},
		{"transcript", "Othello, as f5d6c3", nil, readMoves, writeTranscript, false, false},
	}
}

// Names returns the names of all formats.
func Names() (names []string) {
	for _, f := range All() {
		names = append(names, f.Name)
	}
	return names
}

// Hint is what the caller knows about a text.
type Hint struct {
	Format string     // the format; detected if empty
	Game   string     // the game; "" if unknown
	Setup  game.Setup // the options of the game

	// MaxGames is the most games that the text can have, 0 for any number. Set it for untrusted
	// texts: a game can be as short as three bytes.
	MaxGames int
}

// ErrGames is the error for a text with more than Hint.MaxGames games.
var ErrGames = errors.New("too many games")

// game returns the game of the hint, or an error without one.
func (h Hint) game() (game.Game, error) {
	if h.Game == "" {
		return game.Game{}, fmt.Errorf("moves alone do not identify the game: name it, one of %s", game.Alternatives(games.Names()))
	}
	return games.ByName(h.Game)
}

// Omitted lists what was omitted, for people: "times".
type Omitted []string

// maxOmitted is the most that Omitted lists.
const maxOmitted = 100

// add adds to the list unless it is there. The last of a long list stands for the rest.
func (l *Omitted) add(what string) {
	switch {
	case len(*l) >= maxOmitted || slices.Contains(*l, what):
	case len(*l) == maxOmitted-1:
		*l = append(*l, "other facts")
	default:
		*l = append(*l, what)
	}
}

// ByName returns the format with the name. The error lists the valid names.
func ByName(name string) (Format, error) {
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("format %q: expected %s", name, game.Alternatives(Names()))
}

// Read parses all games of a text. It returns the name of the text's format and what
// was omitted because records cannot hold it. Syntax errors are *record.SyntaxError.
func Read(text []byte, h Hint) (list []*record.Record, format string, left Omitted, err error) {
	s := record.Normalize(text)
	f, err := detect(s, h)
	if err != nil {
		return nil, "", nil, err
	}
	left, err = f.read(s, h, func(r *record.Record) error {
		if h.MaxGames > 0 && len(list) == h.MaxGames {
			return fmt.Errorf("%w: expected at most %d in the text", ErrGames, h.MaxGames)
		}
		if err := h.agrees(r); err != nil {
			return err
		}
		if err := r.Check(); err != nil { // such as invalid tags
			return record.At(s, 0, fmt.Errorf("game %d: %w", len(list)+1, err))
		}
		list = append(list, r)
		return nil
	})
	if err != nil {
		return nil, f.Name, nil, err
	}
	return list, f.Name, left, nil
}

// detect detects the format of a text.
func detect(text string, h Hint) (Format, error) {
	if h.Format != "" {
		return ByName(h.Format)
	}
	if strings.TrimSpace(text) == "" && h.Game == "" {
		return Format{}, record.At(text, len(text), fmt.Errorf("an empty text: expected a game in one of the formats %s", game.Alternatives(Names())))
	}
	for _, f := range All() {
		if f.is != nil && f.is(text, h) {
			return f, nil
		}
	}
	return ByName("moves")
}

// agrees returns an error if a record contradicts the hint.
func (h Hint) agrees(r *record.Record) error {
	if h.Game != "" && h.Game != r.Game.Name {
		return fmt.Errorf("the text is a game of %s, not of %s as requested", r.Game.Name, h.Game)
	}
	for name, value := range h.Setup {
		o, ok := r.Game.Option(name)
		if !ok {
			return fmt.Errorf("%s has no option %q", r.Game.Name, name)
		}
		got, ok := r.Setup[name]
		if !ok {
			got = o.Default
		}
		if !sameList(got, value) {
			return fmt.Errorf("the text is a game with %s %q, expected %q as requested", name, got, value)
		}
	}
	return nil
}

// Write writes games in a format. It returns what it omitted. It fails if a record is
// invalid or the format cannot express it.
func Write(format string, list []*record.Record) (text []byte, left Omitted, err error) {
	f, err := ByName(format)
	if err != nil {
		return nil, nil, err
	}
	if f.single && len(list) > 1 {
		return nil, nil, fmt.Errorf("%s: a text holds one game, and these are %d: write one, or use another format", format, len(list))
	}
	for i, r := range list {
		var more Omitted
		if text, more, err = f.write(text, r); err != nil && len(list) > 1 {
			err = fmt.Errorf("game %d: %w", i+1, err)
		}
		if err != nil {
			return nil, nil, err
		}
		for _, what := range more {
			left.add(what)
		}
		if i+1 < len(list) && (format == "quintet" || format == "pgn") {
			text = append(text, '\n')
		}
	}
	return text, left, nil
}

// sameList reports whether two lists such as "a1,b2" have the same elements.
func sameList(a, b string) bool {
	return slices.Equal(slices.Sorted(slices.Values(strings.Split(a, ","))), slices.Sorted(slices.Values(strings.Split(b, ","))))
}

func isText(text string, _ Hint) bool { return firstTag(text) && hasTag(text, "Game") }

// isPGN accepts tags, and moves of chess that are numbered or not in library
// notation.
func isPGN(text string, h Hint) bool {
	start := strings.TrimSpace(text)
	switch {
	case firstTag(text):
		return true
	case h.Game == "chess":
		return start != "" && !isInteger(strings.Fields(start)[0]) && !libraryChess.MatchString(start)
	}
	return h.Game == "" && strings.HasPrefix(start, "1.")
}

// libraryChess matches moves of chess in library notation.
var libraryChess = regexp.MustCompile(`^(?i:[a-h][1-8][a-h][1-8]|pass)\b`)

// firstTag reports whether a text begins with a tag, possibly after comments.
func firstTag(text string) bool {
	text = strings.TrimSpace(text)
	for strings.HasPrefix(text, "%") || strings.HasPrefix(text, ";") {
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimSpace(text)
	}
	return strings.HasPrefix(text, "[")
}

// hasTag reports whether the first tags of a text include a name.
func hasTag(text, name string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok && strings.HasPrefix(strings.TrimSpace(rest), name+" ") {
			return true
		}
	}
	return false
}

func readText(text string, _ Hint, add addFunc) (Omitted, error) {
	return nil, record.ParseEach([]byte(text), add)
}

func writeText(text []byte, r *record.Record) ([]byte, Omitted, error) {
	text, err := r.Append(text)
	return text, nil, err
}

func readPGN(text string, _ Hint, add addFunc) (Omitted, error) {
	return nil, record.ParsePGNEach([]byte(text), add)
}

func writePGN(text []byte, r *record.Record) ([]byte, Omitted, error) {
	text, err := r.AppendPGN(text)
	return text, nil, err
}
