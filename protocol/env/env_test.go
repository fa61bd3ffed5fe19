package env_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/protocol/env"
)

// batch is a batch with its memory.
type batch struct {
	*env.Batch
	t       *testing.T
	memory  []byte
	l       env.Layout
	n       int
	actions int
}

func start(t *testing.T, c env.Config) *batch {
	t.Helper()
	if c.Start == nil {
		p, err := c.Game.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Start = p
	}
	if c.MaxPlies == 0 {
		c.MaxPlies = 2000
	}
	e, err := env.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	b := &batch{Batch: e, t: t, l: e.Layout(), n: c.Games}
	b.memory = make([]byte, b.l.Size)
	b.Attach(b.memory)
	b.selectAll()
	b.reset(1)
	board := c.Start.Board()
	b.actions = len(board.Cells) + 1
	if m := c.Start.Moves(nil)[0]; len(m.Cells()) == 2 {
		b.actions = len(board.Cells)*len(board.Cells) + 1
	}
	return b
}

func (b *batch) selectAll() {
	for i := range b.n {
		b.memory[b.l.Selected+i] = 1
	}
}

func (b *batch) selectOnly(i int) {
	clear(b.memory[b.l.Selected:][:b.n])
	b.memory[b.l.Selected+i] = 1
}

func (b *batch) reset(seed uint64) {
	b.t.Helper()
	if err := b.Reset(b.t.Context(), seed); err != nil {
		b.t.Fatal(err)
	}
}

func (b *batch) act(i, action int) {
	binary.LittleEndian.PutUint32(b.memory[b.l.Actions+4*i:], uint32(action))
}

func (b *batch) step() {
	b.t.Helper()
	if err := b.Step(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *batch) mask(i int) []byte { return b.memory[b.l.Mask+i*b.actions:][:b.actions] }

func (b *batch) reward(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b.memory[b.l.Rewards+4*i:]))
}

// legal returns the legal actions of a game.
func (b *batch) legal(i int) (list []int) {
	for a, ok := range b.mask(i) {
		if ok == 1 {
			list = append(list, a)
		}
	}
	return list
}

// random chooses a legal action for each game that is not over.
func (b *batch) random(r *rand.Rand) {
	for i := range b.n {
		if list := b.legal(i); len(list) > 0 {
			b.act(i, list[r.IntN(len(list))])
		}
	}
}

