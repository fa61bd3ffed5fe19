package bots

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/lab/train/network"
	"quintet/lab/train/selfplay"
)

func readChess(t *testing.T, text string) *chess.Position {
	t.Helper()
	p, err := chess.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*chess.Position)
}

// sortedFeatures returns the features as a player sees them who finds them with a mask.
func sortedFeatures(f *chessFeatures, mask uint16) (list []uint16) {
	for _, feature := range f.list[:f.n] {
		list = append(list, feature^mask)
	}
	slices.Sort(list)
	return list
}

// TestChessFeatures lists the features of positions by hand.
func TestChessFeatures(t *testing.T) {
	feature := func(kind, cell, side int) uint16 { return uint16((kind*64+cell)*2 + side) }
	const a1, a7, b1, b8, d1, e1 = 56, 8, 57, 1, 59, 60
	for _, test := range []struct {
		position string
		mask     uint16
		want     []uint16
	}{
		{"1k6/p7/8/8/8/8/8/RK6 w", 1, []uint16{feature(3, a1, 0), feature(5, b1, 0), feature(0, a7^56, 1), feature(5, b8^56, 1)}},
		{"1k6/p7/8/8/8/8/8/RK6 b", 1, []uint16{feature(3, a1, 1), feature(5, b1, 1), feature(0, a7^56, 0), feature(5, b8^56, 0)}},
		{"1k6/p7/8/8/8/8/8/3QK3 w", 1 | chessMirror, []uint16{feature(4, d1^7, 0), feature(5, e1^7, 0), feature(0, a7^63, 1), feature(5, b8^63, 1)}},
		{"1k6/p7/8/8/8/8/8/3QK3 b", 1 | chessMirror, []uint16{feature(4, d1, 1), feature(5, e1, 1), feature(0, a7^56, 0), feature(5, b8^56, 0)}},
	} {
		var f chessFeatures
		f.read(readChess(t, test.position))
		slices.Sort(test.want)
		if got := sortedFeatures(&f, 0); !slices.Equal(got, test.want) || f.mask != test.mask {
			t.Errorf("%s: features %v with mask %d, want %v with %d", test.position, got, f.mask, test.want, test.mask)
		}
	}
}

// TestChessMask lets the opponent move: it sees each feature changed by the mask.
func TestChessMask(t *testing.T) {
	randomChess(t, 20, func(p *chess.Position) {
		q := *p
		q.Play(game.Pass)
		var own, other chessFeatures
		own.read(p)
		other.read(&q)
		if a, b := sortedFeatures(&own, own.mask), sortedFeatures(&other, 0); !slices.Equal(a, b) || own.mask != other.mask {
			t.Fatalf("%s: the opponent sees %v by the mask, %v by itself", p, a, b)
		}
	})
}

// TestChessInput compares the features that an evaluation meets with those of the list.
func TestChessInput(t *testing.T) {
	randomChess(t, 20, func(p *chess.Position) {
		e := chessEval{weights: &chessTable{}}
		e.count(p)
		var f chessFeatures
		f.read(p)
		if a, b := sortedFeatures(&e.input, 0), sortedFeatures(&f, 0); !slices.Equal(a, b) || e.input.mask != f.mask {
			t.Fatalf("%s: the evaluation meets %v, want %v", p, a, b)
		}
	})
}

// TestChessBuckets checks that every number of men has an output.
func TestChessBuckets(t *testing.T) {
	for n, want := range map[int]int{0: 0, 2: 0, 4: 0, 5: 1, 28: 6, 29: 7, 32: 7, 64: 7} {
		if got := (&chessFeatures{n: n}).bucket(); got != want {
			t.Errorf("%d men: bucket %d, want %d", n, got, want)
		}
	}
}

// TestChessLinear packs and unpacks weights.
func TestChessLinear(t *testing.T) {
	want := chessStart()
	want[3] = packWeight(-300, -1)
	want[4] = packWeight(300, -500)
	if got := tableChess(linearChess(want)); *got != *want {
		t.Errorf("packed again: %v, want %v", got, want)
	}
}

