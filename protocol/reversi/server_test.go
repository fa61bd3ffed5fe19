package reversi_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"quintet/engine"
	"quintet/protocol/program"
	"quintet/protocol/reversi"
)

// talk returns what a server says to some lines.
func talk(t testing.TB, protocol, lines string) string {
	t.Helper()
	var out bytes.Buffer
	if err := protocols()[protocol].serve(context.Background(), config(t, "8"), strings.NewReader(lines), &out); err != nil {
		t.Errorf("%q: %v", lines, err)
	}
	return out.String()
}

const startGGF = "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]"

// TestNBoardRefusals lists lines that are answered only by a status.
func TestNBoardRefusals(t *testing.T) {
	for line, want := range map[string]string{
		"castle":                 `unknown command "castle"`,
		"z9":                     `move 1: reading a move: move: cell "z9": outside of the board of 8 by 8, expected from a1 to h8`,
		"move":                   `move 1: reading a move: move: cell "": expected from a1 to h8`,
		"move A1":                `move 1: reading a move: move "a1": not a legal move: a disc on a1 would enclose none of White's`,
		"hint":                   `hint "": expected the number of moves`,
		"set depth x":            `set depth "x": expected 1 or more`,
		"set colour blue":        `set "colour": expected depth, game or contempt`,
		"set contempt low":       `set contempt "low": expected a number`,
		"set game":               `set game: a game that begins with "": expected (;`,
		"set game (;GM[Othello]": `set game: a game with "": expected KEY[value], and ;) at the end`,
		"set game (;GM[Go];)":    `set game: game of "Go": expected GM[Othello]`,
		"set game (;B[D3];)":     `set game: move B[D3]: expected the board BO[...] first`,
		"set game (;BO[8 *];)":   `set game: board "8 *": expected the number of rows, the cells and the side to move`,
		"set game (;BO[10 " + strings.Repeat("-", 100) + " *];)": `set game: board of "10" rows: expected 4, 6 or 8, as moves have two characters`,
		"set game (;BO[4 ---- *];)":                              `set game: board of 4 cells: expected 16`,
		"set game (;BO[4 -----*O--O*----X *];)":                  `set game: cell 'X': expected * for black, O for white, - for empty`,
		"set game (;BO[4 -----*O--O*----- x];)":                  `set game: side to move "x": expected * or O`,
		"set game " + startGGF + "B[A1];)":                       `set game: move 1: reading a move: move "a1": not a legal move: a disc on a1 would enclose none of White's`,
		"set game " + startGGF + "W[D3];)":                       `set game: move 1, D3: it is the turn of black`,
		"set game " + startGGF + "B[D3]B[C3];)":                  `set game: move 2, C3: it is the turn of white`,
	} {
		if got := talk(t, "nboard", line); got != "status "+want+"\n" {
			t.Errorf("%q is answered by %q, want %q", line, got, want)
		}
	}
}

// TestNBoardWaits asks and waits for answers.
func TestNBoardWaits(t *testing.T) {
	for _, test := range []struct{ set, ask, want string }{
		{startGGF + "B[D3]W[C3/1.20/0.5];)", "go", "=== B3/"},
		{startGGF + ";)", "hint 9", "search D3"},
		{startGGF + "B[D3]W[C3];)", "analyze", "analysis 0 "},
		{"(;TI[5:00/0/0]BO[4 **** OOOO **** **** O];)", "go", "=== PA/"},
		{"(;BO[4 **** OOOO **** **** O];)", "analyze", "analysis 0 -8.00"},
	} {
		in, say := io.Pipe()
		said, out := io.Pipe()
		go func() {
			_ = reversi.ServeNBoard(context.Background(), config(t, "8"), in, out)
			_ = out.Close()
		}()
		p := program.FromStreams(say, said)
		if err := errors.Join(p.Send("set depth 3"), p.Send("set game "+test.set), p.Send(test.ask)); err != nil {
			t.Fatal(err)
		}
		_, err := p.WaitFor(context.Background(), test.want, time.Minute, func(line string) bool { return strings.HasPrefix(line, test.want) })
		if err != nil {
			t.Errorf("%s after %s: %v", test.ask, test.set, err)
		}
		if err := p.Close("quit"); err != nil {
			t.Error(err)
		}
	}
}

