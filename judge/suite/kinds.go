package suite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"quintet/judge/dialogue"
)

// kind is a style of random games.
type kind struct {
	name   string
	start  func(p dialogue.Program, r *rand.Rand) []string // input before the first move
	choose policy
	noise  float64 // probability of an invalid answer before a move
	stop   float64 // probability of Z0 Z0 at a chess move
	plies  int     // maximum number of moves
}

// play plays a game.
func (k kind) play(p dialogue.Program, r *rand.Rand) Game {
	var start, typed []string
	if k.start != nil {
		start = k.start(p, r)
	}
	moves := 0
	p.Lead(func(c dialogue.Choice) (line string, ok bool) {
		switch {
		case len(typed) < len(start):
			line, ok = start[len(typed)], true
		case c.Legal == nil:
			line, ok = "0", true
		case moves < k.plies:
			line, ok = k.answer(p, c, r, &moves)
		}
		if ok {
			typed = append(typed, line)
		}
		return line, ok
	})
	return Game{k.name, typed}
}

// answer returns an answer to a prompt for a move, and counts the moves.
func (k kind) answer(p dialogue.Program, c dialogue.Choice, r *rand.Rand, moves *int) (string, bool) {
	if r.Float64() < k.noise {
		if line, ok := refused(p, c, r); ok {
			if legal := c.Legal(); p.Game == "chess" && r.IntN(6) == 0 && len(legal) > 0 {
				line += " " + legal[r.IntN(len(legal))]
			}
			return line, true
		}
	}
	*moves++
	if p.Game == "chess" && r.Float64() < k.stop {
		return "Z0 Z0", true
	}
	legal := c.Legal()
	if len(legal) == 0 {
		return "", false
	}
	return written(p, k.choose(c, legal, r), r), true
}

// written returns an answer in one of its spellings: a letter of either case.
func written(p dialogue.Program, line string, r *rand.Rand) string {
	if (p.Game == "othello" || p.Game == "chess") && r.IntN(6) == 0 {
		return strings.ToLower(line)
	}
	return line
}

// byHand are handmade games for mistakes that random games do not find: castling, a pawn's
// double step over a piece.
var byHand = map[string][]Game{
	"chess": {
		{"castles", []string{"1", "G7 G6", "A2 A3", "F8 G7", "B2 B3", "G8 F6", "C2 C3", "E8 G8"}},
		{"pawn-leaps", []string{"1", "G8 F6", "A2 A3", "F7 F5"}},
		{"knight-straight", []string{"1", "G8 G5", "B8 B5", "G8 F6"}},
	},
}

// refused returns an illegal answer.
func refused(p dialogue.Program, c dialogue.Choice, r *rand.Rand) (string, bool) {
	for range 30 {
		line := malformed(p, r)
		if c.Why(line) != "" {
			return line, true
		}
	}
	return "", false
}

// malformed returns a malformed answer that the specification covers.
func malformed(p dialogue.Program, r *rand.Rand) string {
	n := p.Size
	letter := func(first byte) string { return string(first + byte(r.IntN(n))) }
	switch p.Game {
	case "othello":
		if r.IntN(8) == 0 {
			return fmt.Sprintf("%c%d", "AaZz"[r.IntN(4)], 1+r.IntN(26))
		}
		return fmt.Sprint(letter("Aa"[r.IntN(2)]), 1+r.IntN(min(n+1, 26)))
	case "connect6":
		if r.IntN(4) == 0 {
			return []string{"b4", "H300", "H-1", "Z0", "a0", "A99", fmt.Sprint("A", n), fmt.Sprintf("%c0", 'A'+min(n, 25))}[r.IntN(8)]
		}
		return fmt.Sprint(letter('A'), r.IntN(n))
	case "chess":
		if r.IntN(8) == 0 {
			return []string{"z0 z0", "Z0 A1", "I9 A9", "A9 A8", "E2 E26", "Z1 Z1", "E2 I2"}[r.IntN(7)]
		}
		first := "Aa"[r.IntN(2)]
		return fmt.Sprint(letter(first), 1+r.IntN(n), " ", letter(first), 1+r.IntN(n))
	}
	if r.IntN(8) == 0 {
		return []string{"E0 f1", "d0 F2", "k0 k1", "d8 d4", "d0 d9", "a10 b1", "b7 c33", "a-1 b1", "aa bb", "1a 2b", "x y"}[r.IntN(11)]
	}
	return fmt.Sprint(letter('a'), r.IntN(n), " ", letter('a'), r.IntN(n))
}

// kinds returns the styles of the twelve random games in order of use.
func kinds(p dialogue.Program) []kind {
	list := kindsOf(p)
	for n := 0; len(list) < 12; n++ {
		list = append(list, list[n])
	}
	return list
}

