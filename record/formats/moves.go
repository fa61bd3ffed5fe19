package formats

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/record"
	"quintet/record/ggf"
)

// blanks separate words.
const blanks = " \t\n\v\f\r"

// word is a word of a text and its offset.
type word struct {
	text string
	at   int
}

// words splits a text between two offsets into words.
func words(text string, from, to int) (list []word) {
	for at := from; at < to; {
		rest := text[at:to]
		skip := len(rest) - len(strings.TrimLeft(rest, blanks))
		rest = rest[skip:]
		n := strings.IndexAny(rest, blanks)
		if n < 0 {
			n = len(rest)
		}
		if n > 0 {
			list = append(list, word{rest[:n], at + skip})
		}
		at += skip + n
	}
	return list
}

// readMoves parses moves in library notation, and transcripts of Othello.
func readMoves(text string, h Hint, add addFunc) (Omitted, error) {
	if h.Game == "" && isCellRun(text) {
		h.Game = "othello"
	}
	g, err := h.game()
	if err != nil {
		return nil, err
	}
	if g.Name == "othello" {
		return nil, readCells(text, g, h.Setup, add)
	}
	r, err := record.New(g, h.Setup)
	if err != nil {
		return nil, err
	}
	b := newPlayer(text, r)
	for _, w := range words(text, 0, len(text)) {
		if isNumber(w.text) {
			continue
		}
		if err := b.play(w); err != nil {
			return nil, err
		}
	}
	b.finish()
	return nil, add(r)
}

