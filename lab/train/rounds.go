package train

// This file reads the rounds of a training run of Othello from text.

import (
	"fmt"
	"strconv"
	"strings"
)

// Bounds of rounds. One game in 20 is held out; a game has 60 plies.
const (
	minGames  = 20
	maxGames  = 1_000_000_000
	maxPlies  = 60
	maxRounds = 100
)

// roundForm is the form of a round.
const roundForm = "GAMES/DEPTH/EXACT/RIDGE/LAMBDA/WINDOW"

// parseRounds returns the rounds of a training run.
func (t *othelloTrainer) parseRounds() (rounds []Round, err error) {
	if t.rounds == "" {
		return Rounds(), nil
	}
	list := strings.Split(t.rounds, ",")
	if len(list) > maxRounds {
		return nil, fmt.Errorf("%d rounds: expected at most %d", len(list), maxRounds)
	}
	for i, one := range list {
		f := roundFields{left: strings.Split(one, "/")}
		if len(f.left) != strings.Count(roundForm, "/")+1 {
			return nil, fmt.Errorf("round %q: expected %s", one, roundForm)
		}
		rounds = append(rounds, Round{
			Games: f.whole("games", minGames, maxGames), Depth: f.whole("depth", 1, maxPlies), Exact: f.whole("exact", 1, maxPlies),
			Ridge: f.number("ridge", 1e-9, 1e9), Lambda: f.number("lambda", 0, 1), Window: f.whole("window", 1, i+1),
		})
		if f.err != nil {
			return nil, fmt.Errorf("round %q: %w", one, f.err)
		}
	}
	return rounds, nil
}

// roundFields are the fields of a round that have not been parsed yet, and the first error.
type roundFields struct {
	left []string
	err  error
}

// whole parses the next field, a whole number.
func (f *roundFields) whole(name string, least, most int) int {
	n, err := strconv.Atoi(f.left[0])
	if (err != nil || n < least || n > most) && f.err == nil {
		f.err = fmt.Errorf("%s %q: expected a whole number from %d to %d", name, f.left[0], least, most)
	}
	f.left = f.left[1:]
	return n
}

// number parses the next field, a number.
func (f *roundFields) number(name string, least, most float64) float64 {
	x, err := strconv.ParseFloat(f.left[0], 64)
	if (err != nil || !(x >= least && x <= most)) && f.err == nil {
		f.err = fmt.Errorf("%s %q: expected %g to %g", name, f.left[0], least, most)
	}
	f.left = f.left[1:]
	return x
}
