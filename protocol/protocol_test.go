package protocol_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/protocol"
	"quintet/protocol/program"
)

// cache spares the servers of the tests reading the weights of Othello, which takes a second each
// with the race detector.
var cache = bots.NewCache()

func config(t testing.TB, name string) protocol.Config {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	return protocol.Config{Game: g, Start: p, New: func(megabytes, threads int) engine.Searcher {
		s, err := bots.Searcher(g, bots.Options{Megabytes: min(megabytes, 4), Threads: min(threads, 4), Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}}
}

// talk returns what the server says to some lines.
func talk(t testing.TB, name, lines string) string {
	t.Helper()
	return talkTo(t, config(t, name), lines)
}

func talkTo(t testing.TB, c protocol.Config, lines string) string {
	t.Helper()
	var out bytes.Buffer
	if err := protocol.Serve(context.Background(), c, strings.NewReader(lines), &out); err != nil {
		t.Errorf("%q: %v", lines, err)
	}
	return out.String()
}

// TestAnswers lists lines with fixed answers.
func TestAnswers(t *testing.T) {
	for _, test := range []struct{ game, lines, want string }{
		{"othello", "isready", "readyok\n"},
		{"othello", "\n  \nisready\nquit\nisready", "readyok\n"},
		{"othello", "query p1turn\nposition startpos moves e3\nquery p1turn", "response true\nresponse false\n"},
		{"othello", "position fen XXXX/XXXX/XXOO/OOOO X\nquery gameover\nquery result", "response true\nresponse p1win\n"},
		{"othello", "position fen XXXX/XXXX/OOOO/OOOO X\nquery result\ngo", "response draw\nbestmove pass\n"},
		{"othello", "position fen XXXX/XXXX/XXXX/XXO1 O\ngo depth 4\nstop", "~bestmove pass\n"},
		{"connect6", "position fen BBBBBB/6/6/6/6/6 W 2\nquery result", "response p1win\n"},
		{"chess", "uci\nposition fen KP6/PP6/8/8/8/8/8/7k w - - 0 1 moves 0000\nquery p1turn", "~uciok\nresponse false\n"},

		{"othello", "nonsense", "info string unknown command \"nonsense\"\n"},
		{"othello", "go-away now", "info string unknown command \"go-away\"\n"},
		{"othello", "xyzzy isready", "info string unknown command \"xyzzy\"\nreadyok\n"},
		{"othello", "well then query p1turn", "info string unknown command \"well\"\nresponse true\n"},
		{"othello", "joho debug on\ndebug off", "info string unknown command \"joho\"\n"},
		{"othello", "so quit\nisready", "info string unknown command \"so\"\n"},
		{"othello", "ponderhit\nstop\nisready", "readyok\n"},
		{"othello", "position", "info string position \"\": expected startpos or fen TEXT\n"},
		{"othello", "position here", "info string position \"here\": expected startpos or fen TEXT\n"},
		{"othello", "position fen x y", "~info string reading the position: position \"x y\": row 1"},
		{"othello", "position startpos moves e3 zz", "~info string move 2: reading a move: move: cell \"zz\""},
		{"othello", "query weather", "info string query \"weather\": expected p1turn, gameover or result\n"},
		{"othello", "setoption Hash 5", "info string setoption \"Hash 5\": expected name NAME value VALUE\n"},
		{"othello", "setoption name Hash value 0", "info string option Hash \"0\": expected a number from 1 to 4096\n"},
		{"othello", "setoption name nodestime value -1", "~info string option nodestime \"-1\": expected the nodes that count as a millisecond"},
		{"othello", "setoption name nodestime value 0", ""},
		{"othello", "setoption name Depth value 3", "info string option \"Depth\": expected Hash, Threads or nodestime\n"},
	} {
		got := talk(t, test.game, test.lines)
		if want, part := strings.CutPrefix(test.want, "~"); part && strings.Contains(got, want) || !part && got == want {
			continue
		}
		t.Errorf("%s: %q is answered by %q, want %q", test.game, test.lines, got, test.want)
	}
}

func TestServeErrors(t *testing.T) {
	broken := errors.New("broken")
	if err := protocol.Serve(context.Background(), config(t, "loa"), iotest.ErrReader(broken), io.Discard); !errors.Is(err, broken) {
		t.Errorf("a broken input: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := protocol.Serve(ctx, config(t, "loa"), strings.NewReader("isready\n"), io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	in, out := io.Pipe()
	_ = in.Close()
	if err := protocol.Serve(context.Background(), config(t, "loa"), strings.NewReader("isready\n"), out); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a broken output: %v", err)
	}
}

// script starts a shell that answers as a program would.
func script(t *testing.T, answers string) (*protocol.Client, error) {
	t.Helper()
	ctx, spec := context.Background(), program.Spec{Command: "sh testdata/" + answers}
	return protocol.NewClient(ctx, protocol.UGI, spec, spec.Starter(ctx))
}

// TestClients plays with programs that behave in different ways.
func TestClients(t *testing.T) {
	c := config(t, "othello")
	for name, test := range map[string]struct {
		is  error  // what the error says to those who know no programs
		err string // "" for a legal move
	}{
		"good.sh":    {nil, ""},
		"illegal.sh": {game.ErrIllegal, `^"bestmove a1": reading a move: move "a1": not a legal move: a disc on a1 would enclose none of White's$`},
		"garbled.sh": {game.ErrIllegal, `^"bestmove zz9": not a legal move: reading a move: move: cell "zz9"`},
		"empty.sh":   {game.ErrIllegal, `^"bestmove": not a legal move: expected a move after bestmove$`},
		"none.sh":    {game.ErrIllegal, `^"bestmove \(none\)": not a legal move: reading a move`},
		"resigns.sh": {game.ErrResigned, `^"bestmove resign": the player resigns$`},
		"dies.sh":    {program.ErrEnded, "the program has ended"},
		"stalls.sh":  {context.DeadlineExceeded, "no answer in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := script(t, name)
			if err != nil {
				t.Fatal(err)
			}
			p.NewGame(1)
			m := game.NewMatch(c.Game, c.Start)
			mv, err := p.Choose(context.Background(), m, engine.Limit{Time: time.Millisecond})
			switch {
			case !errors.Is(err, test.is), test.err != "" && (err == nil || !regexp.MustCompile(test.err).MatchString(err.Error())):
				t.Errorf("%v, want %v with %q", err, test.is, test.err)
			case test.err == "" && !game.Legal(c.Start, mv):
				t.Errorf("plays %v, want a legal move", mv)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	spec := program.Spec{Command: "  "}
	_, err := protocol.NewClient(context.Background(), protocol.UCI, spec, spec.Starter(context.Background()))
	if want := "no command: give one, such as ./engine --option"; err == nil || err.Error() != want {
		t.Errorf("no command: %v, want %s", err, want)
	}
}

// FuzzServe says anything to the server.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		"ugi\nisready\nposition startpos moves e3\ngo depth 1", "uci\nsetoption name Hash value 1", "query result\nposition fen 4/1XO1/1OX1/4 X",
		"uci\njoho go ponder mate 2 searchmoves e3 zz wtime 5\nponderhit\nstop\ngo depth\ngo movetime x nodes 3",
	} {
		f.Add(s)
	}
	c := config(f, "othello")
	c.New = func(int, int) engine.Searcher { return firstMove{} }
	f.Fuzz(func(t *testing.T, lines string) {
		if err := protocol.Serve(context.Background(), c, strings.NewReader(lines), io.Discard); err != nil && len(lines) < 1<<20 {
			t.Error(err)
		}
	})
}

// firstMove is a search that does not look ahead.
type firstMove struct{}

func (firstMove) Reset() {}

func (firstMove) Search(_ context.Context, p engine.Position, _ engine.Limit, _ func(engine.Line)) engine.Line {
	return engine.Line{Moves: p.Moves(nil)[:1]}
}

// stream is an end of a program that is not there.
type stream struct {
	io.Reader
	io.Writer
}

func (stream) Close() error { return nil }

// FuzzClient reads arbitrary output of a program: a move returned without an error is legal
// or zero, and nothing hangs.
func FuzzClient(f *testing.F) {
	for _, s := range []string{
		"ugiok\nreadyok\nbestmove e3\n", "option name Hash type spin\nuciok\nreadyok\nbestmove 0000", "ugiok\nreadyok\nbestmove\n", "\x00\nugiok x\n",
	} {
		f.Add(s)
	}
	c := config(f, "othello")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []protocol.Dialect{protocol.UGI, protocol.UCI} {
			p, err := protocol.NewClientOver(d, []program.Option{{Name: "Hash", Value: "1"}}, func() (*program.Program, error) {
				return program.FromStreams(stream{Writer: io.Discard}, stream{Reader: strings.NewReader(text)}), nil
			})
			if err != nil {
				continue
			}
			mv, err := p.Choose(context.Background(), game.NewMatch(c.Game, c.Start), engine.Limit{Time: time.Millisecond})
			if err == nil && mv != 0 && !game.Legal(c.Start, mv) {
				t.Errorf("plays %v", mv)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestClientRestarts plays with a program that ends after each move.
func TestClientRestarts(t *testing.T) {
	c := config(t, "othello")
	starts := 0
	p, err := protocol.NewClientOver(protocol.UGI, nil, func() (*program.Program, error) {
		starts++
		return program.FromStreams(stream{Writer: io.Discard}, stream{Reader: strings.NewReader("ugiok\nreadyok\nreadyok\nbestmove e3\n")}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		p.NewGame(1)
		mv, err := p.Choose(context.Background(), game.NewMatch(c.Game, c.Start), engine.Limit{Time: time.Millisecond})
		if n%2 == 0 && (err != nil || !game.Legal(c.Start, mv)) {
			t.Errorf("move %d: %v, %v", n, mv, err)
		}
	}
	if starts < 3 {
		t.Errorf("started %d times, want a start for each end", starts)
	}
}

// TestClientKeepsRunning keeps using a program after an illegal move, because it has not
// crashed.
func TestClientKeepsRunning(t *testing.T) {
	c := config(t, "othello")
	starts := 0
	p, err := protocol.NewClientOver(protocol.UGI, nil, func() (*program.Program, error) {
		starts++
		said := "ugiok\nreadyok\nbestmove a1\nbestmove e3e4q\nbestmove\nbestmove Resign\nbestmove e3\n"
		return program.FromStreams(stream{Writer: io.Discard}, stream{Reader: strings.NewReader(said)}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{game.ErrIllegal, game.ErrIllegal, game.ErrIllegal, game.ErrResigned, nil} {
		if _, err := p.Choose(context.Background(), game.NewMatch(c.Game, c.Start), engine.Limit{Time: time.Millisecond}); !errors.Is(err, want) {
			t.Errorf("answer %d: %v, want %v", i+1, err, want)
		}
	}
	if starts != 1 {
		t.Errorf("started %d times, want once", starts)
	}
}

// TestOptions sends options; unknown ones are an error.
func TestOptions(t *testing.T) {
	const said = "option name Hash type spin\noption name Clear Hash type button\nugiok\nreadyok\n"
	for _, test := range []struct{ option, sent, err string }{
		{"Hash", "setoption name Hash value 7\n", ""},
		{"hash", "setoption name hash value 7\n", ""},
		{"Clear Hash", "setoption name Clear Hash value 7\n", ""},
		{"Variant", "", `greeting "": option "Variant": the program has only Hash, Clear Hash`},
	} {
		var sent bytes.Buffer
		_, err := protocol.NewClientOver(protocol.UGI, []program.Option{{Name: test.option, Value: "7"}}, func() (*program.Program, error) {
			return program.FromStreams(stream{Writer: &sent}, stream{Reader: strings.NewReader(said)}), nil
		})
		if test.err == "" && err != nil || test.err != "" && (err == nil || err.Error() != test.err) || !strings.Contains(sent.String(), test.sent) {
			t.Errorf("%s: %q, %v", test.option, sent.String(), err)
		}
	}
}