// TestChessData keeps the quiet positions of a game, and loads one.
func TestChessData(t *testing.T) {
	start := readChess(t, "4k3/3p4/8/8/8/2n5/3P4/4K2R w")
	move := func(text string) game.Move {
		m, err := start.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, test := range []struct {
		name string
		ply  selfplay.Ply
		want int
	}{
		{"quiet", selfplay.Ply{Move: move("h1g1"), Score: 400}, 1},
		{"a capture", selfplay.Ply{Move: move("d2c3"), Score: 400}, 0},
		{"proved", selfplay.Ply{Move: move("h1g1"), Score: engine.Won - 9}, 0},
		{"a proved loss", selfplay.Ply{Move: move("h1g1"), Score: 9 - engine.Won}, 0},
		{"a halt", selfplay.Ply{Move: move("h1g1"), Score: -chessHalt}, 0},
	} {
		d := &chessData{trust: 0.25}
		g := &selfplay.Game{Plies: []selfplay.Ply{test.ply}, Result: game.SecondWins}
		if err := d.addGame(start, g); err != nil || d.Len() != test.want {
			t.Errorf("%s: %d positions, want %d: %v", test.name, d.Len(), test.want, err)
		}
		var x network.Example
		for i := range d.Len() {
			d.Load(i, 0, &x)
			if want := float32(0.75 * 10 / 11); max(x.Target-want, want-x.Target) > 1e-6 || len(x.Features) != 6 || x.Mask != 1 || x.Bucket != 1 {
				t.Errorf("%s: target %f, %d features, mask %d, bucket %d", test.name, x.Target, len(x.Features), x.Mask, x.Bucket)
			}
		}
	}
	checked := readChess(t, "4k3/8/8/8/8/8/8/r3K2R w")
	d := &chessData{}
	g := &selfplay.Game{Plies: []selfplay.Ply{{Move: game.Shift(60, 52), Score: 0}}}
	if err := d.addGame(checked, g); err != nil || d.Len() != 0 {
		t.Errorf("in check: %d positions, want none: %v", d.Len(), err)
	}
}

// TestChessLead loads a position with the knight's side and with the rook's side ahead: the
// knight alone can hardly win.
func TestChessLead(t *testing.T) {
	p := readChess(t, "4k2r/8/8/8/8/8/8/N3K3 w")
	d := &chessData{samples: []chessSample{{*p, 0.9}, {*p, 0.1}}}
	var knight, rook network.Example
	d.Load(0, 0, &knight)
	d.Load(1, 0, &rook)
	for i, term := range rook.Terms {
		if got := knight.Terms[i]; got.Feature != term.Feature || 4*got.Count != term.Count {
			t.Errorf("the knight ahead: %v, want a quarter of %v", got, term)
		}
	}
}

// TestChessNetworkInteger compares the evaluation in integers with the one that the
// training computes, on the weights that come with the program.
func TestChessNetworkInteger(t *testing.T) {
	net := networkOf(readChessNetwork, chessNetwork)
	settings := newChessTrainer().settings
	settings.Scale = trainScale
	tr := network.From(settings, net)
	eval := evalChess(net.Linear, net)
	d := &chessData{}
	r := rand.NewPCG(7, 7)
	for range 60 {
		p := chess.Start()
		for ply := 0; ply < 60 && !p.Result().Over(); ply++ {
			p.Play(p.Sample(r))
		}
		if p.Result().Over() {
			continue
		}
		score := eval(p)
		d.samples = []chessSample{{*p, trainTarget(0, game.Ongoing, p.Turn(), score)}}
		if loss := tr.Loss(d); loss > 1e-4 { // a hundredth in the expected result
			t.Errorf("%s: score %d, but a loss of %f", p, score, loss)
		}
	}
}
