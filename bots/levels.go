package bots

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Levels is the number of levels of strength, from 1 to Levels.
const Levels = 10

// Level is how a level plays. It errs as people do: now and then it takes a move
// that looks a little worse than the best, but none that looks bad to it.
type Level struct {
	Nodes  uint64 // positions to visit; 0 for no limit
	Chance int    // of an error, in percent
	Loss   int    // the most that an error gives away, in points of the evaluation
	Among  int    // how many moves, the best ones, an error is chosen from; 6 if 0
}

// levelTime bounds the time of a move at every level but the last, which takes
// all that it is given.
const levelTime = 2 * time.Second

// defaultLevels serve games without levels of their own. They are a guess: nobody
// has measured what they score against each other.
func defaultLevels() [Levels]Level {
	return [Levels]Level{
		{50, 60, 500, 0}, {90, 50, 400, 0}, {160, 40, 300, 0}, {300, 30, 250, 0}, {600, 20, 200, 0},
		{1_200, 12, 150, 0}, {2_500, 6, 100, 0}, {5_000, 3, 60, 0}, {10_000, 0, 0, 0}, {},
	}
}

// levels returns how the game is played at each level. docs/levels.md says what
// the levels of the games that have their own score against each other.
func (s Support) levels() [Levels]Level {
	if s.Levels == ([Levels]Level{}) {
		return defaultLevels()
	}
	return s.Levels
}

// levelNumber reads a name such as "level:3". It reports whether the name is one
// of a level at all.
func levelNumber(name string) (n int, ok bool, err error) {
	text, ok := strings.CutPrefix(name, "level:")
	if !ok {
		return 0, false, nil
	}
	n, err = strconv.Atoi(text)
	if err != nil || n < 1 || n > Levels || strconv.Itoa(n) != text {
		return 0, true, fmt.Errorf("level %q: want a number from 1 to %d", text, Levels)
	}
	return n, true, nil
}

// levelPlayer plays at a level. The same seed errs in the same way.
type levelPlayer struct {
	searchPlayer
	level  Level
	random *rand.Rand
}

func newLevelPlayer(g game.Game, n int, o Options) (engine.Player, error) {
	s, err := Searcher(g, o)
	if err != nil {
		return nil, err
	}
	return &levelPlayer{searchPlayer: searchPlayer{current: s}, level: For(g).levels()[n-1]}, nil
}

// NewGame implements engine.Player.
func (p *levelPlayer) NewGame(seed uint64) {
	p.current.Reset()
	p.random = rand.New(rand.NewPCG(seed, 0))
}

// Choose implements engine.Player.
func (p *levelPlayer) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	if p.level == (Level{}) {
		return p.searchPlayer.Choose(ctx, m, l)
	}
	l = p.level.limit(l)
	if p.random.IntN(100) >= p.level.Chance {
		return p.searchPlayer.Choose(ctx, m, l)
	}
	return p.stray(ctx, m, l)
}

// limit returns the stricter of the level's limit and another.
func (l Level) limit(other engine.Limit) engine.Limit {
	if l.Nodes > 0 && (other.Nodes == 0 || l.Nodes < other.Nodes) {
		other.Nodes = l.Nodes
	}
	if other.Time == 0 || other.Time > levelTime {
		other.Time = levelTime
	}
	return other
}

// stray chooses one of the best moves, any that gives away no more than the level
// allows. Looking for them takes as much as one choice without an error.
func (p *levelPlayer) stray(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	among := cmp.Or(p.level.Among, 6)
	l.Time /= time.Duration(among)
	l.Clock.Left /= time.Duration(among)
	l.Nodes = (l.Nodes + uint64(among) - 1) / uint64(among)
	lines := engine.Lines(ctx, p.current, engine.At(m), l, among)
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("searching: %w", err)
	}
	n := 1
	for n < len(lines) && lines[n].Score >= lines[0].Score-p.level.Loss {
		n++
	}
	return lines[p.random.IntN(n)].Best(), nil
}
