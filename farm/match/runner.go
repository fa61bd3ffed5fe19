package match

import (
	"context"
	"time"

	"quintet/arena"
	"quintet/farm"
)

// Name is the name of the kind.
const Name = "match"

// Kind plays matches, with the players of Maker and the openings of Evaluator. A
// coordinator needs neither, unless it replays games.
type Kind struct {
	Maker     MakePlayer
	Evaluator Evaluator
}

// NewSpec returns the spec of a job that plays a match.
func NewSpec(p farm.Program, m *Settings) (*farm.Spec, error) { return farm.NewSpec(p, Name, m) }

// runner plays the pairs of a match.
type runner struct {
	pairs    *arena.PairPlayer
	names    []string
	progress func()
}

// NewRunner implements farm.Kind. Times are scaled by the speed of this machine, so that
// games with clocks are about as deep as on the submitter's machine.
func (k Kind) NewRunner(settings []byte, _ [][]byte, speed float64) (farm.Runner, error) {
	m, err := decode(settings)
	if err != nil {
		return nil, err
	}
	o, err := m.Options(k.Maker, k.Evaluator)
	if err != nil {
		return nil, err
	}
	if m.Timed() && m.Speed > 0 && speed > 0 {
		scaleTimes(o, min(max(m.Speed/speed, 1.0/maxScale), maxScale))
	}
	r := &runner{names: m.Names()}
	o.Moved = func() { r.progress() }
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
func (r *runner) Do(ctx context.Context, pair int, progress func()) ([]byte, error) {
	r.progress = progress
	games, err := r.pairs.Play(ctx, pair)
	if err != nil {
		return nil, err
	}
	return EncodePair(games, r.names)
}

// Close implements farm.Runner.
func (r *runner) Close() error { return r.pairs.Close() }
