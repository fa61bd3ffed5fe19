package reversi_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/faulty"
	"quintet/protocol/program"
	"quintet/protocol/reversi"
)

// player is what the two have in common.
type player interface {
	Choose(context.Context, *game.Match, engine.Limit) (game.Move, error)
	NewGame(uint64)
	LastAnswer() string
	Score() (int, bool)
	Close() error
}

// open makes a player of our own engine with a fault.
func open(t *testing.T, protocol string, f faulty.Fault) player {
	t.Helper()
	c := config(t, "8")
	start := func() (*program.Program, error) {
		return f.Start(func(in io.Reader, out io.Writer) error {
			return protocols()[protocol].serve(context.Background(), c, in, out)
		}), nil
	}
	var p player
	var err error
	if protocol == "gtp" {
		p, err = reversi.NewGTPOver(start)
	} else {
		p, err = reversi.NewNBoardOver(2, start)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPlays plays random games with takebacks, and requests a move in every position.
func TestPlays(t *testing.T) {
	for protocol := range protocols() {
		for _, setup := range []game.Setup{{"size": "4"}, {"size": "6"}, {}, {"start": "standard"}, {"size": "6", "start": "standard"}} {
			p := open(t, protocol, faulty.Fault{})
			start, err := othello.Game.Start(setup)
			if err != nil {
				t.Fatal(err)
			}
			m := game.NewMatch(othello.Game, start)
			p.NewGame(1)
			for n := 0; !m.Over(); n++ {
				mv, err := p.Choose(context.Background(), m, engine.Limit{})
				if err != nil || !game.Legal(m.Position(), mv) {
					t.Fatalf("%s: %v, %v at %s", protocol, mv, err, m.Position())
				}
				if n%3 == 1 { // play something else
					mv = m.Legal()[0]
				}
				if err := m.Play(mv); err != nil {
					t.Fatal(err)
				}
				if n%5 == 4 {
					m.Undo()
				}
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPlayersFaults lists the errors for faulty programs; the players keep using them.
func TestPlayersFaults(t *testing.T) {
	limit := engine.Limit{Time: time.Millisecond}
	crash, silent := program.ErrEnded, context.DeadlineExceeded
	for _, test := range []struct {
		protocol string
		fault    faulty.Fault
		is       error // what it says to those who know no programs; nil for another error
		err      string
	}{
		{"gtp", faulty.Fault{Output: faulty.Line("= D3", "= A1")}, game.ErrIllegal, `"A1": reading a move: move "h1": not a legal move`},
		{"gtp", faulty.Fault{Output: faulty.Line("= D3", "= PASS")}, game.ErrIllegal, `"PASS": reading a move`},
		{"gtp", faulty.Fault{Output: faulty.Line("= D3", "= resign")}, game.ErrResigned, `"resign": the player resigns`},
		{"gtp", faulty.Fault{Output: faulty.Line("= D3", "= RESIGN")}, game.ErrResigned, `"RESIGN": the player resigns`},
		{"gtp", faulty.Fault{Output: faulty.Line("= D3", "= nowhere")}, game.ErrIllegal, `"nowhere": not a legal move: reading a move`},
		{"gtp", faulty.Fault{Output: faulty.Line("= D3", "=")}, game.ErrIllegal, `"": not a legal move: reading a move`},
		{"gtp", faulty.Fault{Output: faulty.Line("= D3", "? thinking is hard")}, game.ErrIllegal, `"? thinking is hard": not a legal move: genmove is refused`},
		{"gtp", faulty.Fault{Input: faulty.Line("genmove", faulty.End)}, crash, "waiting for the answer to genmove black: the program has ended"},
		{"gtp", faulty.Fault{Input: faulty.Line("genmove", faulty.Hang)}, silent, "waiting for the answer to genmove black: no answer in time"},
		{"gtp", faulty.Fault{Input: faulty.Line("boardsize", "boardsize 7")}, nil, `boardsize 8 is answered by "unacceptable size"`},
		{"nboard", faulty.Fault{Output: faulty.Line("===", "=== A1/0/0")}, game.ErrIllegal, `"=== A1/0/0": reading a move`},
		{"nboard", faulty.Fault{Output: faulty.Line("===", "=== PA")}, game.ErrIllegal, `"=== PA": reading a move`},
		{"nboard", faulty.Fault{Output: faulty.Line("===", "===")}, game.ErrIllegal, `"===": not a legal move: expected a move after ===`},
		{"nboard", faulty.Fault{Output: faulty.Line("===", "=== somewhere")}, game.ErrIllegal, `"=== somewhere": not a legal move: reading a move`},
		{"nboard", faulty.Fault{Input: faulty.Line("go", faulty.End)}, crash, "waiting for ===: the program has ended"},
		{"nboard", faulty.Fault{Input: faulty.Line("go", faulty.Hang)}, silent, "waiting for ===: no answer in time"},
	} {
		t.Run(test.protocol+" "+test.err, func(t *testing.T) {
			t.Parallel()
			test.fault.Output = withFault(test.fault.Output, faulty.Prefix("= E", "= D3\x00"), faulty.Prefix("= C", "= D3\x00"), faulty.Prefix("= F", "= D3\x00"))
			p := open(t, test.protocol, test.fault)
			m := game.NewMatch(othello.Game, config(t, "8").Start)
			for range 2 { // the second time after a restart, if necessary
				p.NewGame(1)
				_, err := p.Choose(context.Background(), m, limit)
				if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%v, want %v with %q", err, test.is, test.err)
				}
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// withFault returns a function that applies others first: the first of the four first moves
// stands for all.
func withFault(last func(string) string, first ...func(string) string) func(string) string {
	return func(line string) string {
		for _, f := range first {
			line = f(line)
		}
		line, _, _ = strings.Cut(line, "\x00")
		if last != nil {
			line = last(line)
		}
		return line
	}
}

// TestForms lists the forms of moves and values in programs' answers.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		protocol, said string
		score          int
		known          bool
	}{
		{"gtp", "= D3", 0, false},
		{"gtp", "= d3", 0, false},
		{"gtp", "=d3", 0, false},
		{"nboard", "=== D3", 0, false},
		{"nboard", "=== D3/1.25/0.1", 125, true},
		{"nboard", "=== d3 -1.25 0.1", -125, true},
		{"nboard", "=== D3//0.1", 0, false},
		{"nboard", "=== D3/nan/0.1", 0, false},
		{"nboard", "=== D3/1e9/0.1", 0, false},
	} {
		prefix := map[string]string{"gtp": "= ", "nboard": "==="}[test.protocol]
		p := open(t, test.protocol, faulty.Fault{Output: func(line string) string {
			if strings.HasPrefix(line, prefix) && !strings.HasPrefix(line, "= 2") {
				return test.said
			}
			return line
		}})
		m := game.NewMatch(othello.Game, config(t, "8").Start)
		mv, err := p.Choose(context.Background(), m, engine.Limit{})
		score, known := p.Score()
		if err != nil || m.Position().Format(mv) != "e3" || score != test.score && test.known || known != test.known || p.LastAnswer() == "" {
			t.Errorf("%s %q: %v, %v, score %d, %t, said %q", test.protocol, test.said, mv, err, score, known, p.LastAnswer())
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRefusals lists what the protocols cannot tell.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ protocol, size, pits, position, err string }{
		{"gtp", "8", "a1", "", "pits: gtp and nboard cannot express them: use ugi"},
		{"nboard", "8", "a1", "", "pits: gtp and nboard cannot express them: use ugi"},
		{"nboard", "10", "", "", "board of 10 rows: nboard supports only 4, 6 or 8: use gtp or ugi"},
		{"gtp", "", "", "8/8/8/3OX3/3XO3/8/8/8 O", "gtp: the protocol can only begin at the start of the game"},
		{"gtp", "", "", "8/8/8/3XO3/3OX3/8/8/8 O", "gtp: the protocol can only begin at the start of the game"},
	} {
		pos, err := othello.Game.Start(game.Setup{"size": test.size, "pits": test.pits})
		if test.position != "" {
			pos, err = othello.Game.Read(test.position)
		}
		if err != nil {
			t.Fatal(err)
		}
		p := open(t, test.protocol, faulty.Fault{})
		if _, err := p.Choose(context.Background(), game.NewMatch(othello.Game, pos), engine.Limit{}); err == nil || err.Error() != test.err {
			t.Errorf("%s, %s: %v, want %s", test.protocol, pos, err, test.err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// script is the other end of a program that says a text.
type script struct{ io.Reader }

func (script) Close() error { return nil }

// failingWriter fails every write.
type failingWriter struct{ io.Writer }

func (failingWriter) Close() error { return nil }

func answers(text string) func() (*program.Program, error) {
	return func() (*program.Program, error) {
		return program.FromStreams(failingWriter{io.Discard}, script{strings.NewReader(text)}), nil
	}
}

// FuzzPlayers reads arbitrary output of a program: a move returned without an error can be
// parsed, and nothing hangs.
func FuzzPlayers(f *testing.F) {
	for _, s := range []string{
		"= 2\n\n=\n\n=\n\n= D3\n\n", "=1 2\n\n?\n\n", "= 2\n\n=\n\n=\n\n= pass\n\n", "pong 1\n\nset myname x\npong 2\n=== F5/1.0/0\n",
		"pong 1\npong 2\n===\n", "pong 1\npong 2\n=== D3 1.0 2\n", "= 2\n\n=\n\n=\n\n= z\xff\n\n",
	} {
		f.Add(s)
	}
	p, err := othello.Game.Start(nil)
	if err != nil {
		f.Fatal(err)
	}
	m := game.NewMatch(othello.Game, p)
	f.Fuzz(func(t *testing.T, text string) {
		gtp, err := reversi.NewGTPOver(answers(text))
		if err == nil {
			listen(t, gtp, m)
		}
		nboard, err := reversi.NewNBoardOver(1, answers(text))
		if err == nil {
			listen(t, nboard, m)
		}
	})
}

func listen(t *testing.T, p player, m *game.Match) {
	t.Helper()
	if mv, err := p.Choose(context.Background(), m, engine.Limit{Time: time.Millisecond}); err == nil && mv != 0 && !game.Legal(m.Position(), mv) {
		t.Errorf("plays %v", mv)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
