// Package playout plays random games and counts how they end. Playouts a second are
// the usual measure of how fast the rules of a game run (OpenSpiel and Ludii publish
// the same figure).
//
// [Run] plays whole games under all rules, including repetition, on one thread. Every
// move is uniformly random among the legal ones. The package works for every game.
package playout

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"quintet/game"
)

// MaxPlies is the number of plies after which a game is abandoned and counted as
// unfinished. It is far above the length of games that end by repetition.
const MaxPlies = 100_000

// Stream is the second half of the PCG seed; Run's seed is the first. With both,
// other code can replay the games.
const Stream = 0x706c61796f7574

// Limit stops a run after a number of games or a time, whichever comes first. At
// least one must be set.
type Limit struct {
	Games int              // 0 for any number
	Time  time.Duration    // 0 for any time
	Clock func() time.Time // time.Now if nil
}

// Report is the statistics of a run.
type Report struct {
	Games          int     `json:"games"`
	Seconds        float64 `json:"seconds"`
	GamesPerSecond float64 `json:"games_per_second"`
	FirstWins      int     `json:"first_wins"`
	SecondWins     int     `json:"second_wins"`
	Draws          int     `json:"draws"`
	Repetitions    int     `json:"repetitions"` // games that ended by repetition
	Unfinished     int     `json:"unfinished"`  // abandoned after MaxPlies; in no other count
	Plies          int     `json:"plies"`
	MeanPlies      float64 `json:"mean_plies"`
	ShortestPlies  int     `json:"shortest_plies"`
	LongestPlies   int     `json:"longest_plies"`
}

// Run plays random games from the position until the limit or the end of the context.
// It returns the context's error only if no game was finished. The same seed gives
// the same games.
func Run(ctx context.Context, g game.Game, start game.Position, seed uint64, limit Limit) (Report, error) {
	if limit.Games <= 0 && limit.Time <= 0 {
		return Report{}, errors.New("playing random games: expected a number of games or of seconds")
	}
	now := limit.Clock
	if now == nil {
		now = time.Now
	}
	var r Report
	p := newPlayer(g, start, seed)
	began := now()
	for ctx.Err() == nil && (limit.Games <= 0 || r.Games < limit.Games) {
		r.add(p.play())
		// Reading the clock costs as much as a few plies, so short games read it only
		// now and then.
		if limit.Time > 0 && (r.Games%32 == 0 || p.plies > 256) && now().Sub(began) >= limit.Time {
			break
		}
	}
	if r.Games == 0 {
		return Report{}, ctx.Err()
	}
	r.Seconds = now().Sub(began).Seconds()
	if r.Seconds > 0 {
		r.GamesPerSecond = float64(r.Games) / r.Seconds
	}
	r.MeanPlies = float64(r.Plies) / float64(r.Games)
	return r, nil
}

func (r *Report) add(result game.Result, plies int, repeated bool) {
	if r.Games == 0 || plies < r.ShortestPlies {
		r.ShortestPlies = plies
	}
	r.LongestPlies = max(r.LongestPlies, plies)
	r.Games++
	r.Plies += plies
	if repeated {
		r.Repetitions++
	}
	switch result {
	case game.FirstWins:
		r.FirstWins++
	case game.SecondWins:
		r.SecondWins++
	case game.Draw:
		r.Draws++
	default:
		r.Unfinished++
	}
}

// player plays games one after the other and reuses its buffers.
type player struct {
	repeat int
	start  game.Position
	pos    game.Position
	buf    []game.Move
	random *rand.PCG
	seen   repetitions
	plies  int // of the last game
}

func newPlayer(g game.Game, start game.Position, seed uint64) *player {
	return &player{
		repeat: g.Repeat, start: start.Clone(), pos: start.Clone(),
		random: rand.NewPCG(seed, Stream),
		buf:    make([]game.Move, 0, 1024),
	}
}

// play plays a game to its end.
func (p *player) play() (result game.Result, plies int, repeated bool) {
	p.pos.CopyFrom(p.start)
	p.seen.clear()
	for p.plies = 0; p.plies < MaxPlies; p.plies++ {
		m := game.Sample(p.pos, p.random, p.buf)
		if m == 0 {
			return p.pos.Result(), p.plies, false
		}
		if p.repeat > 0 && p.seen.add(p.pos.Key()) >= p.repeat {
			return game.StoppedResult(p.pos), p.plies, true
		}
		p.pos.Play(m)
	}
	return game.Ongoing, p.plies, false
}
