package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"quintet/engine"
)

// Pairs returns the number of pairs of a run. Pair n is games 2n and 2n+1.
func (o *Options) Pairs() int { return newSchedule(o).games() / 2 }

// PairPlayer plays the pairs of a run one by one, in any order. It plays them as Run
// does: a game depends on the options and its number alone. It is not safe for
// concurrent use.
type PairPlayer struct {
	o       *Options
	worker  int             // its number
	players []engine.Player // of the entrants; nil until they are needed
}

// NewPairPlayer returns a player of pairs. Close closes its players.
func NewPairPlayer(o *Options) (*PairPlayer, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	return newPairPlayer(o, 0), nil
}

func newPairPlayer(o *Options, worker int) *PairPlayer {
	return &PairPlayer{o, worker, make([]engine.Player, len(o.Entrants))}
}

// Play plays a pair. Its error wraps that of the context if the context ends first.
func (p *PairPlayer) Play(ctx context.Context, pair int) (games [2]Record, err error) {
	if pair < 0 || pair >= p.o.Pairs() {
		return games, fmt.Errorf("pair %d: expected one from 0 to %d", pair, p.o.Pairs()-1)
	}
	opening, err := p.o.PairOpening(ctx, pair)
	if err != nil {
		return games, err
	}
	for i := range games {
		if games[i], err = p.play(ctx, opening, 2*pair+i); err != nil {
			return games, err
		}
		if games[i].End == unfinished {
			return games, fmt.Errorf("playing game %d: %w", 2*pair+i+1, context.Cause(ctx))
		}
	}
	return games, nil
}

// play plays a game of the schedule.
func (p *PairPlayer) play(ctx context.Context, opening Opening, number int) (Record, error) {
	seats, o := p.o.Seats(number), p.o
	t := gameRunner{
		game: o.Game, opening: opening, adjudicate: o.Adjudicate, now: o.Now, moved: o.Moved, worker: p.worker,
		record: Record{Number: number, Players: seats, Seed: o.Seed + uint64(number)},
	}
	if t.now == nil {
		t.now = time.Now
	}
	for side, i := range seats {
		player, err := p.player(i)
		if err != nil {
			return Record{}, err
		}
		t.players[side], t.limits[side] = player, o.Entrants[i].Limit
	}
	return t.play(ctx), nil
}

// player returns the player of an entrant, and creates it on first use.
func (p *PairPlayer) player(i int) (engine.Player, error) {
	if p.players[i] == nil {
		player, err := p.o.Entrants[i].Make()
		if err != nil {
			return nil, fmt.Errorf("making player %s: %w", p.o.Entrants[i].Name, err)
		}
		p.players[i] = player
	}
	return p.players[i], nil
}

// Close closes the players.
func (p *PairPlayer) Close() (err error) {
	for i, player := range p.players {
		if player == nil {
			continue
		}
		if failed := player.Close(); failed != nil {
			err = errors.Join(err, fmt.Errorf("closing player %s: %w", p.o.Entrants[i].Name, failed))
		}
	}
	return err
}

// PairOpening returns the opening of a pair.
func (o *Options) PairOpening(ctx context.Context, pair int) (Opening, error) {
	round := pair / len(newSchedule(o).pairings)
	opening, err := o.opening(ctx, round)
	if err != nil {
		return Opening{}, fmt.Errorf("opening %d: %w", round+1, err)
	}
	return opening, nil
}

// CheckPair returns an error if the games are not a pair that these options play. It
// compares the opening with want, or, if want is nil, the openings of both games.
// It does not play the moves again.
func (o *Options) CheckPair(pair int, games [2]Record, want *Opening) error {
	if want == nil {
		want = &Opening{Start: games[0].Start, Moves: games[0].Moves[:games[0].Opening]}
	}
	s := newSchedule(o)
	for i, r := range games {
		number := 2*pair + i
		switch {
		case r.Number != number:
			return fmt.Errorf("game %d: expected game %d", r.Number+1, number+1)
		case r.Players != s.seats(number):
			return fmt.Errorf("game %d has the players of another game", number+1)
		case r.Seed != o.Seed+uint64(number):
			return fmt.Errorf("game %d has seed %d: expected %d", number+1, r.Seed, o.Seed+uint64(number))
		case !r.beganWith(*want):
			return fmt.Errorf("game %d has another opening than the settings give", number+1)
		case len(r.Moves) > max(o.Adjudicate.maxPlies(), r.Opening):
			return fmt.Errorf("game %d has %d plies: expected at most %d", number+1, len(r.Moves), o.Adjudicate.maxPlies())
		}
	}
	return nil
}

// Collect counts games that are played elsewhere: it does what Run does, except that
// next returns each game. It stops when the run is complete, the SPRT has decided, or
// next returns an error; io.EOF says that no more games will come. Games that
// o.Played holds are not counted twice.
func Collect(ctx context.Context, o Options, next func(context.Context) (Record, error)) (Standings, error) {
	if err := o.Check(); err != nil {
		return Standings{}, err
	}
	t := replayTally(&o)
	played := map[int]bool{}
	for _, r := range o.Played {
		played[r.Number] = true
	}
	for !t.Finished() {
		r, err := next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return t.standings, err
		}
		if played[r.Number] {
			continue
		}
		played[r.Number] = true
		if err := o.save(r); err != nil {
			return t.standings, err
		}
		t.add(r, o.Report)
	}
	return t.standings, nil
}

// Seats returns the entrants of a game by side.
func (o *Options) Seats(number int) [2]int { return newSchedule(o).seats(number) }
