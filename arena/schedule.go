package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quintet/game"
)

// Format is the pairing system.
type Format string

// The formats.
const (
	RoundRobin Format = "roundrobin" // all play all; also the zero Format
	Gauntlet   Format = "gauntlet"   // the first plays all others
)

// pairings lists the pairings as indices of entrants.
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

// schedule is the order of the games: in each round every pairing plays a pair of
// games from one opening. A shorter schedule is a prefix of a longer one.
type schedule struct {
	pairings [][2]int
	rounds   int
}

func newSchedule(o *Options) schedule {
	return schedule{o.Format.pairings(len(o.Entrants)), (o.Games + 1) / 2}
}

// games returns the number of games.
func (s schedule) games() int { return 2 * len(s.pairings) * s.rounds }

// pairing returns the index of the pairing that plays a game.
func (s schedule) pairing(number int) int { return number / 2 % len(s.pairings) }

// seats returns the entrants of a game by side. The first of the pairing moves first
// in the first game of a pair and second in the other.
func (s schedule) seats(number int) [2]int {
	p := s.pairings[s.pairing(number)]
	if number%2 == 1 {
		p[0], p[1] = p[1], p[0]
	}
	return p
}

// job is a unit of work: the games of a pair that remain to be played.
type job struct {
	opening Opening
	numbers []int
}

// dispatch sends the remaining games to the workers. It makes the openings itself,
// one at a time, when they are first needed.
func dispatch(ctx context.Context, o *Options, jobs chan<- job) error {
	defer close(jobs)
	s := newSchedule(o)
	played := map[int]Record{}
	for _, r := range o.Played {
		played[r.Number] = r
	}
	var j job
	for pair, made := 0, -1; pair < o.Pairs(); pair++ {
		j.numbers = nil
		for _, n := range []int{2 * pair, 2*pair + 1} {
			if _, ok := played[n]; !ok {
				j.numbers = append(j.numbers, n)
			}
		}
		if len(j.numbers) == 0 {
			continue
		}
		if round := pair / len(s.pairings); round != made {
			var err error
			if j.opening, err = o.PairOpening(ctx, pair); err != nil {
				return err
			}
			made = round
		}
		if other, ok := played[j.numbers[0]^1]; ok && !other.beganWith(j.opening) {
			return fmt.Errorf("game %d of the record has another opening than these settings give", other.Number+1)
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// beganWith reports whether a game was played from an opening.
func (r *Record) beganWith(o Opening) bool {
	return r.Start.String() == o.Start.String() && slices.Equal(r.Moves[:r.Opening], o.Moves)
}

// runWorker plays games until jobs is closed. It drops a game that the end of the
// context interrupted.
func runWorker(ctx context.Context, o *Options, worker int, jobs <-chan job, done chan<- Record) (err error) {
	p := newPairPlayer(o, worker)
	defer func() { err = errors.Join(err, p.Close()) }()
	for j := range jobs {
		for _, number := range j.numbers {
			r, err := p.play(ctx, j.opening, number)
			if err != nil {
				return err
			}
			if r.End == unfinished {
				return nil
			}
			done <- r
		}
	}
	return nil
}

// opening returns the opening of a round, truncated where it ends the game.
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
		if m.Over() {
			opening.Moves = opening.Moves[:i]
			break
		}
		if err := m.Play(mv); err != nil {
			return Opening{}, fmt.Errorf("playing it: %w", err)
		}
	}
	return opening, nil
}
