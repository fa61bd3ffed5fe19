package reversi

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"quintet/game"
)

// ggfLetters are the letters of GGF for ours.
var ggfLetters = strings.NewReplacer(string(black), "*", string(white), "O", string(empty), "-")

// writeGGF writes a board of so many rows as a game without moves in GGF, the
// Generic Game Format of the server GGS. Left is on the clocks.
func writeGGF(cells []byte, size int, turn game.Side, left time.Duration) string {
	left = left.Round(time.Second)
	if left <= 0 {
		left = time.Hour // NBoard's games have a clock
	}
	return fmt.Sprintf("(;GM[Othello]PC[Quintet]PB[Black]PW[White]RE[?]TI[%d:%02d]TY[%d]BO[%d %s %s];)",
		left/time.Minute, left%time.Minute/time.Second, size, size, ggfLetters.Replace(string(cells)), [2]string{"*", "O"}[turn])
}

// ggfGame is what is read of a game in GGF.
type ggfGame struct {
	match *game.Match
	left  [2]time.Duration // on the clocks; 0 if they are not told
}

// ggfTag is one of a game's tags: KEY[value].
type ggfTag struct{ key, value string }

// readGGF reads the first game of a text: its board, its moves and what is left
// on the clocks.
func readGGF(g game.Game, text string) (ggfGame, error) {
	tags, err := ggfTags(text)
	if err != nil {
		return ggfGame{}, err
	}
	var read ggfGame
	for _, t := range tags {
		switch t.key {
		case "GM":
			if !strings.EqualFold(t.value, "othello") {
				return read, fmt.Errorf("game of %q: want GM[Othello]", t.value)
			}
		case "TI":
			clock := ggfClock(t.value)
			read.left = [2]time.Duration{clock, clock}
		case "BO":
			start, err := ggfBoard(g, t.value)
			if err != nil {
				return read, err
			}
			read.match = game.NewMatch(g, start)
		case "B", "W":
			if read.match == nil {
				return read, fmt.Errorf("move %s[%s]: want the board BO[...] first", t.key, t.value)
			}
			if err := read.move(t); err != nil {
				return read, err
			}
		}
	}
	if read.match == nil {
		return read, fmt.Errorf("a game without a board: want BO[8 ... *]")
	}
	return read, nil
}

// ggfTags splits "(;KEY[value]KEY[value];)".
func ggfTags(text string) (tags []ggfTag, err error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "(;")
	if !ok {
		return nil, fmt.Errorf("a game that begins with %.10q: want (;", text)
	}
	for {
		rest = strings.TrimLeft(rest, " ;")
		if strings.HasPrefix(rest, ")") {
			return tags, nil
		}
		key, value, ok1 := strings.Cut(rest, "[")
		value, after, ok2 := strings.Cut(value, "]")
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("a game with %.20q: want KEY[value], and ;) at the end", rest)
		}
		tags, rest = append(tags, ggfTag{strings.TrimSpace(key), value}), after
	}
}

// ggfBoard reads "8 ---...--- *": rows, cells from the top left, the side to
// move.
func ggfBoard(g game.Game, value string) (game.Position, error) {
	words := strings.Fields(value)
	if len(words) < 3 {
		return nil, fmt.Errorf("board %q: want the number of rows, the cells and the side to move", value)
	}
	var size int
	if _, err := fmt.Sscan(words[0], &size); err != nil || size != 4 && size != 6 && size != 8 {
		return nil, fmt.Errorf("board of %q rows: want 4, 6 or 8, as moves have two characters", words[0])
	}
	letters := []byte(strings.Join(words[1:len(words)-1], ""))
	if len(letters) != size*size {
		return nil, fmt.Errorf("board of %d cells: want %d", len(letters), size*size)
	}
	for i, letter := range letters {
		at := bytes.IndexByte([]byte("*O-"), letter)
		if at < 0 {
			return nil, fmt.Errorf("cell %q: want * for black, O for white, - for empty", letter)
		}
		letters[i] = [3]byte{black, white, empty}[at]
	}
	switch words[len(words)-1] {
	case "*":
		return readCells(g, letters, size, game.First)
	case "O":
		return readCells(g, letters, size, game.Second)
	}
	return nil, fmt.Errorf("side to move %q: want * or O", words[len(words)-1])
}

// move plays B[F5/1.20/3.5]: a move, its value and the seconds it took.
func (r *ggfGame) move(t ggfTag) error {
	return r.play(t.value, t.key == "W")
}

// play plays a move with what may follow it, and takes its time off the clock.
func (r *ggfGame) play(text string, byWhite bool) error {
	parts := strings.Split(strings.TrimSpace(text), "/")
	p := r.match.Position()
	m, err := parse(p, parts[0])
	if err != nil {
		return fmt.Errorf("move %d: %w", len(r.match.Moves())+1, err)
	}
	side := p.Turn()
	if byWhite != (side == game.Second) {
		return fmt.Errorf("move %d, %s: it is the turn of %s", len(r.match.Moves())+1, parts[0], gtpColours[side])
	}
	if err := r.match.Play(m); err != nil {
		return fmt.Errorf("playing %s: %w", parts[0], err)
	}
	if took, ok := seconds(parts[len(parts)-1]); ok && len(parts) == 3 && r.left[side] > 0 {
		r.left[side] = max(r.left[side]-took, time.Millisecond)
	}
	return nil
}

// ggfClock reads the first part of "15:00/00:00/02:00": hours, minutes and
// seconds of a game. 0 stands for none.
func ggfClock(value string) (left time.Duration) {
	first, _, _ := strings.Cut(value, "/")
	for part := range strings.SplitSeq(first, ":") {
		s, ok := seconds(strings.TrimSpace(part))
		if !ok || left > time.Hour {
			return 0
		}
		left = left*60 + s
	}
	return left
}
