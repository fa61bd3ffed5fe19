package arena

import (
	"context"
	"fmt"
	"slices"

	"quintet/game"
)

// Format says who plays whom.
type Format string

// The formats.
const (
	RoundRobin Format = "roundrobin" // everybody plays everybody; the zero Format is one, too
	Gauntlet   Format = "gauntlet"   // the first plays everybody else
)

// pairings lists who plays whom, as indices of so many entrants.
func (f Format) pairings(entrants int) (list [][2]int) {
	last := entrants - 1
	if f == Gauntlet {
		last = 1
	}
	for a := range last {
		for b := a + 1; b < entrants; b++ {
			list = append(list, [2]int{a, b})
		}
	}
	return list
}

// schedule is the order of the games: in a round every pairing plays a pair of
// games from one opening. Longer schedules begin like shorter ones.
type schedule struct {
	pairings [][2]int
	rounds   int
}

func newSchedule(o *Options) schedule {
	return schedule{o.Format.pairings(len(o.Entrants)), (o.Games + 1) / 2}
}

// games returns the number of games.
func (s schedule) games() int { return 2 * len(s.pairings) * s.rounds }

// pairing returns whose game a number is, as an index of pairings.
func (s schedule) pairing(number int) int { return number / 2 % len(s.pairings) }

// seats returns the entrants of a game by side: the first of the pairing has
// the first side in the first game of a pair, and the second in the other.
func (s schedule) seats(number int) [2]int {
	p := s.pairings[s.pairing(number)]
	if number%2 == 1 {
		p[0], p[1] = p[1], p[0]
	}
	return p
}

// job is what a worker does at a time: the games of a pair that have not been
// played.
type job struct {
	opening Opening
	numbers []int
}

// feed hands out the games that have not been played. Openings are made here,
// one after the other, each when it is needed first.
func feed(ctx context.Context, o *Options, jobs chan<- job) error {
	defer close(jobs)
	s := newSchedule(o)
	played := map[int]Record{}
	for _, r := range o.Played {
		played[r.Number] = r
	}
	for round := range s.rounds {
		list := s.missing(round, played)
		if len(list) == 0 {
			continue
		}
		opening, err := o.opening(ctx, round)
		if err != nil {
			return fmt.Errorf("opening %d: %w", round+1, err)
		}
		for _, j := range list {
			j.opening = opening
			if err := j.check(played); err != nil {
				return err
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return nil
			}
		}
	}
	return nil
}

// missing lists the games of a round that have not been played, by pairs.
func (s schedule) missing(round int, played map[int]Record) (list []job) {
	for i := range s.pairings {
		first := 2 * (round*len(s.pairings) + i)
		var j job
		for _, n := range []int{first, first + 1} {
			if _, ok := played[n]; !ok {
				j.numbers = append(j.numbers, n)
			}
		}
		if len(j.numbers) > 0 {
			list = append(list, j)
		}
	}
	return list
}

// check refuses a pair of which one game has been played from another opening
// than the one that has been made now.
func (j job) check(played map[int]Record) error {
	other, ok := played[j.numbers[0]^1]
	if ok && (other.Start.String() != j.opening.Start.String() || !slices.Equal(other.Moves[:other.Opening], j.opening.Moves)) {
		return fmt.Errorf("game %d of the record has another opening than these settings make now", other.Number+1)
	}
	return nil
}

// opening returns the opening of a round, cut where it ends the game.
func (o *Options) opening(ctx context.Context, round int) (Opening, error) {
	if o.Openings == nil {
		return Opening{Start: o.Start}, nil
	}
	opening, err := o.Openings(ctx, round)
	if err != nil {
		return Opening{}, err
	}
	m := game.NewMatch(o.Game, opening.Start)
	for i, mv := range opening.Moves {
		if m.Outcome().Result.Over() {
			opening.Moves = opening.Moves[:i]
			break
		}
		if err := m.Play(mv); err != nil {
			return Opening{}, fmt.Errorf("playing it: %w", err)
		}
	}
	return opening, nil
}
