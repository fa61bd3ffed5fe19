package train

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/game/board8"
	"quintet/games"
	"quintet/games/chess"
	"quintet/games/loa"
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

// TestMirrored checks that the variants of a position are the eight symmetries of the
// board: all differ, and neighbours stay neighbours.
func TestMirrored(t *testing.T) {
	const cells = 0x00_00_00_00_40_00_03_01 // a0, a1, b1, g3
	var seen []uint64
	for variant := range connectionVariants {
		seen = append(seen, mirrored(cells, variant))
	}
	slices.Sort(seen)
	if n := len(slices.Compact(seen)); n != connectionVariants {
		t.Errorf("%d different mirror images, want %d", n, connectionVariants)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1_000 {
		x := r.Uint64() & r.Uint64() & r.Uint64()
		for variant := range connectionVariants {
			if got, want := board8.Around(mirrored(x, variant)), mirrored(board8.Around(x), variant); got != want {
				t.Fatalf("variant %d of %#x: neighbours %#x, want %#x", variant, x, got, want)
			}
		}
	}
}

// TestConnectionData loads a position of a game and its mirror images.
func TestConnectionData(t *testing.T) {
	o, d := TrainerOf(loa.Game).(*networkTrainer), &connectionData{targets: loa.Targets}
	o.trust = 0.5
	g := &selfplay.Game{
		Plies:  []selfplay.Ply{{Move: game.Shift(8, 10), Score: 400}, {Move: game.Shift(1, 17), Score: engine.Won - 3}},
		Result: game.FirstWins,
	}
	if err := o.addGame(d, loa.Start(), g); err != nil || d.Len() != 1 {
		t.Fatalf("%d positions, want the one without a proved score: %v", d.Len(), err)
	}
	var x network.Example
	for variant := range connectionVariants {
		d.Load(0, variant, &x)
		if want := float32(0.5 + 0.5*10/11); len(x.Features) != 24 || max(x.Target-want, want-x.Target) > 1e-6 {
			t.Errorf("variant %d: %d features, target %f, want 24, %f", variant, len(x.Features), x.Target, want)
		}
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
		{"a halt", selfplay.Ply{Move: move("h1g1"), Score: -200}, 0},
	} {
		o, d := newChessTrainer(), &chessData{}
		o.trust = 0.25
		g := &selfplay.Game{Plies: []selfplay.Ply{test.ply}, Result: game.SecondWins}
		if err := o.addGame(d, start, g); err != nil || d.Len() != test.want {
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
	o, d := newChessTrainer(), &chessData{}
	g := &selfplay.Game{Plies: []selfplay.Ply{{Move: game.Shift(60, 52), Score: 0}}}
	if err := o.addGame(d, checked, g); err != nil || d.Len() != 0 {
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
	file, err := os.ReadFile("../../bots/chess.nnue.gz")
	if err != nil {
		t.Fatal(err)
	}
	e := bots.ChessEvaluation()
	net, err := e.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	settings := newChessTrainer().settings
	settings.Scale = trainScale
	tr := network.From(settings, net)
	eval := e.Knowledge(net.Linear, net).Eval
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

// TestStart checks that each game has as many weights to begin with as its evaluation reads.
func TestStart(t *testing.T) {
	for _, name := range []string{"chess", "loa", "neighbors"} {
		file, err := os.ReadFile("../../bots/" + name + ".nnue.gz")
		if err != nil {
			t.Fatal(err)
		}
		g, err := games.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		o := TrainerOf(g).(*networkTrainer)
		net, err := o.Read(file)
		if err != nil || len(net.Linear) != len(o.linear) {
			t.Errorf("%s: %d weights to begin with, want those of the program: %v", name, len(o.linear), err)
		}
	}
}