func TestServeErrors(t *testing.T) {
	broken := errors.New("broken")
	for name, p := range protocols() {
		if err := p.serve(context.Background(), config(t, "8"), iotest.ErrReader(broken), io.Discard); !errors.Is(err, broken) {
			t.Errorf("%s, a broken input: %v", name, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := p.serve(ctx, config(t, "8"), strings.NewReader("name\n"), io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
		in, out := io.Pipe()
		_ = in.Close()
		if err := p.serve(context.Background(), config(t, "8"), strings.NewReader("ping 1\n"), out); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s, a broken output: %v", name, err)
		}
	}
}

// firstMove is a search that does not look ahead.
type firstMove struct{}

func (firstMove) Reset() {}

func (firstMove) Search(_ context.Context, p engine.Position, _ engine.Limit, _ func(engine.Line)) engine.Line {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return engine.Line{}
	}
	return engine.Line{Moves: moves[:1]}
}

// slowMove is a search that takes a second and notes its limits.
type slowMove struct {
	firstMove

	limits []engine.Limit
}

func (s *slowMove) Search(ctx context.Context, p engine.Position, l engine.Limit, _ func(engine.Line)) engine.Line {
	s.limits = append(s.limits, l)
	time.Sleep(time.Second)
	return s.firstMove.Search(ctx, p, l, nil)
}

// TestGTPClocks lists the limit of the last move that a client asks for.
func TestGTPClocks(t *testing.T) {
	clock := func(left time.Duration) engine.Limit { return engine.Limit{Clock: engine.Clock{Left: left}} }
	move := func(time time.Duration) engine.Limit { return engine.Limit{Time: time * 95 / 100} }
	const twice = "\ngenmove b\ngenmove w\ngenmove b"
	for lines, want := range map[string]engine.Limit{
		"genmove b":                                                               {Depth: 2},
		"time_left b 60 0\ngenmove b":                                             clock(time.Minute),
		"time_left b 60 3\ngenmove b":                                             move(20 * time.Second),
		"time_left w 60 3\ngenmove b":                                             clock(time.Millisecond),
		"time_left b -1 0\ngenmove b":                                             {Depth: 2}, // refused
		"time_left b 60 -1\ngenmove b":                                            {Depth: 2},
		"time_settings 60 0 0" + twice:                                            clock(59 * time.Second),
		"time_settings 60 1 0\ngenmove b":                                         {Depth: 2}, // no limit
		"time_settings 0 0 0\ngenmove b":                                          {Depth: 2},
		"time_settings 60 30 3" + twice:                                           clock(59 * time.Second),
		"time_settings 0 30 3\ngenmove b":                                         move(10 * time.Second),
		"time_settings 1 30 3" + twice:                                            move(10 * time.Second), // the main time is over
		"time_settings 0 31 3\ntime_left b 31 3" + twice:                          move(15 * time.Second),
		"time_settings 0 30 3\ntime_left b 2 1" + twice:                           move(10 * time.Second), // the next period
		"time_settings 60 0 0\ngenmove b\nclear_board\ngenmove b":                 clock(time.Minute),
		"time_settings 60 0 0\ntime_settings 0 30 3" + twice:                      move(10 * time.Second),
		"time_settings 60 0 0\ntime_left b 5 0\nundo\ngenmove b":                  clock(5 * time.Second),
		"time_settings 1 -1 0\ngenmove b\n":                                       {Depth: 2}, // refused
		"time_settings 1 0 -1\ngenmove b\n":                                       {Depth: 2},
		"time_left x 60 0\ngenmove b":                                             {Depth: 2},
		"time_settings 0 30 0\ntime_left b 0 0\ngenmove b":                        clock(time.Millisecond),
		"time_settings 60 30 3\ntime_left b 0 0\ngenmove b":                       move(10 * time.Second),
		"time_settings 60 30 3\ntime_left b 0 0\ntime_settings 60 0 0\ngenmove b": clock(time.Minute),
	} {
		synctest.Test(t, func(t *testing.T) {
			c, s := config(t, "8"), &slowMove{}
			c.Search = s
			var out bytes.Buffer
			if err := reversi.ServeGTP(t.Context(), c, strings.NewReader(lines), &out); err != nil || len(s.limits) == 0 {
				t.Fatalf("%q: %v: %s", lines, err, &out)
			}
			if got := s.limits[len(s.limits)-1]; got != want {
				t.Errorf("%q: limit %+v, want %+v: %s", lines, got, want, &out)
			}
		})
	}
}

// FuzzServe says anything to the servers.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		"name\n1 boardsize 6\nplay b c3\ngenmove w\nundo\nshowboard\nfinal_score", "time_settings 1 1 1\ntime_left b 1 0\ngenmove b", "# x\n\t\x01komi 1",
		"set depth 1\nset game " + startGGF + "B[D3/1/2];)\nmove c3\nhint 2\nping 1\ngo\nanalyze\nlearn\nquit", "set game (;TI[1:2:3/4]BO[4 **** OOOO **** **** O];)\ngo\nPA",
	} {
		f.Add(s)
	}
	c := config(f, "8")
	c.Search = firstMove{}
	f.Fuzz(func(t *testing.T, lines string) {
		for name, p := range protocols() {
			if err := p.serve(context.Background(), c, strings.NewReader(lines), io.Discard); err != nil && len(lines) < 1<<20 {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