// commands sends commands and returns the answers without the header.
func (b *batch) commands(lines ...string) []string {
	b.t.Helper()
	var out strings.Builder
	if err := b.Serve(b.t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		b.t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")[1:]
}

// TestSeeds checks that a seed determines the games for any number of workers, with an opponent, too.
func TestSeeds(t *testing.T) {
	g, _ := games.ByName("neighbors")
	play := func(workers int, seed uint64) (all string) {
		b := start(t, env.Config{
			Game: g, Games: 70, Workers: workers, RandomPlies: 4, Learner: "random", MaxPlies: 30,
			Opponent: func() (engine.Player, error) { return bots.NewPlayer("random", g, bots.Options{}) },
		})
		b.reset(seed)
		r := rand.New(rand.NewPCG(3, 3))
		for range 20 {
			b.random(r)
			b.step()
		}
		return string(b.memory[b.l.Rewards:])
	}
	one := play(1, 5)
	if play(3, 5) != one {
		t.Error("three workers play other games than one")
	}
	if play(1, 6) == one {
		t.Error("another seed plays the same games")
	}
}

// TestOpponent checks that the learner is to move after each step, on the side that was asked for, and that
// rewards are the learner's.
func TestOpponent(t *testing.T) {
	g, _ := games.ByName("othello")
	small, _ := g.Start(game.Setup{"size": "4"})
	for side, want := range map[string]byte{"first": 0, "second": 1} {
		b := start(t, env.Config{
			Game: g, Start: small, Games: 40, Workers: 1, Learner: side, Manual: true,
			Opponent: func() (engine.Player, error) { return bots.NewPlayer("random", g, bots.Options{}) },
		})
		r := rand.New(rand.NewPCG(1, 1))
		var wins, losses int
		for range 20 {
			b.random(r)
			b.step()
			for i := range b.n {
				if b.memory[b.l.Terminated+i] == 0 && b.memory[b.l.Turn+i] != want {
					t.Fatalf("learner %s: side %d is to move", side, b.memory[b.l.Turn+i])
				}
			}
		}
		for i := range b.n {
			won := b.memory[b.l.Result+i] == 1+want
			if won != (b.reward(i) == 1) {
				t.Errorf("learner %s: result %d, reward %g", side, b.memory[b.l.Result+i], b.reward(i))
			}
			if won {
				wins++
			} else if b.reward(i) == -1 {
				losses++
			}
		}
		if wins == 0 || losses == 0 {
			t.Errorf("learner %s: %d wins and %d losses of 40 random games", side, wins, losses)
		}
	}
}

// TestCrash checks that the error of an opponent ends a step.
func TestCrash(t *testing.T) {
	g, _ := games.ByName("neighbors")
	p, _ := g.Start(nil)
	e, err := env.New(env.Config{
		Game: g, Start: p, Games: 3, Workers: 2, MaxPlies: 9, Learner: "second",
		Opponent: func() (engine.Player, error) { return crashing{}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Attach(make([]byte, e.Layout().Size))
	if err := e.Serve(t.Context(), strings.NewReader(""), io.Discard); err == nil || !strings.Contains(err.Error(), "the opponent: crashed") {
		t.Errorf("the error is %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// TestNext checks that the step after the end of a game begins a new one and ignores the action, and
// that a game is truncated after MaxPlies.
func TestNext(t *testing.T) {
	g, _ := games.ByName("chess")
	b := start(t, env.Config{Game: g, Games: 1, Workers: 1, MaxPlies: 2})
	r := rand.New(rand.NewPCG(1, 1))
	for range 2 {
		b.random(r)
		b.step()
	}
	if b.memory[b.l.Truncated] != 1 || b.memory[b.l.Terminated] != 0 || len(b.legal(0)) != 0 {
		t.Error("the game is not cut off after two plies")
	}
	b.act(0, -1)
	b.step()
	if got := b.commands("position 0", "moves 0"); b.memory[b.l.Truncated] != 0 || got[1] != "ok" || len(b.legal(0)) != 20 {
		t.Errorf("no new game: %q", got)
	}
}

// TestTree takes back, copies and sets games.
func TestTree(t *testing.T) {
	g, _ := games.ByName("loa")
	b := start(t, env.Config{Game: g, Games: 3, Workers: 2, Manual: true})
	r := rand.New(rand.NewPCG(2, 2))
	var before []string
	for range 7 {
		b.random(r)
		b.step()
	}
	before = b.positions()
	for range 4 {
		b.random(r)
		b.step()
	}
	after := b.positions()
	b.selectOnly(1)
	if err := b.Undo(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	if got := b.positions(); got[0] != after[0] || got[1] != before[1] {
		t.Errorf("after undo: %q, want %q and %q", got, after[0], before[1])
	}
	b.act(2, 1)
	b.selectOnly(2)
	if err := b.Copy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.positions(); got[2] != got[1] || got[0] != after[0] {
		t.Errorf("after copy: %q", got)
	}
	b.act(2, 2)
	if err := b.Copy(t.Context()); err == nil || !strings.Contains(err.Error(), "that is not selected itself") {
		t.Errorf("a copy of itself: %v", err)
	}
}

func (b *batch) positions() (list []string) {
	for i := range b.n {
		list = append(list, b.Position(i).String())
	}
	return list
}

// TestCommands checks the answers to commands.
func TestCommands(t *testing.T) {
	g, _ := games.ByName("othello")
	b := start(t, env.Config{Game: g, Games: 2, Workers: 1})
	lines := []struct{ command, answer string }{
		{"position 0", "ok 8/8/8/3XO3/3OX3/8/8/8 X"},
		{"action 0 e3", "ok 20"},
		{"text 0 20", "ok e3"},
		{"action 0 a1", "error move \"a1\": not a legal move: a disc on a1 would enclose none of White's"},
		{"text 0 64", "error action 64 is not legal"},
		{"step", "error game 0: action 0 is not legal: choose one whose mask is 1"},
		{"set 1 8/8/8/3XO3/3OX3/8/8/8 O", "ok"},
		{"position 1", "ok 8/8/8/3XO3/3OX3/8/8/8 O"},
		{"set 1 4/1XO1/1OX1/4 X", "error a board of 4x4: expected 8x8"},
		{"set 1 8/8/8/3XO3/3OX3/8/8/7# X", "error a board with pits: expected none, as in the start position"},
		{"reset", `error seed "": expected a number from 0 to 2^64-1`},
		{"undo x", `error plies "x": expected a number, 0 or more`},
		{"undo 3", "ok"},
		{"position 2", `error game "2": expected 0 to 1`},
		{"dance", `error unknown command "dance": expected step, reset, undo, copy, position, moves, action, text or set`},
	}
	var commands []string
	for _, l := range lines {
		commands = append(commands, l.command)
	}
	for i, got := range b.commands(commands...) {
		if got != lines[i].answer {
			t.Errorf("%s: %q, want %q", lines[i].command, got, lines[i].answer)
		}
	}
}

// TestRefused checks what New refuses.
func TestRefused(t *testing.T) {
	g, _ := games.ByName("othello")
	p, _ := g.Start(nil)
	big, _ := g.Start(game.Setup{"size": "26"})
	over, _ := g.Read("XXXX/XXXX/XXXX/XXXX X")
	loa, _ := games.ByName("loa")
	lines, _ := loa.Start(nil)
	for _, c := range []struct {
		config env.Config
		want   string
	}{
		{env.Config{Game: g, Start: p, MaxPlies: 9}, "0 games: expected 1 to 65536"},
		{env.Config{Game: g, Start: p, Games: 1}, "0 plies: expected 1 to 100000"},
		{env.Config{Game: g, Start: over, Games: 1, MaxPlies: 9}, "the game is over in this position"},
		{env.Config{Game: loa, Start: lines, Games: 1 << 16, MaxPlies: 9}, ""},
		{env.Config{Game: g, Start: big, Games: 1 << 16, MaxPlies: 9}, ""},
	} {
		b, err := env.New(c.config)
		if err == nil != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
		if err == nil {
			_ = b.Close()
		}
	}
}

// TestHeader checks that the header says where the arrays are.
func TestHeader(t *testing.T) {
	g, _ := games.ByName("chess")
	b := start(t, env.Config{Game: g, Games: 5, Workers: 1})
	var out strings.Builder
	if err := b.Serve(t.Context(), strings.NewReader(""), &out); err != nil {
		t.Fatal(err)
	}
	var h struct {
		Version, Games, Actions, Rows int
		Planes                        []string
		Layout                        env.Layout
	}
	if err := json.Unmarshal([]byte(out.String()), &h); err != nil {
		t.Fatal(err)
	}
	if h.Version != env.Version || h.Games != 5 || h.Actions != 4097 || h.Rows != 8 || len(h.Planes) != 13 || h.Layout != b.l {
		t.Errorf("the header is %+v", h)
	}
}

// TestAllocations checks that a step allocates nothing once the buffers have grown.
func TestAllocations(t *testing.T) {
	for _, name := range []string{"othello", "loa"} {
		g, _ := games.ByName(name)
		b := start(t, env.Config{Game: g, Games: 64, Workers: 1, MaxPlies: 60})
		step := func() {
			for i := range b.n {
				b.act(i, firstLegal(b.mask(i)))
			}
			_ = b.Step(t.Context())
		}
		for range 130 {
			step()
		}
		if n := testing.AllocsPerRun(50, step); n > 0 {
			t.Errorf("%s: a step allocates %g times", name, n)
		}
	}
}

func firstLegal(mask []byte) int {
	for a, ok := range mask {
		if ok == 1 {
			return a
		}
	}
	return 0
}

// crashing is a player that crashes.
type crashing struct{ engine.Player }

func (crashing) NewGame(uint64) {}
func (crashing) Close() error   { return nil }
func (crashing) Choose(_ context.Context, _ *game.Match, _ engine.Limit) (game.Move, error) {
	return 0, errors.New("crashed")
}
