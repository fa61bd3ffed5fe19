// Package jobtypes has the types of jobs of a farm: matches, exact values of positions,
// and reviews of games.
//
// [All] returns them. Each has settings, which a client sends and anyone may have
// written, and a result, which the client reads.
package jobtypes

import (
	"fmt"
	"strings"
	"time"

	"quintet/farm"
	"quintet/game"
)

// All returns all types of jobs. The arguments are those of [Match].
func All(maker MakePlayer, value Evaluator) farm.Kinds {
	return farm.Kinds{
		MatchName: Match(maker, value), SolveName: Solve, ReviewName: Review,
	}
}

// memoryOfSearch is what a slot needs beside a transposition table, in megabytes: the
// weights of an evaluation, and a game.
const memoryOfSearch = 16

// ReadLine parses a line of legal moves that are separated by blanks.
func ReadLine(p game.Position, line string) (moves []game.Move, err error) {
	at := p.Clone()
	for i, text := range strings.Fields(line) {
		if at.Result().Over() {
			return nil, fmt.Errorf("move %d of the line: the game is over", i+1)
		}
		m, err := at.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("move %d of the line: %w", i+1, err)
		}
		moves = append(moves, m)
		at.Play(m)
	}
	return moves, nil
}

// FormatLine writes a line of moves, as far as they are legal: ReadLine must take it.
func FormatLine(p game.Position, moves []game.Move) string {
	at := p.Clone()
	words := make([]string, 0, len(moves))
	for _, m := range moves {
		if at.Result().Over() || !game.Legal(at, m) {
			break
		}
		words = append(words, at.Format(m))
		at.Play(m)
	}
	return strings.Join(words, " ")
}

// slowest is how many nodes a second a machine visits at least.
const slowest = 10_000

// stepTime is how long a search of the given number of nodes may take on a slow machine.
func stepTime(nodes uint64) time.Duration {
	return time.Duration(min(nodes/slowest, 3600)) * time.Second
}
