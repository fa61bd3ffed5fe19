package chess_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

// must reads a position.
func must(t testing.TB, text string) *chess.Position {
	t.Helper()
	p, err := chess.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*chess.Position)
}

// moves returns the notation of the legal moves, or of those from one square.
func moves(p game.Position, from string) string {
	var list []string
	for _, m := range p.Moves(nil) {
		if s := p.Format(m); strings.HasPrefix(s, from) {
			list = append(list, s)
		}
	}
	return strings.Join(list, " ")
}

func TestStart(t *testing.T) {
	p, err := chess.Game.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
	if p.String() != want {
		t.Errorf("the start is %q, want %q", p, want)
	}
	const order = "a2a4 a2a3 b2b4 b2b3 c2c4 c2c3 d2d4 d2d3 e2e4 e2e3 f2f4 f2f3 g2g4 g2g3 h2h4 h2h3 b1a3 b1c3 g1f3 g1h3"
	if got := moves(p, ""); got != order {
		t.Errorf("moves from the start: %s, want %s", got, order)
	}
	if got := p.(*chess.Position).Score(game.First); got != 1128 {
		t.Errorf("White's score at the start is %d, want 1128", got)
	}
}

func TestPieceMoves(t *testing.T) {
	for _, test := range []struct{ name, position, from, want string }{
		{"king steps into attack", "4k3/8/8/8/8/8/3r4/4K3 w", "e1", "e1d2 e1e2 e1f2 e1d1 e1f1"},
		{"check is ignored", "4k3/8/8/8/4r3/8/P7/4K3 w", "a2", "a2a4 a2a3"},
		{"king takes the king", "8/8/8/8/8/4k3/4K3/8 w", "e2", "e2d3 e2e3 e2f3 e2d2 e2f2 e2d1 e2e1 e2f1"},
		{"no castling", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "e1d2 e1e2 e1f2 e1d1 e1f1"},
		{"no en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "e5e6"},
		{"no promotion", "8/P3k3/8/8/8/8/8/4K3 w", "a7", "a7a8"},
		{"pawn on the last rank", "P3k3/8/8/8/8/8/8/4K3 w", "a8", ""},
		{"pawn's first move", "4k3/8/8/8/8/8/4P3/4K3 w", "e2", "e2e4 e2e3"},
		{"pawn's next move", "4k3/8/8/8/8/4P3/8/4K3 w", "e3", "e3e4"},
		{"black pawn's first move", "4k3/4p3/8/8/8/8/8/4K3 b", "e7", "e7e6 e7e5"},
		{"black pawn's next move", "4k3/8/4p3/8/8/8/8/4K3 b", "e6", "e6e5"},
		{"two steps onto a piece", "4k3/8/8/8/4n3/8/4P3/4K3 w", "e2", "e2e3"},
		{"two steps over a piece", "4k3/8/8/8/8/4n3/4P3/4K3 w", "e2", ""},
		{"pawn takes both ways", "4k3/8/8/8/8/3n1n2/4P3/4K3 w", "e2", "e2e4 e2d3 e2e3 e2f3"},
		{"pawn does not take around the rim", "4k3/8/8/7n/P7/7n/8/4K3 w", "a4", "a4a5"},
		{"black pawn takes around no rim", "4k3/8/8/7p/N7/N7/8/4K3 b", "h5", "h5h4"},
		{"knight in the corner", "4k3/8/8/8/8/1P6/8/N3K3 w", "a1", "a1c2"},
		{"rook between pieces", "4k3/8/8/2P5/8/p1R2p2/8/4K3 w", "c3", "c3c4 c3a3 c3b3 c3d3 c3e3 c3f3 c3c2 c3c1"},
		{"bishop between pieces", "4k3/8/5p2/8/3B4/2P5/8/6K1 w", "d4", "d4a7 d4b6 d4f6 d4c5 d4e5 d4e3 d4f2"},
		{"queen between pieces", "4k3/8/8/2ppp3/2pQp3/2ppp3/8/4K3 w", "d4", "d4c5 d4d5 d4e5 d4c4 d4e4 d4c3 d4d3 d4e3"},
	} {
		if got := moves(must(t, test.position), test.from); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.name, test.position, got, test.want)
		}
	}
}

