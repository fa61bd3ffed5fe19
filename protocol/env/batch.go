// Package env serves a batch of games to another process, as an environment for reinforcement learning.
// Arrays in a file that both processes map hold actions, observations, legal actions and rewards.
// Commands and answers are lines of text.
//
// Start with [New] and [Batch.Serve]. docs/python.md describes the commands and a client.
package env

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"quintet/engine"
	"quintet/game"
)

// Config says what a Batch plays.
type Config struct {
	Game        game.Game
	Start       game.Position
	Games       int
	Workers     int  // goroutines that play
	MaxPlies    int  // plies after which a game is truncated
	RandomPlies int  // random plies at the start of a game
	Manual      bool // a finished game waits for a reset; otherwise the next step begins a new one

	// Opponent, if not nil, makes a player for the other side, one for each worker.
	Opponent func() (engine.Player, error)
	Learner  string       // the side that actions play against an opponent: "first", "second" or "random"
	Limit    engine.Limit // of a move of the opponent
}

// The limits of a Batch.
const (
	MostGames  = 1 << 16
	MostPlies  = 100_000
	MostMemory = 4 << 30 // bytes of the shared file
)

// Batch plays many games at once. It is not safe for concurrent use.
type Batch struct {
	config Config
	space  *space
	layout Layout
	memory []byte
	tables []table
	crew   *crew
}

// table is one game.
type table struct {
	pos, begin game.Position
	moves      []game.Move // since begin
	keys       []uint64    // of begin and the positions after each move
	legal      []game.Move // in pos
	result     game.Result
	done       bool
	random     rand.PCG
	learner    game.Side
	match      *game.Match // for an opponent; nil without one
}

// New returns a Batch without memory: Attach provides it.
func New(c Config) (*Batch, error) {
	s, err := newSpace(c.Game, c.Start)
	switch {
	case err != nil:
		return nil, err
	case c.Games < 1 || c.Games > MostGames:
		return nil, fmt.Errorf("%d games: expected 1 to %d", c.Games, MostGames)
	case c.MaxPlies < 1 || c.MaxPlies > MostPlies:
		return nil, fmt.Errorf("%d plies: expected 1 to %d", c.MaxPlies, MostPlies)
	case len(c.Start.Moves(nil)) == 0:
		return nil, errors.New("the game is over in this position: give one with legal moves")
	}
	planes := len(s.planes()) * s.cells()
	b := &Batch{config: c, space: s, layout: newLayout(c.Games, planes, s.actions())}
	if b.layout.Size > MostMemory {
		return nil, fmt.Errorf("%d games take %d MB: expected at most %d MB: play fewer at a time", c.Games, b.layout.Size>>20, MostMemory>>20)
	}
	if b.crew, err = newCrew(b, c); err != nil {
		return nil, err
	}
	b.tables = make([]table, c.Games)
	for i := range b.tables {
		b.tables[i].pos, b.tables[i].begin = c.Start.Clone(), c.Start.Clone()
	}
	return b, nil
}

// Layout returns the layout of the memory that Attach needs.
func (b *Batch) Layout() Layout { return b.layout }

// Attach gives the batch its memory, of Layout().Size bytes.
func (b *Batch) Attach(memory []byte) { b.memory = memory[:b.layout.Size] }

// Close stops the workers and closes the opponents.
func (b *Batch) Close() error { return b.crew.close() }

// Reset begins the selected games anew. The same seed makes the same games.
func (b *Batch) Reset(ctx context.Context, seed uint64) error {
	for i := range b.tables {
		if b.selected(i) {
			b.tables[i].random.Seed(seed, uint64(i))
		}
	}
	return b.crew.do(ctx, (*Batch).resetOne)
}

func (b *Batch) resetOne(ctx context.Context, w *worker, i int) error {
	if !b.selected(i) {
		return nil
	}
	return b.again(ctx, w, i)
}

// Step plays the action of each game. If any is illegal, it plays none.
func (b *Batch) Step(ctx context.Context) error {
	for i := range b.tables {
		t := &b.tables[i]
		if a := b.actionOf(i); !t.done && !slices.Contains(t.legal, b.space.move(a)) {
			return fmt.Errorf("game %d: action %d is not legal: choose one whose mask is 1", i, a)
		}
	}
	return b.crew.do(ctx, (*Batch).stepOne)
}

func (b *Batch) stepOne(ctx context.Context, w *worker, i int) error {
	t := &b.tables[i]
	if t.done && b.config.Manual {
		return nil
	}
	if t.done {
		return b.again(ctx, w, i)
	}
	mover := t.pos.Turn()
	b.play(t, b.space.move(b.actionOf(i)))
	if t.match != nil {
		mover = t.learner
		if err := b.answer(ctx, w, t); err != nil {
			return err
		}
	}
	b.show(w, i, reward(t.result, mover))
	return nil
}

// again begins a new game.
func (b *Batch) again(ctx context.Context, w *worker, i int) error {
	if err := b.start(ctx, w, i); err != nil {
		return err
	}
	b.show(w, i, 0)
	return nil
}

// reward returns the reward of a side for a result.
func reward(r game.Result, s game.Side) float32 {
	winner, ok := r.Winner()
	switch {
	case !ok:
		return 0
	case winner == s:
		return 1
	}
	return -1
}

