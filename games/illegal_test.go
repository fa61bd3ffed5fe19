package games_test

import (
	"errors"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
)

// illegalMoves lists what each game says of moves that are not legal, by positions.
var illegalMoves = []struct {
	game, position string
	why            map[string]string
}{
	{"othello", "#X6/8/8/3XO3/3OX3/8/8/8 X", map[string]string{
		"a1": "a1 is a pit", "b1": "Black has a disc on b1 already", "e4": "White has a disc on e4 already",
		"h8": "a disc on h8 would enclose none of White's", "pass": "Black can move, and passes only when it cannot",
	}},
	{"othello", "XO2/4/4/4 O", map[string]string{"c1": "White cannot move, and must pass", "a1": "Black has a disc on a1 already"}},
	{"othello", "4/4/4/3X O", map[string]string{"a1": "the game is over", "pass": "the game is over"}},
	{"othello", "#9/10/10/10/4XO4/4OX4/10/10/10/10 X", map[string]string{
		"a1": "a1 is a pit", "j10": "a disc on j10 would enclose none of White's", "e5": "Black has a disc on e5 already",
	}},
	{"connect6", "B5/6/6/6/6/5W B 1", map[string]string{
		"A0": "Black has a stone on A0 already", "F5": "White has a stone on F5 already", "pass": "there is no pass in Connect6",
	}},
	{"connect6", "BBBBBB/6/6/6/6/6 W 2", map[string]string{"A1": "the game is over"}},
	{"neighbors", "1BBBWWW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 B", map[string]string{
		"d0e1": "the piece on d0 has 2 neighbours, and moves exactly as many cells, not 1",
		"b0b1": "the piece on b0 has 2 neighbours, and moves exactly as many cells, not 1",
		"d0e2": "d0 and e2 are not on one row, column or diagonal",
		"d0b0": "Black has a piece on b0 already", "e0e2": "the piece on e0 is White's", "d3d4": "there is no piece on d3",
		"d0d0": "a piece moves from one cell to another", "pass": "Black can move, and passes only when it cannot",
	}},
	{"neighbors", "B1B5/8/8/8/8/8/8/W1WW4 W", map[string]string{"a7a6": "the piece on a7 has no neighbours, and cannot move"}},
	{"neighbors", "B1B5/8/8/8/8/8/8/W1WW4 B", map[string]string{"a0a1": "Black cannot move, and must pass"}},
	{"neighbors", "BB6/8/8/8/8/8/8/W1W5 W", map[string]string{"a7a6": "the game is over"}},
	{"loa", "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 B", map[string]string{
		"b0b1": "there are 2 pieces on that line, so b0 moves exactly 2 cells, not 1",
		"b0c2": "b0 and c2 are not on one row, column or diagonal",
		"a1c1": "the piece on a1 is White's", "d4d5": "there is no piece on d4", "b0c0": "Black has a piece on c0 already",
		"pass": "Black can move, and passes only when it cannot",
	}},
	{"loa", "B2W4/8/8/8/W7/8/8/7B B", map[string]string{
		"a0a5": "there are 2 pieces on that line, so a0 moves exactly 2 cells, not 5",
		"h7h6": "", "h7g7": "",
	}},
	{"loa", "B2W1W2/8/8/8/8/8/8/B7 B", map[string]string{"a0d0": "", "a0e0": "there are 3 pieces on that line, so a0 moves exactly 3 cells, not 4"}},
	{"loa", "BW1W4/8/8/8/8/8/8/B7 B", map[string]string{"a0d0": "White's piece on b0 is in the way"}},
	{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", map[string]string{
		"e2e5": "a pawn moves one square ahead (two from home), and captures diagonally ahead",
		"e2d3": "a pawn moves diagonally only to capture, and d3 is empty", "e7e5": "the pawn on e7 is Black's", "e4e5": "there is no piece on e4",
		"a1a5": "White's pawn on a2 is in the way", "f1h3": "White's pawn on g2 is in the way", "d1d3": "White's pawn on d2 is in the way",
		"g1g3": "a knight moves two squares along a rank or file, and one across", "a1b3": "a rook moves along ranks and files",
		"c1c3": "a bishop moves along diagonals", "d1e3": "a queen moves along ranks, files and diagonals",
		"g1e2": "White's pawn on e2 is there already", "a1a1": "a piece moves from one square to another", "pass": "White can move, and passes only when it cannot",
	}},
	{"chess", "4k3/8/8/8/4p3/P3P3/8/R3K2R w", map[string]string{
		"e3e4": "Black's pawn on e4 is in the way", "e3e5": "a pawn moves two squares only from its home rank", "a3a5": "a pawn moves two squares only from its home rank",
		"e1g1": "a king moves one square in any direction; there is no castling here", "e1e2": "",
	}},
	{"chess", "4k3/3p4/8/3N4/8/4b3/4P3/4K3 b", map[string]string{
		"d7d5": "White's knight on d5 is in the way", "d7d6": "", "d7e6": "a pawn moves diagonally only to capture, and e6 is empty",
	}},
	{"chess", "8/8/8/8/8/8/8/K7 b", map[string]string{"a1a2": "the game is over"}},
}

// TestWhyIllegal checks the reasons against illegal moves.
func TestWhyIllegal(t *testing.T) {
	for _, c := range illegalMoves {
		g, err := games.ByName(c.game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Read(c.position)
		if err != nil {
			t.Fatal(err)
		}
		for text, why := range c.why {
			_, err := p.Parse(text)
			switch {
			case len(why) > 78:
				t.Errorf("%q has %d characters: want one line of a terminal", why, len(why))
			case why == "" && err != nil:
				t.Errorf("%s, %s: %s is refused: %v", c.game, c.position, text, err)
			case why == "":
			case !errors.Is(err, game.ErrIllegal) || err.Error() != `move "`+text+`": not a legal move: `+why:
				t.Errorf("%s, %s: %s: %v, want because %s", c.game, c.position, text, err, why)
			}
		}
	}
}

// TestWhyIllegalInMatch checks that a match explains illegal moves that were not read
// from text.
func TestWhyIllegalInMatch(t *testing.T) {
	for _, g := range games.All() {
		p, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, explains := p.(game.Explainer); !explains {
			continue
		}
		m := game.NewMatch(g, p)
		for _, mv := range []game.Move{0, game.Pass, game.Put(2000), game.Shift(2000, 2001), 1<<32 - 1} {
			if err := m.Play(mv); !errors.Is(err, game.ErrIllegal) || !strings.HasPrefix(err.Error(), "move 1: not a legal move: ") {
				t.Errorf("%s: playing %v: %v, want it refused with the reason", g.Name, mv, err)
			}
		}
	}
}