// isNumber reports whether a word is a move number: "12" or "12.".
func isNumber(text string) bool {
	digits := strings.TrimRight(text, ".")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// player plays moves into a record.
type player struct {
	text   string
	r      *record.Record
	cursor *record.Cursor
	at     *record.Node
	pos    game.Position // of the cursor

	mirror ggf.Mirrored // the text
}

func newPlayer(text string, r *record.Record) *player {
	cursor := record.NewCursor(r.Game, r.Start)
	return &player{text: text, r: r, cursor: cursor, at: r.Root, pos: cursor.Position()}
}

// name formats a move as in the text.
func (b *player) name(m game.Move) string {
	return b.pos.Format(b.mirror.Move(m, ggf.Size(b.r.Start)))
}

// ours returns the name of a cell in our orientation.
func (b *player) ours(name string) string { return b.mirror.Name(name, ggf.Size(b.r.Start)) }

// play plays a word in library notation.
func (b *player) play(w word) error {
	mv, err := b.pos.Parse(w.text)
	if err == nil {
		err = b.move(mv)
	} else if o := b.cursor.Outcome(); o.Result.Over() {
		err = fmt.Errorf("%q: the game is already over (%s)", w.text, o.Reason)
	}
	if err != nil {
		return record.At(b.text, w.at, record.WithLegalMoves(err, b.pos, b.name))
	}
	return nil
}

// move plays a move.
func (b *player) move(mv game.Move) error {
	if err := b.cursor.Play(mv); err != nil {
		if o := b.cursor.Outcome(); errors.Is(err, game.ErrOver) {
			err = fmt.Errorf("%w (%s)", err, o.Reason)
		}
		return err
	}
	b.at = b.at.Add(mv)
	return nil
}

// finish sets the result after the last move.
func (b *player) finish() {
	o := b.cursor.Outcome()
	b.r.Result, b.r.End = o.Result, record.End(o.Reason)
}

// mustPass reports whether a pass is the only legal move.
func (b *player) mustPass() bool {
	legal := b.cursor.Legal()
	return len(legal) == 1 && legal[0] == game.Pass
}

// isCellRun reports whether a text is an Othello transcript: concatenated cells that
// begin with a legal first move.
func isCellRun(text string) bool {
	cells, err := splitCells(text, 0, len(text))
	return err == nil && len(cells) > len(words(text, 0, len(text))) &&
		slices.Contains([]string{"d3", "c4", "f5", "e6", "e3", "f4", "c5", "d6"}, strings.ToLower(cells[0].text))
}

// splitCells splits cells that may be concatenated: "f5d6 c3".
func splitCells(text string, from, to int) (list []word, err error) {
	for _, w := range words(text, from, to) {
		if isNumber(w.text) {
			continue
		}
		for at := 0; at < len(w.text); {
			n := cellLen(w.text[at:])
			if n == 0 {
				return nil, record.At(text, w.at+at, fmt.Errorf("%.10q: expected a cell such as f5, or pass", w.text[at:]))
			}
			list = append(list, word{w.text[at : at+n], w.at + at})
			at += n
		}
	}
	return list, nil
}

// cellLen returns the length of the cell or pass at the start of a text; 0 if there
// is none.
func cellLen(text string) int {
	lower := strings.ToLower(text[:min(len(text), len(game.PassText))]) // the rest of a long line would take long
	for _, pass := range []string{game.PassText, "pa", "ps", "--"} {
		if strings.HasPrefix(lower, pass) {
			return len(pass)
		}
	}
	n := 1
	for n < len(text) && n < 3 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n < 2 || lower[0] < 'a' || lower[0] > 'z' {
		return 0
	}
	return n
}

// readCells parses games of Othello. It mirrors a game whose first move is legal only
// in the standard orientation. Each line of concatenated cells is a game.
func readCells(text string, g game.Game, s game.Setup, add addFunc) error {
	start, n, lines := 0, 0, perLine(text)
	for start < len(text) {
		end := len(text)
		if line := strings.IndexByte(text[start:], '\n'); line >= 0 && lines {
			end = start + line
		}
		cells, err := splitCells(text, start, end)
		if err != nil {
			return err
		}
		if len(cells) > 0 {
			r, err := readGame(text, cells, g, s)
			if err == nil {
				n, err = n+1, add(r)
			}
			if err != nil {
				return err
			}
		}
		start = end + 1
	}
	if n > 0 {
		return nil
	}
	r, err := record.New(g, s)
	if err != nil {
		return err
	}
	return add(r)
}

// perLine reports whether every line of a text is a separate game: no line has two
// words.
func perLine(text string) bool {
	for line := range strings.Lines(text) {
		cells, err := splitCells(line, 0, len(line))
		if len(strings.Fields(line)) > 1 || err != nil || len(cells) == 1 {
			return false
		}
	}
	return true
}

// readGame parses one game of Othello.
func readGame(text string, cells []word, g game.Game, s game.Setup) (*record.Record, error) {
	r, err := record.New(g, s)
	if err != nil {
		return nil, err
	}
	b := newPlayer(text, r)
	_, usual := ggf.Parse(b.pos, cells[0].text)
	_, mirrored := ggf.Parse(b.pos, ggf.Mirrored(true).Name(cells[0].text, ggf.Size(r.Start)))
	b.mirror = usual != nil && mirrored == nil && s["pits"] == ""
	for _, c := range cells {
		name := strings.ToLower(c.text)
		if cellName := name != game.PassText && name != "pa" && name != "ps" && name != "--"; cellName {
			if b.mustPass() { // transcripts omit passes
				if err := b.move(game.Pass); err != nil {
					return nil, record.At(text, c.at, err)
				}
			}
			name = b.ours(name)
		} else {
			name = game.PassText
		}
		if err := b.cell(name, c); err != nil {
			return nil, err
		}
	}
	b.finish()
	return r, nil
}

// cell plays a cell of Othello by its name in our orientation. The error has the name
// as written in the text.
func (b *player) cell(name string, c word) error {
	if _, err := b.pos.Parse(name); errors.Is(err, game.ErrIllegal) && !b.cursor.Outcome().Result.Over() {
		err = fmt.Errorf("move %q: %w", c.text, game.ErrIllegal)
		return record.At(b.text, c.at, record.WithLegalMoves(err, b.pos, b.name))
	}
	return b.play(word{name, c.at})
}

func writeMoves(text []byte, r *record.Record) ([]byte, Omitted, error) {
	if err := r.Check(); err != nil {
		return nil, nil, err
	}
	left, err := movesOnly("moves", r)
	if err != nil {
		return nil, nil, err
	}
	return append(append(text, r.Moves()...), '\n'), left, nil
}

// writeTranscript writes the cells of a game of Othello in the standard orientation.
func writeTranscript(text []byte, r *record.Record) ([]byte, Omitted, error) {
	if err := checkStandardOthello("transcript", r); err != nil {
		return nil, nil, err
	}
	left, err := movesOnly("transcript", r)
	if err != nil {
		return nil, nil, err
	}
	size := ggf.Size(r.Start)
	main := r.Main()
	for i, n := range main {
		switch {
		case n.Move != game.Pass:
			text = append(text, r.Start.Format(ggf.Of(r.Start).Move(n.Move, size))...)
		case i == len(main)-1: // the moves imply all other passes
			text = append(text, "pa"...)
		}
	}
	return append(text, '\n'), left, nil
}

// checkStandardOthello returns an error unless the game is Othello without pits.
func checkStandardOthello(format string, r *record.Record) error {
	if err := r.Check(); err != nil {
		return err
	}
	if r.Game.Name != "othello" {
		return fmt.Errorf("%s: supports only Othello, and this is %s", format, r.Game.Name)
	}
	for _, c := range r.Start.Board().Cells {
		if c.Kind == game.Pit {
			return fmt.Errorf("%s: the board has pits, which the format cannot express: use quintet or console", format)
		}
	}
	return nil
}
