package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/chess"
	"quintet/games/loa"
	"quintet/games/neighbors"
)

const (
	neighborsStuck = "WBWWWWBW/WBWWWWBW/WBWWWWBW/WBWWWWBW/WBWWWWBW/WBWWWWBW/WBWWWWBW/WBWWWWBW B"
	loaStuck       = "BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW B"
)

// from sets up a position of a connection game.
func from(t *testing.T, name, text string) game.Position {
	t.Helper()
	rules := map[string]game.Game{"neighbors": neighbors.Game, "loa": loa.Game}[name]
	p, err := rules.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestConnectionEndings ends the two games in every way that there is, and passes
// in both. What is printed is compared without the boards.
func TestConnectionEndings(t *testing.T) {
	const asked = "B's move: "
	for _, test := range []struct {
		name, text, in, want string
		err                  error
	}{
		{"neighbors", "BW6/8/2B5/8/8/8/8/7W B", "a0 b1", asked + "B wins!\n", nil},
		{"neighbors", "BW6/8/8/8/8/8/8/B6W B", "a0 b0", asked + "W wins!\n", nil},
		{"neighbors", "3W4/2B5/5BW1/6W1/8/8/8/8 B", "f2 d0", asked + "Draw game!\n", nil},
		{"neighbors", "BW6/8/8/3W4/8/5W2/8/B6B B", "a0 b0", asked + "Draw game!\n", nil},
		{"neighbors", neighborsStuck, "", "Draw game!\n", nil},
		{"neighbors", "8/8/2WWW3/2WBW3/8/8/8/W6B B", "", "B has to pass!\nW's move: ", ErrInputEnded},
		{"loa", "B7/2B5/8/8/8/8/8/W6W B", "a0 b0", asked + "B wins!\n", nil},
		{"loa", "B1W5/8/8/8/8/8/8/B6W B", "a0 c0", asked + "W wins!\n", nil},
		{"loa", "3W4/2B5/5BWW/8/8/8/8/8 B", "f2 d0", asked + "Draw game!\n", nil},
		{"loa", loaStuck, "", "Draw game!\n", nil},
		{"loa", "BW6/WW6/8/8/8/8/6WW/6WB B", "", "B has to pass!\nW's move: ", ErrInputEnded},
	} {
		g := from(t, test.name, test.text)
		var out bytes.Buffer
		talk := newDialogue(context.Background(), strings.NewReader(test.in), &out)
		talk.board = smallBoard
		err := playConnection(talk, g)
		_ = talk.flush()
		if got := withoutBoards(out.String()); got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s %s: %q, %v, want %q, %v", test.name, test.text, got, err, test.want, test.err)
		}
	}
}

// withoutBoards drops the lines of boards, but not a prompt before one.
func withoutBoards(out string) string {
	const header = "  a b c d e f g h\n"
	var words strings.Builder
	for i, part := range strings.Split(out, header) {
		if i > 0 {
			part = part[8*len("0 . . . . . . . .\n"):]
		}
		words.WriteString(part)
	}
	return words.String()
}

// TestForfeit checks that a machine without a move prints nothing and moves nothing.
func TestForfeit(t *testing.T) {
	g := chess.NewCourse()
	for cell := range 64 {
		g.Put(cell/8, cell%8, game.Piece{})
	}
	king := game.Piece{Kind: chess.King}
	pawn := game.Piece{Kind: chess.Pawn}
	g.Put(0, 0, king)
	g.Put(0, 1, pawn)
	g.Put(1, 0, pawn)
	g.Put(1, 1, pawn)
	g.Put(7, 7, game.Piece{Kind: chess.King, Side: game.Second})
	var out bytes.Buffer
	talk := newDialogue(context.Background(), strings.NewReader(""), &out)
	before := framedBoard.draw(g.Board())
	err := chessMachine(rand.NewPCG(1, 1))(talk, g, "White")
	_ = talk.flush()
	if err != nil || out.Len() > 0 || framedBoard.draw(g.Board()) != before {
		t.Errorf("a stuck machine: %v, printed %q", err, out.String())
	}
}

// TestRoundsOfPeople plays more rounds than the limit, which is not theirs.
func TestRoundsOfPeople(t *testing.T) {
	var out bytes.Buffer
	err := Run(context.Background(), "chess", Options{Rounds: 1}, strings.NewReader("1 E7 E5 A2 A3 Z0 Z0"), &out)
	if err != nil || strings.Count(out.String(), "Round ") != 3 {
		t.Errorf("%v after %d rounds, want 3", err, strings.Count(out.String(), "Round "))
	}
}

// TestCancelMachines cancels a game that reads nothing, and fails to write one.
func TestCancelMachines(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in := io.MultiReader(strings.NewReader("3 "), readFunc(func([]byte) (int, error) { return 0, io.EOF }))
	rounds := 0
	out := writeFunc(func(p []byte) (int, error) {
		if rounds += bytes.Count(p, []byte("Round ")); rounds == 2 {
			cancel()
		}
		return len(p), nil
	})
	err := Run(ctx, "chess", Options{Random: rand.NewPCG(1, 0)}, in, out)
	if !errors.Is(err, context.Canceled) || rounds > 3 {
		t.Errorf("%v after %d rounds, want it cancelled after 2", err, rounds)
	}
}

type writeFunc func([]byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

// TestUnseeded checks that two games without a random source differ. Agreement in twenty
// rounds by chance will not happen.
func TestUnseeded(t *testing.T) {
	var games [2]bytes.Buffer
	for i := range games {
		if err := Run(context.Background(), "chess", Options{Rounds: 20}, strings.NewReader("3\n"), &games[i]); err != nil {
			t.Fatal(err)
		}
	}
	if games[0].String() == games[1].String() {
		t.Error("two games without a seed are the same")
	}
}

// TestConnectionInput checks that the moves of the two games are two cells of two
// lower-case characters, and that everything else is rejected.
func TestConnectionInput(t *testing.T) {
	for _, test := range []struct {
		start              game.Position
		accepted, rejected []string
	}{
		{loa.Start(), []string{"a1 c1", "a1 c3", "a1 a7"}, []string{
			"a1 b1", "a1 d1", "a1 b2", "a1 a6", "a1 a1", "a0 b1", "b0 b2", "A1 c1", "a1 C1", "a1 c", "a1 c11",
			"a8 c1", "i1 c1", " ", "a1", "a01 c1", "\xff1 c1", "pa ss",
		}},
		{neighbors.Start(), []string{"d0 b2", "d0 d2", "d0 f2", "d0 f0"}, []string{
			"d0 e1", "d0 e2", "d0 b0", "d0 h4", "d0 d0", "a0 b1", "a1 a2", "D0 f2", "d0 F2", "d0 f", "d0 f22",
			"d8 f2", "i0 f2", " ", "d0", "d00 f2", "\xff0 f2", "pa ss",
		}},
	} {
		p := test.start.Clone()
		for _, cells := range test.rejected {
			if from, to, _ := strings.Cut(cells, " "); playCells(p, from, to) || p.String() != test.start.String() {
				t.Errorf("%q is accepted, or has changed the board", cells)
			}
		}
		for _, cells := range test.accepted {
			p := test.start.Clone()
			if from, to, _ := strings.Cut(cells, " "); !playCells(p, from, to) || p.Turn() != game.Second {
				t.Errorf("%q is rejected, or leaves the turn with the first side", cells)
			}
		}
	}
}
