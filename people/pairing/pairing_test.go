package pairing

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// best returns the greatest weight of all matchings of the vertices from i on.
func best(weight [][]int, taken []bool, i int) int {
	for i < len(taken) && taken[i] {
		i++
	}
	if i == len(taken) {
		return 0
	}
	taken[i] = true
	most := best(weight, taken, i+1)
	for j := i + 1; j < len(taken); j++ {
		if !taken[j] && weight[i][j] > 0 {
			taken[j] = true
			most = max(most, weight[i][j]+best(weight, taken, i+1))
			taken[j] = false
		}
	}
	taken[i] = false
	return most
}

// TestBruteForce compares the matching with all matchings of up to ten vertices. It uses few different
// weights, for many ties and blossoms.
func TestBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 6000 {
		n := rng.IntN(11)
		top := []int{1, 3, 8, 20, 1 << 55}[rng.IntN(5)]
		weight := make([][]int, n)
		for i := range weight {
			weight[i] = make([]int, n)
			for j := range i {
				weight[i][j] = rng.IntN(top+top/3+1) - top/3
				weight[j][i] = weight[i][j]
			}
		}
		mate := MaxWeight(n, func(i, j int) int { return weight[i][j] })
		got := 0
		for i, j := range mate {
			switch {
			case j >= 0 && (mate[j] != i || weight[i][j] <= 0):
				t.Fatalf("%d is matched with %d, which is matched with %d", i, j, mate[j])
			case j > i:
				got += weight[i][j]
			}
		}
		if want := best(weight, make([]bool, n), 0); got != want {
			t.Fatalf("weight %d of %v, want %d", got, weight, want)
		}
	}
}

// matchings calls a function with all perfect matchings of the vertices from i on.
func matchings(mate []int, i int, visit func()) {
	for i < len(mate) && mate[i] >= 0 {
		i++
	}
	if i == len(mate) {
		visit()
		return
	}
	for j := i + 1; j < len(mate); j++ {
		if mate[j] < 0 {
			mate[i], mate[j] = j, i
			matchings(mate, i+1, visit)
			mate[i], mate[j] = -1, -1
		}
	}
}

// TestFace compares the perfect matchings of the greatest weight with those that Face describes.
func TestFace(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	deep := 0
	for range 2000 {
		n := 2 * (1 + rng.IntN(4))
		weight := make([][]int, n)
		for i := range weight {
			weight[i] = make([]int, n)
			for j := range i {
				weight[i][j] = 100 + 2*rng.IntN(4)
				weight[j][i] = weight[i][j]
			}
		}
		s := Solve(n, func(i, j int) int { return weight[i][j] })
		var weights, depths []int
		mate := slices.Repeat([]int{-1}, n)
		matchings(mate, 0, func() {
			w, depth := 0, 0
			for i, j := range mate {
				if j < i {
					continue
				}
				w += weight[i][j]
				d, ok := s.Face(i, j)
				if depth += d; !ok {
					depth = -1 << 20
				}
			}
			weights, depths = append(weights, w), append(depths, depth)
		})
		most, deepest := slices.Max(weights), slices.Max(depths)
		deep = max(deep, deepest)
		for i, w := range weights {
			if (w == most) != (depths[i] == deepest) {
				t.Fatalf("%v: a matching has weight %d of %d, and depth %d of %d", weight, w, most, depths[i], deepest)
			}
		}
	}
	if deep == 0 {
		t.Error("no solution has a blossom")
	}
}

// TestExchange checks that exchanging partners between two pairs of a larger matching never increases the weight.
func TestExchange(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 60
	var weight [n][n]int
	for i := range n {
		for j := range i {
			weight[i][j] = rng.IntN(500)
			weight[j][i] = weight[i][j]
		}
	}
	mate := MaxWeight(n, func(i, j int) int { return weight[i][j] })
	of := func(i, j int) int {
		if i < 0 || j < 0 {
			return 0
		}
		return weight[i][j]
	}
	for i := range n {
		for j := range i {
			now, other := of(i, mate[i])+of(j, mate[j]), of(i, j)+of(mate[i], mate[j])
			if mate[i] != j && other > now {
				t.Fatalf("%d-%d and %d-%d weigh %d, exchanged %d", i, mate[i], j, mate[j], now, other)
			}
		}
	}
}

func want(game string, rating int) Want {
	return Want{Game: game, Rating: rating, Low: rating - 150, High: rating + 150}
}

func heads() bool { return false }