// Undo takes back plies of the selected games.
func (b *Batch) Undo(ctx context.Context, plies int) error {
	return b.crew.do(ctx, func(b *Batch, _ context.Context, w *worker, i int) error {
		t := &b.tables[i]
		if !b.selected(i) {
			return nil
		}
		b.restore(t, t.begin, t.moves[:max(0, len(t.moves)-plies)])
		b.show(w, i, 0)
		return nil
	})
}

// Copy makes each selected game a copy of the game that its action names.
func (b *Batch) Copy(ctx context.Context) error {
	for i := range b.tables {
		if from := b.actionOf(i); b.selected(i) && (from < 0 || from >= len(b.tables) || b.selected(from)) {
			return fmt.Errorf("game %d: copy of game %d: expected one of %d games that is not selected itself", i, from, len(b.tables))
		}
	}
	return b.crew.do(ctx, func(b *Batch, _ context.Context, w *worker, i int) error {
		if !b.selected(i) {
			return nil
		}
		t, from := &b.tables[i], &b.tables[b.actionOf(i)]
		t.random, t.learner = from.random, from.learner
		b.restore(t, from.begin, from.moves)
		b.show(w, i, 0)
		return nil
	})
}

// Set begins a game in a position.
func (b *Batch) Set(i int, p game.Position) {
	t := &b.tables[i]
	b.restore(t, p, nil)
	b.show(&b.crew.workers[0], i, 0)
}

// start begins a game, and plays for the opponent if it moves first.
func (b *Batch) start(ctx context.Context, w *worker, i int) error {
	t := &b.tables[i]
	for tries := 0; ; tries++ {
		t.pos.CopyFrom(b.config.Start)
		for range b.config.RandomPlies {
			if m := game.Sample(t.pos, &t.random, w.moves); m != 0 {
				t.pos.Play(m)
			}
		}
		if len(t.pos.Moves(w.moves[:0])) > 0 {
			break
		}
		if tries == 100 {
			return fmt.Errorf("game %d: it is over after %d random plies: play fewer", i, b.config.RandomPlies)
		}
	}
	t.learner = game.First
	switch b.config.Learner {
	case "second":
		t.learner = game.Second
	case "random":
		t.learner = game.Side(t.random.Uint64() >> 63)
	}
	b.restore(t, t.pos, nil)
	return b.answer(ctx, w, t)
}

// restore sets a game to a start position and moves.
func (b *Batch) restore(t *table, begin game.Position, moves []game.Move) {
	if t.begin != begin {
		t.begin.CopyFrom(begin)
	}
	if t.pos != begin {
		t.pos.CopyFrom(begin)
	}
	t.moves, t.keys = t.moves[:0], append(t.keys[:0], t.pos.Key())
	t.legal = t.pos.Moves(t.legal[:0])
	t.result = t.pos.Result()
	t.done = t.result.Over()
	if b.config.Opponent != nil {
		t.match = game.NewMatch(b.config.Game, t.begin)
	}
	for _, m := range moves {
		b.play(t, m)
	}
}

// play plays a legal move.
func (b *Batch) play(t *table, m game.Move) {
	t.pos.Play(m)
	t.moves = append(t.moves, m)
	t.legal = t.pos.Moves(t.legal[:0])
	key := t.pos.Key()
	switch {
	case len(t.legal) == 0:
		t.result, t.done = t.pos.Result(), true
	case b.config.Game.Repeat > 0 && 1+count(t.keys, key) >= b.config.Game.Repeat:
		t.result, t.done = game.StoppedResult(t.pos), true
	case len(t.moves) >= b.config.MaxPlies:
		t.done = true
	}
	t.keys = append(t.keys, key)
	if t.match != nil {
		_ = t.match.Play(m) // it is legal
	}
}

func count(keys []uint64, key uint64) (n int) {
	for _, k := range keys {
		if k == key {
			n++
		}
	}
	return n
}

// answer plays for the opponent until the learner is to move.
func (b *Batch) answer(ctx context.Context, w *worker, t *table) error {
	for t.match != nil && !t.done && t.pos.Turn() != t.learner {
		w.opponent.NewGame(t.random.Uint64()) // it plays many games in turn
		m, err := w.opponent.Choose(ctx, t.match, b.config.Limit)
		if err != nil {
			return fmt.Errorf("the opponent: %w", err)
		}
		b.play(t, m)
	}
	return nil
}

func (b *Batch) selected(i int) bool { return b.memory[b.layout.Selected+i] == 1 }

// show writes what a client sees of a game.
func (b *Batch) show(w *worker, i int, reward float32) {
	t, l := &b.tables[i], &b.layout
	binary.LittleEndian.PutUint32(word(b.memory, l.Rewards, i), math.Float32bits(reward))
	binary.LittleEndian.PutUint32(word(b.memory, l.Plies, i), uint32(len(t.moves)))
	b.memory[l.Terminated+i], b.memory[l.Truncated+i] = 0, 0
	switch {
	case t.result.Over():
		b.memory[l.Terminated+i] = 1
	case t.done:
		b.memory[l.Truncated+i] = 1
	}
	b.memory[l.Turn+i], b.memory[l.Result+i] = byte(t.pos.Turn()), byte(t.result)
	n := len(w.pieces) * len(w.names)
	b.space.observe(t.pos, w.pieces, b.memory[l.Observations+i*n:][:n])
	n = b.space.actions()
	mask := b.memory[l.Mask+i*n:][:n]
	clear(mask)
	if t.done {
		return
	}
	for _, m := range t.legal {
		mask[b.space.action(m)] = 1
	}
}
