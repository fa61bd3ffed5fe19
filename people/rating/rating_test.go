package rating

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPaper checks the example of Glickman's paper, whose tau is 0.5.
func TestPaper(t *testing.T) {
	player := Rating{Points: 1500, RD: 200, LogVariance: 2 * math.Log(0.06), Games: 1}
	results := []Result{
		{Opponent: Rating{Points: 1400, RD: 30}, Score: 1},
		{Opponent: Rating{Points: 1550, RD: 100}, Score: 0},
		{Opponent: Rating{Points: 1700, RD: 300}, Score: 0},
	}
	got := Update(player, 1, results...)
	if math.Abs(got.Points-1464.06) > 0.02 || math.Abs(got.RD-151.52) > 0.02 || got.Games != 4 {
		t.Errorf("%+v, want 1464.06 ± 151.52", got)
	}
	sigma := math.Exp(volatility(0.5, player.LogVariance, 1.1513*1.1513, 1.7785, -0.4834) / 2)
	if math.Abs(sigma-0.05999) > 0.00001 {
		t.Errorf("volatility %.6f, want 0.05999", sigma)
	}
}

// TestVolatilityRoot checks step 5 for a volatility that grows much, and for one that shrinks.
func TestVolatilityRoot(t *testing.T) {
	for _, delta := range []float64{0, 0.5, 3, 30} {
		variance, v, a := 0.4, 1.5, startLogVariance
		x := volatility(tau, a, variance, v, delta)
		e := math.Exp(x)
		all := variance + v + e
		if f := e*(delta*delta-all)/(2*all*all) - (x-a)/(tau*tau); math.Abs(f) > 1e-5 {
			t.Errorf("delta %v: f(%v) = %v, want 0", delta, x, f)
		}
	}
}

