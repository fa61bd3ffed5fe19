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

// Level configures a level. Like people, it errs: now and then it chooses a move slightly
// worse than the best, but never one that looks bad to it.
type Level struct {
	Nodes  uint64 // positions to visit; 0 for no limit
	Chance int    // probability of an error, in percent
	Loss   int    // maximum loss of an error, in points of the evaluation
	Among  int    // number of best moves from which an error is chosen; 6 if 0
}

// levelTime limits the time per move at every level except the last, which uses all the
// time it has.
const levelTime = 2 * time.Second

// defaultLevels returns the levels of games that define none. Their strength has not been
// measured.
func defaultLevels() [Levels]Level {
	return [Levels]Level{
		{50, 60, 500, 0}, {90, 50, 400, 0}, {160, 40, 300, 0}, {300, 30, 250, 0}, {600, 20, 200, 0},
		{1_200, 12, 150, 0}, {2_500, 6, 100, 0}, {5_000, 3, 60, 0}, {10_000, 0, 0, 0}, {},
	}
}

// levels returns the levels of the game. See docs/levels.md for the measured strength of
// levels that games define.
func (s GameProfile) levels() [Levels]Level {
	if s.Levels == ([Levels]Level{}) {
		return defaultLevels()
	}
	return s.Levels
}

// levelNumber parses a name such as "level:3"; ok reports whether it names a level.
func levelNumber(name string) (n int, ok bool, err error) {
	text, ok := strings.CutPrefix(name, "level:")
	if !ok {
		return 0, false, nil
	}
	n, err = strconv.Atoi(text)
	if err != nil || n < 1 || n > Levels || strconv.Itoa(n) != text {
		return 0, true, fmt.Errorf("the levels are 1 to %d", Levels)
	}
	return n, true, nil
}

// quickNodes is the largest number of positions that a search visits in milliseconds.
const quickNodes = 20_000

// Quick reports whether a player of NewPlayer takes only milliseconds for a move.
func Quick(name string, g game.Game) bool {
	n, ok, err := levelNumber(name)
	if !ok || err != nil {
		return name == "random"
	}
	nodes := ProfileFor(g).levels()[n-1].Nodes
	return nodes > 0 && nodes <= quickNodes
}

// levelPlayer plays at a level. The same seed makes the same errors.
type levelPlayer struct {
	searchPlayer
	level  Level
	random *rand.Rand
}

func newLevelPlayer(g game.Game, n int, o Options) (engine.Player, error) {
	s, err := SearchName{}.search(g, o)
	if err != nil {
		return nil, err
	}
	return &levelPlayer{
		searchPlayer: searchPlayer{current: s}, level: ProfileFor(g).levels()[n-1], random: rand.New(rand.NewPCG(0, 0)),
	}, nil
}

// NewGame implements engine.Player.
func (p *levelPlayer) NewGame(seed uint64) {
	p.current.Reset()
	p.last, p.random = engine.Line{}, rand.New(rand.NewPCG(seed, 0))
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
	return p.pickInferior(ctx, m, l)
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

// pickInferior chooses at random one of the best moves that lose no more than the level allows.
// Searching them costs as much as a choice without an error.
func (p *levelPlayer) pickInferior(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	among := cmp.Or(p.level.Among, 6)
	l.Time /= time.Duration(among)
	l.Clock.Left /= time.Duration(among)
	l.Nodes = (l.Nodes + uint64(among) - 1) / uint64(among)
	lines := engine.Lines(ctx, p.current, engine.At(m), l, among)
	if err := searchError(ctx, p.current); err != nil {
		return 0, err
	}
	p.nodes = 0
	for _, line := range lines {
		p.nodes += line.Nodes
	}
	n := 1
	for n < len(lines) && lines[n].Score >= lines[0].Score-p.level.Loss {
		n++
	}
	p.last = lines[p.random.IntN(n)]
	return p.last.Best(), nil
}