// immobile is White that cannot move: a king and pawns in the corner.
const immobile = "KP6/PP6/8/8/8/8"

func TestResults(t *testing.T) {
	for _, test := range []struct {
		name, position string
		want, stopped  game.Result
		moves          int
	}{
		{"the start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", game.Ongoing, game.Draw, 20},
		{"kings alone", "k7/8/8/8/8/8/8/7K b", game.Ongoing, game.Draw, 3},
		{"White is behind", "k6q/8/8/8/8/8/8/7K w", game.Ongoing, game.SecondWins, 3},
		{"bishops ahead", "k7/8/8/8/8/8/8/BB5K b", game.Ongoing, game.FirstWins, 3},
		{"Black's king is taken", "8/8/8/8/8/8/8/7K b", game.FirstWins, game.FirstWins, 0},
		{"White's king is taken", "k7/8/8/8/8/8/8/QQQQ4 w", game.SecondWins, game.SecondWins, 0},
		{"king taken, more queens", "k7/8/8/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8 w", game.SecondWins, game.FirstWins, 0},
		{"king taken, more black queens", "qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/7K b", game.FirstWins, game.SecondWins, 0},
		{"White must pass", immobile + "/8/7k w", game.Ongoing, game.FirstWins, 1},
		{"Black moves", immobile + "/8/7k b", game.Ongoing, game.FirstWins, 3},
		{"Black must pass", "7K/8/8/8/8/8/pp6/kp6 b", game.Ongoing, game.SecondWins, 1},
		{"all stuck, equal", immobile + "/6pp/6pk w", game.Draw, game.Draw, 0},
		{"all stuck, equal, Black's turn", immobile + "/6pp/6pk b", game.Draw, game.Draw, 0},
		{"all stuck, White ahead", "KP5P/PP6/8/8/8/8/6pp/6pk w", game.FirstWins, game.FirstWins, 0},
		{"all stuck, Black ahead", immobile + "/6pp/p5pk b", game.SecondWins, game.SecondWins, 0},
	} {
		p := must(t, test.position)
		if p.Result() != test.want || p.Stopped() != test.stopped || p.Count() != test.moves || len(p.Moves(nil)) != test.moves {
			t.Errorf("%s, %s: %s, stopped %s, %d moves, want %s, stopped %s, %d moves",
				test.name, test.position, p.Result(), p.Stopped(), p.Count(), test.want, test.stopped, test.moves)
		}
	}
}

func TestForcedPass(t *testing.T) {
	p := must(t, immobile+"/8/7k w")
	if got := moves(p, ""); got != "pass" {
		t.Fatalf("%s: moves %q, want pass", p, got)
	}
	if m := p.Sample(rand.NewPCG(1, 1)); m != game.Pass {
		t.Errorf("%s: Sample gives %s, want a pass", p, m)
	}
	m, err := p.Parse("PASS")
	if err != nil {
		t.Fatal(err)
	}
	p.Play(m)
	if want := immobile + "/8/7k b - - 0 1"; p.String() != want {
		t.Errorf("after the pass: %s, want %s", p, want)
	}
	if _, err := p.Parse("pass"); !errors.Is(err, game.ErrIllegal) {
		t.Errorf("a pass of a side with moves: %v, want %v", err, game.ErrIllegal)
	}
}