func TestExp(t *testing.T) {
	for x := -30.0; x < 30; x += 0.0937 {
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 4e-15 {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestIdle checks that the deviation grows with time up to its maximum, and not when clocks go back.
func TestIdle(t *testing.T) {
	r := Rating{Points: 1500, RD: 60, LogVariance: 2 * math.Log(0.06), At: 1000, Games: 30}
	const year = 365 * msPerDay
	for _, tt := range []struct {
		at   int64
		want float64
	}{{0, 60}, {1000, 60}, {1000 + year, 110}, {1000 + 1000*year, MaxRD}} {
		if got := r.DeviationAt(tt.at); math.Abs(got-tt.want) > 1 {
			t.Errorf("deviation %.1f at %d, want %.0f", got, tt.at, tt.want)
		}
	}
	if r.Provisional(1000) || !r.Provisional(1000+2*year) || !(Rating{}).Provisional(0) {
		t.Error("only new ratings and those idle for long are provisional")
	}
}

// TestBounds checks that no game moves a rating too far.
func TestBounds(t *testing.T) {
	strong := Rating{Points: 3900, RD: 45}
	if got := Update(New(), 0, Result{Opponent: strong, Score: 1}); got.Points > Start+MostPoints {
		t.Errorf("one win raises a new rating to %.0f", got.Points)
	}
	worst := New()
	for range 100 {
		worst = Update(worst, 0, Result{Opponent: Rating{Points: Min, RD: 45}})
	}
	if worst.Points < Min || worst.RD < MinRD {
		t.Errorf("%+v after 100 losses", worst)
	}
}

func TestPools(t *testing.T) {
	for _, tt := range []struct {
		game    string
		options map[string]string
		board   string
		ok      bool
	}{
		{"othello", map[string]string{"size": "8"}, "othello-8", true},
		{"othello", map[string]string{"size": "8", "pits": "a1"}, "othello-pits", true},
		{"othello", map[string]string{"size": "10"}, "othello-sizes", true},
		{"connect6", map[string]string{"size": "19"}, "connect6-19", true},
		{"connect6", map[string]string{"size": "9"}, "connect6-9", false},
		{"chess", map[string]string{"halt": "claim"}, "chess", false},
		{"chess", map[string]string{"halt": "none"}, "chess", true},
		{"loa", nil, "loa", true},
		{"go", nil, "", false},
	} {
		if board, ok := Board(tt.game, tt.options); board != tt.board || ok != tt.ok {
			t.Errorf("Board(%s, %v) = %q, %v", tt.game, tt.options, board, ok)
		}
	}
	for _, tt := range []struct {
		main, perTurn, days int64
		want                string
	}{{0, 0, 0, ""}, {60, 0, 0, "bullet"}, {180, 0, 0, "blitz"}, {180, 5, 0, "blitz"}, {300, 5, 0, "rapid"}, {1800, 0, 0, "classical"}, {0, 0, 3, "correspondence"}} {
		if got := Speed(tt.main, tt.perTurn, tt.days); got != tt.want {
			t.Errorf("Speed(%d, %d, %d) = %q, want %q", tt.main, tt.perTurn, tt.days, got, tt.want)
		}
	}
}

// TestMeasured compares the distances between levels with the scores in docs/levels.md.
func TestMeasured(t *testing.T) {
	text, err := os.ReadFile("../../docs/levels.md")
	if err != nil {
		t.Fatal(err)
	}
	boards := map[string]string{
		"Neighbors": "neighbors", "Othello": "othello-8", "Othello 10x10, six pits": "othello-pits", "Lines of Action": "loa",
		"Connect6": "connect6-19", "Chess": "chess",
	}
	checked := 0
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 13 || boards[strings.TrimSpace(cells[1])] == "" {
			continue
		}
		for i, want := range steps[boards[strings.TrimSpace(cells[1])]] {
			p, err := strconv.ParseFloat(strings.Trim(cells[i+2], " %"), 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := math.Round(400 * math.Log10(p/(100-p))); got != want {
				t.Errorf("%s, level %d: %v points, want %v for %v %%", cells[1], i+1, want, got, p)
			}
			checked++
		}
	}
	if checked != len(steps)*(Levels-1) {
		t.Errorf("%d distances compared, want %d", checked, len(steps)*(Levels-1))
	}
}

// TestAnchor plays people of known strength against levels of unknown strength.
func TestAnchor(t *testing.T) {
	const truth = 240
	rng := rand.New(rand.NewPCG(1, 2))
	var a Anchor
	for range 3000 {
		level := 1 + rng.IntN(Levels)
		opponent, ok := Anchor{Offset: truth}.Level("loa", level)
		person := Rating{Points: opponent.Points + rng.NormFloat64()*200, RD: 45, Games: 1, LogVariance: startLogVariance}
		score := float64(0)
		if rng.Float64() < Expected(person, opponent, advantages["loa"]) {
			score = 1
		}
		ratings := [2]Rating{person}
		if g := (Game{Board: "loa", Levels: [2]int{0, level}, Score: score}); !ok || !g.Rate(&ratings, &a) {
			t.Fatal("a level of Lines of Action has no rating")
		}
	}
	if math.Abs(a.Offset-truth) > 25 || a.Games != 3000 {
		t.Errorf("%+v, want %d", a, truth)
	}
	five, _ := a.Level("loa", 5)
	four, _ := a.Level("loa", 4)
	if math.Abs(five.Points-four.Points-210) > 1e-9 || a.Nearest("loa", five) != 5 || a.Nearest("othello-sizes", five) != 0 {
		t.Errorf("level 4 has %v, level 5 %v", four, five)
	}
}

// TestUnrated checks which games change no rating.
func TestUnrated(t *testing.T) {
	var r [2]Rating
	var a Anchor
	for _, g := range []Game{{Board: "loa", Levels: [2]int{1, 2}}, {Board: "othello-sizes", Levels: [2]int{0, 3}}, {Board: "loa", Levels: [2]int{11, 0}}} {
		if g.Rate(&r, &a) || r != [2]Rating{} || a != (Anchor{}) {
			t.Errorf("%+v was rated: %v, %v", g, r, a)
		}
	}
}

// TestGolden folds 2,000 games, and compares every bit with the file. GOLDEN=1 writes it.
func TestGolden(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var players [12]Rating
	var a Anchor
	at := int64(1_700_000_000_000)
	for range 2000 {
		at += rng.Int64N(3 * msPerDay / 12)
		i, j := rng.IntN(12), rng.IntN(12)
		g := Game{Board: "chess", Score: float64(rng.IntN(3)) / 2, At: at}
		if i == j {
			g.Levels[rng.IntN(2)] = 1 + rng.IntN(Levels)
		}
		two := [2]Rating{players[i], players[j]}
		if !g.Rate(&two, &a) {
			t.Fatal("not rated")
		}
		for k, p := range [2]int{i, j} {
			if g.Levels[k] == 0 {
				players[p] = two[k]
			}
		}
	}
	var got strings.Builder
	for _, p := range players {
		fmt.Fprintf(&got, "%016x %016x %016x %d # %.1f ± %.1f\n", math.Float64bits(p.Points), math.Float64bits(p.RD), math.Float64bits(p.LogVariance), p.Games, p.Points, p.RD)
	}
	fmt.Fprintf(&got, "%016x %016x %d # %.1f\n", math.Float64bits(a.Offset), math.Float64bits(a.Information), a.Games, a.Offset)
	const file = "testdata/golden.txt"
	if os.Getenv("QUINTET_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// TestNoFusing compiles the package for arm64: no product may be fused with a sum.
func TestNoFusing(t *testing.T) {
	c := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-S", ".")
	c.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("FMULD")) {
		t.Fatal("no code of arm64 in the output")
	}
	if fused := regexp.MustCompile(`FN?M(ADD|SUB)D.*`).FindAll(out, -1); fused != nil {
		t.Errorf("%d instructions such as %s: write float64(x*y) in sums", len(fused), fused[0])
	}
}
