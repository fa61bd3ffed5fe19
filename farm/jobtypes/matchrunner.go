package jobtypes

import (
	"context"
	"time"

	"quintet/arena"
	"quintet/farm"
	"quintet/game"
)

// matchRunner plays the pairs of a match.
type matchRunner struct {
	pairs    *arena.PairPlayer
	names    []string
	progress func()
}

// NewRunner implements farm.Task. Times are scaled by the speed of this machine, so that
// games with clocks are about as deep as on the submitter's machine.
func (t *matchTask) NewRunner(speed float64) (farm.Runner, error) {
	o, err := t.settings.Options(t.maker, t.value)
	if err != nil {
		return nil, err
	}
	if m := t.settings; m.Timed() && m.Speed > 0 && speed > 0 {
		scaleTimes(o, min(max(m.Speed/speed, 1.0/maxScale), maxScale))
	}
	r := &matchRunner{names: t.about.Names}
	o.Moved = func(int, *game.Match) { r.progress() }
	r.pairs, err = arena.NewPairPlayer(o)
	return r, err
}

// maxScale bounds the scaling of times.
const maxScale = 8

func scaleTimes(o *arena.Options, factor float64) {
	scale := func(d time.Duration) time.Duration { return time.Duration(float64(d) * factor) }
	for i := range o.Entrants {
		l := &o.Entrants[i].Limit
		l.Time, l.Clock.Left, l.Clock.Increment = scale(l.Time), scale(l.Clock.Left), scale(l.Clock.Increment)
	}
}

// Do implements farm.Runner.
func (r *matchRunner) Do(ctx context.Context, pair int, progress func()) ([]byte, error) {
	r.progress = progress
	games, err := r.pairs.Play(ctx, pair)
	if err != nil {
		return nil, err
	}
	return EncodePair(games, r.names)
}

// Close implements farm.Runner.
func (r *matchRunner) Close() error { return r.pairs.Close() }
