package protocol_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/lab/faulty"
	"quintet/protocol"
	"quintet/protocol/program"
)

// TestGo searches with each limit, and checks for one best move for each "go". Unknown
// words are ignored with an info line.
func TestGo(t *testing.T) {
	c := newServer(config(t, "othello"))
	const known = "depth, nodes, mate, movetime, infinite, ponder, searchmoves, movestogo, p1time, p2time, p1inc or p2inc"
	for _, test := range []struct {
		words string
		stop  bool   // it needs one
		info  string // the ignored words
	}{
		{"depth 3\nsetoption name Threads value 2\nuginewgame", false, ""},
		{"nodes 500", false, ""},
		{"movetime 10", false, ""},
		{"movetime 0", false, ""},
		{"p1time 100 p2time 5 p1inc 1 p2inc 1", false, ""},
		{"p1time -5", false, ""},
		{"movestogo 3 depth 2", false, ""},
		{"mate 2", false, ""},
		{"searchmoves f4 c5 depth 3", false, ""},
		{"depth 3 searchmoves f4 c5", false, ""},
		{"infinite", true, ""},
		{"", true, ""},
		{"depth 2 infinite", true, ""},
		{"p2time 5 p1inc 100", true, ""}, // says nothing of the time of the side to move
		{"ponder p1time 100 p2time 100", true, ""},
		{"searchmoves c5", true, ""},

		{"fast depth 3", false, "go fast: expected " + known},
		{"depth 3 width 5", false, "go width 5: expected " + known},
		{"wtime 5 depth 3", false, "go wtime 5: expected " + known},
		{"wtime 5", true, "go wtime 5: expected " + known},
		{"depth 0", false, `go depth "0": expected 1 or more`},
		{"nodes -5", false, `go nodes "-5": expected 1 or more`},
		{"mate -1", false, `go mate "-1": expected 1 or more`},
		{"depth", true, "go depth: expected a value after it"},
		{"depth nodes 100", false, "go depth: expected a value after it"},
		{"mate soon depth 3", false, `go mate "soon": expected 1 or more`},
		{"mate 99999999999999999999 depth 3", false, `go mate "99999999999999999999": expected 1 or more`},
		{"movetime soon", true, `time "soon": expected milliseconds`},
		{"p1time soon p2time 5 nodes 500", false, `time "soon": expected milliseconds`},
		{"searchmoves a1 depth 3", false, `go searchmoves: reading a move: move "a1": not a legal move: a disc on a1 would enclose none of White's`},
		{"searchmoves depth 3", false, ""},
	} {
		end := "\nisready"
		if test.stop {
			end = "\nstop"
		}
		got := talkTo(t, c, "go "+test.words+end+"\n")
		info := regexp.MustCompile(`(?m)^info string .*\n`).FindString(got)
		if want := "info string " + test.info + "\n"; strings.Count(got, "bestmove ") != 1 || info != want && info+test.info != "" {
			t.Errorf("go %s: %q, want one best move and %q", test.words, got, test.info)
		}
	}
}

// newServer creates one search per number of threads: creating searches takes longer than
// using them here.
func newServer(c protocol.Config) protocol.Config {
	made, build := map[int]engine.Searcher{}, c.New
	c.New = func(megabytes, threads int) engine.Searcher {
		if made[threads] == nil {
			made[threads] = build(megabytes, threads)
		}
		return made[threads]
	}
	return c
}

