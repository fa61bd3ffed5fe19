package reversi

import (
	"fmt"
	"strings"
	"time"

	"quintet/game"
	"quintet/record/ggf"
)

// writeGGF returns a board as a GGF game without moves. left is the time on both
// clocks.
func writeGGF(cells []byte, size int, turn game.Side, left time.Duration) string {
	left = left.Round(time.Second)
	if left <= 0 {
		left = time.Hour // NBoard's games have a clock
	}
	return fmt.Sprintf("(;GM[Othello]PC[Quintet]PB[Black]PW[White]RE[?]TI[%d:%02d]TY[%d]BO[%s];)",
		left/time.Minute, left%time.Minute/time.Second, size, ggf.FormatBoard(cells, size, turn))
}

// ggfGame is a parsed GGF game.
type ggfGame struct {
	match *game.Match
	left  [2]time.Duration // on the clocks; 0 if unknown
}

// readGGF parses the first game of a text: its board, its moves and the clocks.
func readGGF(g game.Game, text string) (ggfGame, error) {
	tags, _, err := ggf.Split(text, 0)
	if err != nil {
		return ggfGame{}, err
	}
	var read ggfGame
	for _, t := range tags {
		switch t.Key {
		case "GM":
			if !strings.EqualFold(t.Value, "othello") {
				return read, fmt.Errorf("game of %q: expected GM[Othello]", t.Value)
			}
		case "TI":
			clock := ggf.Clock(t.Value)
			read.left = [2]time.Duration{clock, clock}
		case "BO":
			start, err := ggf.Board(g, t.Value)
			if err != nil {
				return read, err
			}
			if rows := ggf.Size(start); rows > 8 {
				return read, fmt.Errorf(`board of "%d" rows: expected 4, 6 or 8, as moves have two characters`, rows)
			}
			read.match = game.NewMatch(g, start)
		case "B", "W":
			if read.match == nil {
				return read, fmt.Errorf("move %s[%s]: expected the board BO[...] first", t.Key, t.Value)
			}
			if err := read.play(t.Value, t.Key == "W"); err != nil {
				return read, err
			}
		}
	}
	if read.match == nil {
		return read, fmt.Errorf("a game without a board: expected BO[8 ... *]")
	}
	return read, nil
}

// play plays a move such as "F5/1.20/3.5" and subtracts its time from the clock.
func (r *ggfGame) play(text string, byWhite bool) error {
	parts := ggf.SplitMove(text)
	p := r.match.Position()
	m, err := ggf.Parse(p, parts.Text)
	if err != nil {
		return fmt.Errorf("move %d: %w", len(r.match.Moves())+1, err)
	}
	side := p.Turn()
	if byWhite != (side == game.Second) {
		return fmt.Errorf("move %d, %s: it is the turn of %s", len(r.match.Moves())+1, parts.Text, gtpColours[side])
	}
	if err := r.match.Play(m); err != nil {
		return fmt.Errorf("playing %s: %w", parts.Text, err)
	}
	if took, ok := ggf.Seconds(parts.Time); ok && r.left[side] > 0 {
		r.left[side] = max(r.left[side]-took, time.Millisecond)
	}
	return nil
}