// kindsOf lists the styles by game.
func kindsOf(p dialogue.Program) []kind {
	switch p.Game {
	case "othello":
		return []kind{
			{"random", pits(0, 0), anyMove, .15, 0, 1000}, {"pits", pits(1, p.Size), anyMove, .2, 0, 1000},
			{"many pits", pits(p.Size, p.Size*p.Size/2), anyMove, .2, 0, 1000}, {"greedy", pits(0, 3), mostEnemy, .1, 0, 1000},
			{"pits to the limit", pits(p.Size*p.Size/2, p.Size*p.Size/2), anyMove, .1, 0, 1000}, {"corners", pits(0, 0), lastMove, 0, 0, 1000},
			{"pits around", pitsAround, anyMove, .1, 0, 1000},
		}
	case "connect6":
		return []kind{
			{"line", nil, lineMove, .05, 0, 400}, {"pattern", nil, patternMove, .02, 0, 1000}, {"lines", nil, eitherLine, .1, 0, 400},
			{"short line", nil, lineMove, .2, 0, 400}, {"random", nil, anyMove, .3, 0, 40},
		}
	case "chess":
		return []kind{
			{"random", mode(1), anyMove, .2, .01, 300}, {"captures", mode(1), takes, .1, 0, 300}, {"stopped", mode(1), takes, .2, .08, 300},
			{"pawns", mode(1), pawns, .2, .01, 200}, {"person and machine", mode(2), anyMove, 0, .05, 60}, {"machines", mode(3), anyMove, 0, 0, 0},
			{"short", mode(1), anyMove, .5, .1, 40},
		}
	}
	return []kind{
		{"gather", nil, gather(1, 1), .1, 0, 400}, {"captures", nil, takes, .1, 0, 600}, {"gather black", nil, gather(1, 0), .1, 0, 400},
		{"gather white", nil, gather(0, 1), .1, 0, 400}, {"apart", nil, gather(-1, -1), .05, 0, 300}, {"random", nil, anyMove, .2, 0, 300},
		{"gather and take", nil, gather(3, 1), .05, 0, 300}, {"take to the last", nil, gather(4, 4), 0, 0, 400}, {"apart and take", nil, gather(5, 5), 0, 0, 400},
	}
}

func mode(n int) func(dialogue.Program, *rand.Rand) []string {
	return func(dialogue.Program, *rand.Rand) []string { return []string{fmt.Sprint(n)} }
}

// pits enters a random number of pits and their cells; sometimes a number that is too
// large first.
func pits(least, most int) func(dialogue.Program, *rand.Rand) []string {
	return func(p dialogue.Program, r *rand.Rand) (lines []string) {
		n := least + r.IntN(most-least+1)
		limit := p.Size * p.Size / 2
		if n > 0 && r.IntN(3) == 0 {
			lines = append(lines, fmt.Sprint(limit+1+r.IntN(3)))
		}
		lines = append(lines, fmt.Sprint(n))
		dug := 0
		given := slices.Clone(lines)
		p.Lead(func(c dialogue.Choice) (line string, ok bool) {
			switch {
			case len(given) > 0:
				line, given = given[0], given[1:]
				return line, true
			case dug == n:
				return "", false
			case r.IntN(8) == 0:
				line, ok = refused(p, c, r)
			}
			if !ok {
				legal := c.Legal()
				line = legal[r.IntN(len(legal))]
				dug++
			}
			lines = append(lines, line)
			return line, true
		})
		return lines
	}
}

// pitsAround puts pits around the start, so that a side has to pass soon.
func pitsAround(p dialogue.Program, r *rand.Rand) (lines []string) {
	h := p.Size / 2
	var cells []string
	for row := h - 1; row <= h+2; row++ {
		for col := h - 2; col <= h+1; col++ {
			if (row < h || row > h+1 || col < h-1 || col > h) && r.IntN(4) > 0 && len(cells) < p.Size*p.Size/2 {
				cells = append(cells, fmt.Sprintf("%c%d", 'A'+col, row))
			}
		}
	}
	return append([]string{fmt.Sprint(len(cells))}, cells...)
}

// unspecified returns games with input whose answer the specification does not define.
func unspecified(p dialogue.Program) []Game {
	switch p.Game {
	case "othello":
		return []Game{{"unspecified", []string{"x", "-1", "A3.14", "#a2", "abc", "AA1"}}}
	case "connect6":
		return []Game{{"unspecified", []string{"AA5", "hello", "A1.5", "B05"}}}
	case "chess":
		return []Game{{"unspecified", []string{"1", "hello there", "E7 E5.0", "##", "E7x5"}}}
	}
	return nil
}
