package bots

import (
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
}

// levelTime bounds the time of a move at every level but the last, which takes
// all that it is given.
const levelTime = 2 * time.Second

// levels lists how the levels of each game play, from 1 on. docs/levels.md has
// what they score against each other.
func levels() map[string][Levels]level {
	ladder := [Levels]level{
		{12, 50, 400}, {116, 40, 350}, {403, 30, 300}, {1209, 22, 250}, {3627, 16, 200}, {10881, 10, 150}, {32643, 6, 120}, {97929, 3, 80}, {528816, 0, 0}, {},
	}
	return map[string][Levels]level{
		"neighbors": ladder, "othello": ladder, "loa": ladder, "connect6": ladder, "chess": ladder,
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

// errorLines is how many moves, the best ones, an error is chosen from.
const errorLines = 6

// err chooses one of the best moves, any that gives away no more than the level
// allows. Looking for them takes as much as one choice without an error.
func (p *levelPlayer) err(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	l.Time /= errorLines
	l.Clock.Left /= errorLines
	l.Nodes = (l.Nodes + errorLines - 1) / errorLines
	lines := engine.Lines(ctx, p.current, p.position(m), l, errorLines)
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("searching: %w", err)
	}
	n := 1
	for n < len(lines) && lines[n].Score >= lines[0].Score-p.level.loss {
		n++
	}
	return lines[p.random.IntN(n)].Best(), nil
}