// thinks returns what the server says from some lines on until the best move.
func thinks(t *testing.T, name string, lines ...string) string {
	t.Helper()
	c := config(t, name)
	p := faulty.Fault{}.Start(func(in io.Reader, out io.Writer) error { return protocol.Serve(context.Background(), c, in, out) })
	said := ""
	for _, line := range lines {
		if err := p.Send(line); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.WaitFor(context.Background(), "bestmove", time.Minute, func(line string) bool {
		said += line + "\n"
		return strings.HasPrefix(line, "bestmove ")
	}); err != nil {
		t.Fatal(err)
	}
	if err := p.Close("quit"); err != nil {
		t.Error(err)
	}
	return said
}

// TestMate looks no deeper than the mate that is asked for, and finds it.
func TestMate(t *testing.T) {
	const end = "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
	if got := thinks(t, "chess", end, "go mate 1"); !strings.Contains(got, " score mate 1 ") || !strings.HasSuffix(got, "bestmove e2e8\n") || strings.Contains(got, " depth 2 ") {
		t.Errorf("%q, want mate in 1 by depth 1", got)
	}
	for _, words := range []string{"mate 2", "mate 2 depth 5", "depth 3 mate 9"} {
		if got := thinks(t, "chess", "go "+words); !strings.Contains(got, " depth 3 ") || strings.Contains(got, " depth 4 ") {
			t.Errorf("go %s: %q, want depth 3 and no more", words, got)
		}
	}
}

// TestSearchMoves asks for the best of some moves only.
func TestSearchMoves(t *testing.T) {
	for _, name := range []string{"neighbors", "othello", "loa", "connect6", "chess"} {
		c := config(t, name)
		m := game.NewMatch(c.Game, c.Start)
		if err := m.Play(m.Legal()[0]); err != nil {
			t.Fatal(err)
		}
		moves := m.Legal()
		for i := range 3 {
			first, second := moves[i*(len(moves)-1)/2], moves[len(moves)/3]
			only := m.Position().Format(first) + " zz " + m.Position().Format(second)
			got := thinks(t, name, "position startpos moves "+c.Start.Format(m.Moves()[0]), "go depth 2 searchmoves "+only)
			_, best, _ := strings.Cut(strings.TrimSpace(got), "bestmove ")
			if best != m.Position().Format(first) && best != m.Position().Format(second) {
				t.Errorf("%s: the best of %s is %s:\n%s", name, only, best, got)
			}
		}
	}
}

// TestPonder lets a search wait for "ponderhit" before its limits count.
func TestPonder(t *testing.T) {
	c := config(t, "othello")
	p := faulty.Fault{}.Start(func(in io.Reader, out io.Writer) error { return protocol.Serve(context.Background(), c, in, out) })
	bestMove := func(line string) bool { return strings.HasPrefix(line, "bestmove ") }
	for _, test := range []struct {
		say  string
		best bool // it is answered by a best move
	}{
		{"go ponder depth 2", false}, {"ponderhit", true}, {"ponderhit", false}, {"stop", false},
		{"go ponder p1time 500 p2time 500", false}, {"stop", true},
		{"go ponder infinite", false}, {"ponderhit", false}, {"stop", true},
		{"go depth 2", true}, {"ponderhit", false},
	} {
		wait := 50 * time.Millisecond
		if test.best {
			wait = time.Minute
		}
		if err := p.Send(test.say); err != nil {
			t.Fatal(err)
		}
		line, err := p.WaitFor(context.Background(), "bestmove", wait, bestMove)
		if test.best != (err == nil) || err != nil && !errors.Is(err, program.ErrTimeout) {
			t.Fatalf("%s: %q, %v, want a best move: %t", test.say, line, err, test.best)
		}
	}
	if err := p.Close("quit"); err != nil {
		t.Error(err)
	}
}

// TestInfinite lets a search of a decided game wait for "stop".
func TestInfinite(t *testing.T) {
	in, feed := io.Pipe()
	var out bytes.Buffer
	done := make(chan error, 1)
	c := config(t, "connect6")
	go func() { done <- protocol.Serve(context.Background(), c, in, &out) }()
	_, _ = io.WriteString(feed, "position fen BBBBB1/6/6/6/6/6 B 1\ngo infinite\n")
	time.Sleep(50 * time.Millisecond) // the search is over by then, and says nothing
	_, _ = io.WriteString(feed, "stop\nisready\nquit\n")
	if err := <-done; err != nil || !strings.HasSuffix(out.String(), "bestmove F0\nreadyok\n") {
		t.Errorf("%v, %q", err, out.String())
	}
}
