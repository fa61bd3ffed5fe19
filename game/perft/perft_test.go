package perft_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"quintet/game"
	"quintet/game/perft"
	"quintet/games"
)

// line is one line of known.txt: a game and its leaves at depth 1, 2, 3...
type line struct {
	text   string
	game   game.Game
	setup  game.Setup
	leaves []uint64
}

func readKnown(t *testing.T) (lines []line) {
	t.Helper()
	f, err := os.Open("testdata/known.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for s := bufio.NewScanner(f); s.Scan(); {
		if !strings.HasPrefix(s.Text(), "#") {
			lines = append(lines, readLine(t, s.Text()))
		}
	}
	if len(lines) < 15 {
		t.Fatalf("%d lines, want 15", len(lines))
	}
	return lines
}

func readLine(t *testing.T, text string) line {
	t.Helper()
	l := line{text: text}
	words, numbers, _ := strings.Cut(text, ":")
	name, options, _ := strings.Cut(words, " ")
	var err error
	if l.game, err = games.ByName(name); err != nil {
		t.Fatal(err)
	}
	if l.setup, err = game.ParseSetup(options); err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(numbers) {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		l.leaves = append(l.leaves, n)
	}
	return l
}

func start(t testing.TB, name string, s game.Setup) game.Position {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestKnown counts every tree of the table, by one thread and by three; those that take seconds only by three.
func TestKnown(t *testing.T) {
	for _, l := range readKnown(t) {
		p, err := l.game.Start(l.setup)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range l.leaves {
			if want > most {
				t.Logf("%s: depth %d is left to the run without the race detector", l.game.Name, i+1)
				break
			}
			for _, threads := range []int{1, 3} {
				if want > 1_000_000_000 && threads == 1 {
					continue
				}
				got, err := perft.Count(context.Background(), p, i+1, threads)
				if err != nil || got != want {
					t.Errorf("%s\ndepth %d by %d threads: %d, %v, want %d", l.text, i+1, threads, got, err, want)
				}
			}
		}
	}
}

// plain hides the optional methods of a position.
type plain struct{ game.Position }

func (p plain) CopyFrom(q game.Position) { p.Position.CopyFrom(q.(plain).Position) }
func (p plain) Clone() game.Position     { return plain{p.Position.Clone()} }

// TestPlainCount compares the generic count with the positions' own.
func TestPlainCount(t *testing.T) {
	for _, g := range games.All() {
		p, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		for depth := range 4 {
			if g.Name == "connect6" && depth > 2 {
				continue // 46 million
			}
			want, err1 := perft.Count(context.Background(), p, depth, 1)
			got, err2 := perft.Count(context.Background(), plain{p}, depth, 1)
			if got != want || err1 != nil || err2 != nil {
				t.Errorf("%s to depth %d: %d, want %d (%v, %v)", g.Name, depth, got, want, err1, err2)
			}
		}
	}
}

// TestEnds checks that finished games have one leaf at every depth.
func TestEnds(t *testing.T) {
	p := start(t, "connect6", game.Setup{"size": "1"})
	p.Play(p.Moves(nil)[0])
	for depth := range 9 {
		for _, threads := range []int{1, 4} {
			if n, err := perft.Count(context.Background(), p, depth, threads); n != 1 || err != nil {
				t.Errorf("depth %d by %d threads: %d, %v, want 1", depth, threads, n, err)
			}
		}
	}
	if b, err := perft.Divide(context.Background(), p, 3, 1); len(b) != 0 || err != nil {
		t.Errorf("Divide of a finished game = %v, %v", b, err)
	}
}

func TestDivide(t *testing.T) {
	p := start(t, "chess", nil)
	branches, err := perft.Divide(context.Background(), p, 3, 2)
	if err != nil || len(branches) != 20 {
		t.Fatalf("%d branches, %v, want 20", len(branches), err)
	}
	var total uint64
	for i, b := range branches {
		if b.Move != p.Moves(nil)[i] {
			t.Errorf("branch %d is %s, want the game's order", i, p.Format(b.Move))
		}
		total += b.Leaves
	}
	if total != 8902 {
		t.Errorf("%d leaves in all branches, want 8902", total)
	}
}

func TestErrors(t *testing.T) {
	p := start(t, "othello", nil)
	for _, test := range []struct {
		depth, threads int
		want           string
	}{
		{-1, 1, "perft to depth -1: expected 0 or more"},
		{3, 0, "perft by 0 threads: expected at least 1"},
	} {
		if _, err := perft.Count(context.Background(), p, test.depth, test.threads); err == nil || err.Error() != test.want {
			t.Errorf("Count to depth %d by %d threads: %v, want %s", test.depth, test.threads, err, test.want)
		}
	}
	if _, err := perft.Divide(context.Background(), p, 0, 1); err == nil {
		t.Error("Divide to depth 0: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := perft.Count(ctx, p, 5, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := perft.Divide(ctx, p, 5, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if n, err := perft.Count(context.Background(), p, 0, 1); n != 1 || err != nil {
		t.Errorf("depth 0: %d, %v, want 1", n, err)
	}
}

// BenchmarkPerft counts leaves of every game on one thread.
func BenchmarkPerft(b *testing.B) {
	for name, depth := range map[string]int{"neighbors": 5, "othello": 10, "loa": 5, "connect6": 2, "chess": 5} {
		b.Run(name, func(b *testing.B) {
			p := start(b, name, nil)
			var leaves uint64
			for b.Loop() {
				n, err := perft.Count(b.Context(), p, depth, 1)
				if err != nil {
					b.Fatal(err)
				}
				leaves += n
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}
