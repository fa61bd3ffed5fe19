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

// level is how a level plays. It errs as people do: now and then it takes a move
// that looks a little worse than the best, but none that looks bad to it.
type level struct {
	nodes  uint64 // positions to visit; 0 for no limit
	chance int    // of an error, in percent
	loss   int    // the most that an error gives away, in points of the evaluation
	among  int    // how many moves, the best ones, an error is chosen from; 6 if 0
}

// levelTime bounds the time of a move at every level but the last, which takes
// all that it is given.
const levelTime = 2 * time.Second

// levels lists how the levels of each game play, from 1 on. docs/levels.md has
// what they score against each other.
func levels() map[string][Levels]level {
	return map[string][Levels]level{
		"neighbors": {
			{33, 60, 500, 0}, {47, 50, 400, 0}, {68, 40, 300, 0}, {109, 30, 250, 0}, {190, 20, 200, 0},
			{961, 12, 150, 0}, {2_356, 6, 100, 0}, {5_773, 3, 60, 0}, {10_000, 0, 0, 0}, {},
		},
		"othello": {
			{12, 55, 400, 7}, {116, 40, 350, 0}, {403, 30, 300, 0}, {1_209, 22, 250, 0}, {3_627, 16, 200, 0},
			{10_881, 10, 150, 0}, {32_643, 6, 120, 0}, {97_929, 3, 80, 0}, {300_000, 0, 0, 0}, {},
		},
		"loa": {
			{53, 60, 500, 0}, {94, 50, 400, 0}, {167, 40, 300, 0}, {523, 30, 250, 0}, {819, 20, 200, 0},
			{1_282, 12, 150, 0}, {3_142, 6, 100, 0}, {7_697, 3, 60, 0}, {13_333, 0, 0, 0}, {},
		},
		"connect6": {
			{1, 100, 6_000, 10}, {1, 95, 3_000, 0}, {1, 80, 1_600, 0}, {2, 60, 1_000, 0}, {3, 40, 600, 0},
			{4, 12, 300, 0}, {97, 6, 200, 0}, {480, 3, 120, 0}, {1_666, 0, 0, 0}, {},
		},
		"chess": {
			{258, 60, 500, 0}, {318, 50, 400, 0}, {391, 40, 300, 0}, {650, 30, 250, 0}, {1_150, 20, 200, 0},
			{1_850, 12, 150, 0}, {3_000, 6, 100, 0}, {5_332, 3, 60, 0}, {9_237, 0, 0, 0}, {},
		},
	}
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
	level  level
	random *rand.Rand
}

func newLevelPlayer(g game.Game, n int, o Options) (Player, error) {
	l, ok := levels()[g.Name]
	if !ok {
		return nil, fmt.Errorf("%s: no levels are known", g.Name)
	}
	s, err := Searcher(g, o)
	if err != nil {
		return nil, err
	}
	return &levelPlayer{searchPlayer: searchPlayer{current: s, repeat: g.Repeat}, level: l[n-1]}, nil
}

// NewGame implements Player.
func (p *levelPlayer) NewGame(seed uint64) {
	p.current.Reset()
	p.random = rand.New(rand.NewPCG(seed, 0))
}

// Choose implements Player.
func (p *levelPlayer) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	if p.level == (level{}) {
		return p.searchPlayer.Choose(ctx, m, l)
	}
	l = p.level.limit(l)
	if p.random.IntN(100) >= p.level.chance {
		return p.searchPlayer.Choose(ctx, m, l)
	}
	return p.err(ctx, m, l)
}

// limit returns the stricter of the level's limit and another.
func (l level) limit(other engine.Limit) engine.Limit {
	if l.nodes > 0 && (other.Nodes == 0 || l.nodes < other.Nodes) {
		other.Nodes = l.nodes
	}
	if other.Time == 0 || other.Time > levelTime {
		other.Time = levelTime
	}
	return other
}

// err chooses one of the best moves, any that gives away no more than the level
// allows. Looking for them takes as much as one choice without an error.
func (p *levelPlayer) err(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	among := cmp.Or(p.level.among, 6)
	l.Time /= time.Duration(among)
	l.Clock.Left /= time.Duration(among)
	l.Nodes = (l.Nodes + uint64(among) - 1) / uint64(among)
	lines := engine.Lines(ctx, p.current, p.position(m), l, among)
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("searching: %w", err)
	}
	n := 1
	for n < len(lines) && lines[n].Score >= lines[0].Score-p.level.loss {
		n++
	}
	return lines[p.random.IntN(n)].Best(), nil
}