// TestKingCapture plays to the capture of either king.
func TestKingCapture(t *testing.T) {
	for _, test := range []struct {
		line string
		want game.Result
	}{
		{"e2e4 d7d5 f1b5 a7a6 b5e8", game.FirstWins},
		{"d2d4 e7e5 a2a3 f8b4 h2h3 b4e1", game.SecondWins},
	} {
		m := game.NewMatch(chess.Game, chess.Start())
		for _, s := range strings.Fields(test.line) {
			if err := m.PlayText(s); err != nil {
				t.Fatal(err)
			}
		}
		if want := (game.Outcome{Result: test.want, Reason: game.ByRules}); m.Outcome() != want {
			t.Errorf("%s: %v, want %v", test.line, m.Outcome(), want)
		}
		text := m.Position().String()
		if p := must(t, text); p.Result() != test.want || p.String() != text || p.Key() != m.Position().Key() {
			t.Errorf("%s is read as %s, %s", text, p, p.Result())
		}
	}
}

// TestRepetition shuffles knights until the start occurs for the third time.
func TestRepetition(t *testing.T) {
	for _, test := range []struct {
		start string
		want  game.Result
	}{
		{chess.Start().String(), game.Draw},
		{"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", game.FirstWins},
	} {
		m := game.NewMatch(chess.Game, must(t, test.start))
		for i, s := range strings.Fields("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8") {
			if m.Over() {
				t.Errorf("over after %d plies", i)
			}
			if err := m.PlayText(s); err != nil {
				t.Fatal(err)
			}
		}
		if want := (game.Outcome{Result: test.want, Reason: game.Repetition}); m.Outcome() != want {
			t.Errorf("%s: %v, want %v", test.start, m.Outcome(), want)
		}
	}
}

func TestHaltOption(t *testing.T) {
	o, ok := chess.Game.Option("halt")
	want := []string{string(game.HaltClaim), string(game.HaltAgreed), string(game.HaltNone)}
	if !ok || !slices.Equal(o.Choices, want) || o.Default != string(game.HaltClaim) {
		t.Errorf("option halt: %+v", o)
	}
	if _, err := chess.Game.Start(game.Setup{"halt": "sometimes"}); err == nil {
		t.Error("halt=sometimes was accepted")
	}
	m := game.NewMatch(chess.Game, must(t, "k7/8/8/8/8/8/8/BR5K b"))
	if over, err := m.Halt(game.Second, game.HaltClaim); !over || err != nil || m.Outcome().Result != game.FirstWins {
		t.Errorf("halted: %t, %v, %v", over, err, m.Outcome())
	}
}

func TestKey(t *testing.T) {
	seen := map[uint64]string{}
	for _, text := range []string{
		"k7/8/8/8/8/8/8/K7 w", "k7/8/8/8/8/8/8/K7 b", "k7/8/8/8/8/8/8/1K6 w", "K7/8/8/8/8/8/8/k7 w",
		"k7/8/8/Q7/8/8/8/K7 w", "k7/8/8/R7/8/8/8/K7 w", "k7/8/8/B7/8/8/8/K7 w", "k7/8/8/N7/8/8/8/K7 w", "k7/8/8/P7/8/8/8/K7 w",
		"k7/8/8/q7/8/8/8/K7 w", "k7/8/8/r7/8/8/8/K7 w", "k7/8/8/b7/8/8/8/K7 w", "k7/8/8/n7/8/8/8/K7 w", "k7/8/8/p7/8/8/8/K7 w",
	} {
		p := must(t, text)
		if before, twice := seen[p.Key()]; twice {
			t.Errorf("%s has the key of %s", text, before)
		}
		seen[p.Key()] = text
	}
	a, b := chess.Start(), chess.Start()
	playAll(t, a, "g1f3 g8f6 b1c3 b8c6")
	playAll(t, b, "b1c3 b8c6 g1f3 g8f6")
	if a.Key() != b.Key() || *a != *b {
		t.Errorf("%s and %s by another order differ", a, b)
	}
}

func playAll(t testing.TB, p game.Position, line string) {
	t.Helper()
	for _, s := range strings.Fields(line) {
		m, err := p.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
}