func TestWave(t *testing.T) {
	side := func(w Want, s Side) Want { w.Side = s; return w }
	for _, tt := range []struct {
		name string
		list []Seek
		want []Pair
	}{
		{"alone", []Seek{{Client: "a", Wants: []Want{want("loa", 1500)}}}, nil},
		{"two", []Seek{{Client: "a", Wants: []Want{want("loa", 1500)}}, {Client: "b", Wants: []Want{want("chess", 1500), want("loa", 1400)}}}, []Pair{{0, 1, "loa"}}},
		{"oneself", []Seek{{Client: "a", Wants: []Want{want("loa", 1500)}}, {Client: "a", Wants: []Want{want("loa", 1500)}}}, nil},
		{"blocked", []Seek{{Client: "a", Wants: []Want{want("loa", 1500)}}, {Client: "b", Blocked: []string{"a"}, Wants: []Want{want("loa", 1500)}}}, nil},
		{"too far", []Seek{{Client: "a", Wants: []Want{want("loa", 1500)}}, {Client: "b", Wants: []Want{{Game: "loa", Rating: 1651, High: 3000}}}}, nil},
		{"the closest game", []Seek{
			{Client: "a", Wants: []Want{want("loa", 1500), want("chess", 1700)}},
			{Client: "b", Wants: []Want{want("loa", 1400), want("chess", 1650)}},
		}, []Pair{{0, 1, "chess"}}},
		{"sides", []Seek{{Client: "a", Wants: []Want{want("loa", 1500)}}, {Client: "b", Wants: []Want{side(want("loa", 1500), First)}}}, []Pair{{1, 0, "loa"}}},
		{"the same side", []Seek{{Client: "a", Wants: []Want{side(want("loa", 1500), First)}}, {Client: "b", Wants: []Want{side(want("loa", 1500), First)}}}, nil},
		{"two seats", []Seek{{Client: "a", Seat: true, Wants: []Want{want("loa", 1500)}}, {Client: "b", Seat: true, Wants: []Want{want("loa", 1500)}}}, nil},
		{"the one who waited", []Seek{
			{Client: "a", Wants: []Want{want("loa", 1500)}}, {Client: "b", Wants: []Want{want("loa", 1500)}}, {Client: "c", Missed: 9, Wants: []Want{want("loa", 1450)}},
		}, []Pair{{0, 2, "loa"}}},
		{"two pairs before one close pair", []Seek{
			{Client: "a", Wants: []Want{want("loa", 1360)}}, {Client: "b", Wants: []Want{want("loa", 1500)}},
			{Client: "c", Wants: []Want{want("loa", 1500)}}, {Client: "d", Wants: []Want{want("loa", 1640)}},
		}, []Pair{{0, 1, "loa"}, {2, 3, "loa"}}},
	} {
		got := Wave(tt.list, heads)
		if len(got) == 2 && got[0].Second == 2 {
			got = []Pair{{0, 1, got[0].Game}, {2, 3, got[1].Game}} // b and c are interchangeable
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

var five = []string{"neighbors", "othello", "loa", "connect6", "chess"}

// seek returns a seek for one to three of five games.
func seek(rng *rand.Rand, client int) Seek {
	s := Seek{Client: string(rune('a' + client)), Missed: rng.IntN(20)}
	for _, g := range rng.Perm(5)[:1+rng.IntN(3)] {
		w := want(five[g], int(1500+250*rng.NormFloat64()))
		w.Side = Side(rng.IntN(6) / 2 % 3)
		s.Wants = append(s.Wants, w)
	}
	return s
}

// twice returns a seek that is in two pairs of a wave or paired with its own client, or -1.
func twice(list []Seek, pairs []Pair) int {
	var seen [64]bool
	for _, p := range pairs {
		for _, i := range [2]int{p.First, p.Second} {
			if seen[i] || list[p.First].Client == list[p.Second].Client {
				return i
			}
			seen[i] = true
		}
	}
	return -1
}

// BenchmarkWaves pairs random seeks and checks each wave for double pairings:
//
//	go test -run '^$' -bench Waves -benchtime 1000000x ./people/pairing
func BenchmarkWaves(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 7))
	pairs := 0
	for b.Loop() {
		list := make([]Seek, rng.IntN(16))
		for i := range list {
			list[i] = seek(rng, rng.IntN(14))
		}
		got := Wave(list, heads)
		if i := twice(list, got); i >= 0 {
			b.Fatalf("%d is paired twice: %v", i, got)
		}
		pairs += len(got)
	}
	b.ReportMetric(float64(pairs)/float64(b.N), "pairs/op")
}

// BenchmarkMatching matches 200 players, as a round of a tournament does.
func BenchmarkMatching(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 9))
	weight := make([]int, 200*200)
	for i := range weight {
		weight[i] = rng.IntN(5000)
	}
	for b.Loop() {
		MaxWeight(200, func(i, j int) int { return weight[min(i, j)*200+max(i, j)] })
	}
}

// TestThinPool simulates 20 arrivals an hour over five games. A level is offered after 10 s, and everybody
// takes it some seconds later.
func TestThinPool(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	type waiting struct {
		Seek
		since int
	}
	var list []waiting
	var waits, apart []int
	for now := range 50 * 3600 { // seconds
		if rng.IntN(3600) < 20 {
			s := seek(rng, rng.IntN(26))
			s.Missed = 0
			list = append(list, waiting{s, now})
		}
		if now%2 == 0 {
			seeks := make([]Seek, len(list))
			for i := range list {
				seeks[i] = list[i].Seek
				list[i].Missed++
			}
			var gone []int
			for _, p := range Wave(seeks, heads) {
				gone = append(gone, p.First, p.Second)
				waits = append(waits, now-list[p.First].since, now-list[p.Second].since)
				shared, _ := meet(&seeks[p.First], &seeks[p.Second])
				other := slices.IndexFunc(seeks[p.Second].Wants, func(w Want) bool { return w.Game == shared.Game })
				d := seeks[p.Second].Wants[other].Rating - shared.Rating
				apart = append(apart, max(d, -d))
			}
			slices.Sort(gone)
			for _, i := range slices.Backward(gone) {
				list = slices.Delete(list, i, i+1)
			}
		}
		list = slices.DeleteFunc(list, func(w waiting) bool {
			leaves := now-w.since >= 10+rng.IntN(20)
			if leaves {
				waits = append(waits, now-w.since)
			}
			return leaves
		})
	}
	slices.Sort(waits)
	slices.Sort(apart)
	t.Logf("%d arrivals, %d pairs; median wait %d s; ratings %d apart at most", len(waits), len(apart), waits[len(waits)/2], apart[len(apart)-1])
	if median := waits[len(waits)/2]; median > 20 {
		t.Errorf("median wait %d s, want at most 20", median)
	}
	if most := apart[len(apart)-1]; most > 150 {
		t.Errorf("a pair is %d points apart, want at most 150", most)
	}
}
