package tournament_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quintet/people/tournament"
)

// randomSwiss plays a random Swiss with byes, late entries, forfeits and withdrawals.
func randomSwiss(rng *rand.Rand, n, rounds int) (*tournament.State, error) {
	s := &tournament.State{Form: tournament.Swiss, Rounds: rounds, Lot: rng.IntN(2) == 1}
	for i := range n {
		p := tournament.Player{ID: strconv.Itoa(i), Rating: 1500 + rng.IntN(600)}
		if rng.IntN(12) == 0 {
			p.Joined = 1 + rng.IntN(rounds)
		}
		if rng.IntN(8) == 0 {
			p.Byes = []int{1 + rng.IntN(rounds)}
		}
		s.Players = append(s.Players, p)
	}
	for !s.Over() {
		games, err := s.Pair()
		if err != nil {
			return s, err
		}
		for _, g := range games {
			if g.Second != tournament.None {
				g.Outcome = outcome(rng, s.Players[g.First].Rating-s.Players[g.Second].Rating)
			}
			s.Games = append(s.Games, g)
		}
		if rng.IntN(3) == 0 {
			s.Players[rng.IntN(n)].Withdrawn = true
		}
	}
	return s, nil
}

func outcome(rng *rand.Rand, difference int) tournament.Outcome {
	switch x := rng.IntN(100); {
	case x < 2:
		return tournament.FirstAbsent
	case x < 4:
		return tournament.SecondAbsent
	case x < 5:
		return tournament.BothAbsent
	case x < 30:
		return tournament.Drawn
	}
	if rng.IntN(1200) < 600+difference {
		return tournament.FirstWins
	}
	return tournament.SecondWins
}

func intenv(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

func TestBBP(t *testing.T) {
	bbp := os.Getenv("BBP")
	if bbp == "" {
		t.Skip()
	}
	rng := rand.New(rand.NewPCG(uint64(intenv("SEED", 1)), 1))
	file := filepath.Join(t.TempDir(), "t.trf")
	var ours, theirs time.Duration
	rounds, bad := 0, 0
	for k := range intenv("TIMES", 200) {
		n := 4 + rng.IntN(intenv("MOST", 30))
		before := time.Now()
		s, err := randomSwiss(rng, n, min(3+rng.IntN(7), n-1))
		ours += time.Since(before)
		rounds += s.Round()
		var b bytes.Buffer
		if err := s.WriteTRF(&b, tournament.Report{Name: "test"}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		before = time.Now()
		out, _ := exec.Command(bbp, "--dutch", file, "-c").CombinedOutput()
		theirs += time.Since(before)
		if k == 0 {
			t.Logf("%s\n%s", b.String(), out)
		}
		if strings.Contains(string(out), "Checker") || !strings.Contains(string(out), "ound") {
			if bad++; bad < 3 {
				t.Errorf("%d: %d players, %d of %d rounds (%v):\n%s\n%s", k, n, s.Round(), s.Rounds, err, b.String(), out)
			}
		}
	}
	t.Errorf("%d rounds: %d bad, ours %v, bbp %v", rounds, bad, ours, theirs)
}

func TestVectors(t *testing.T) {
	dir := os.Getenv("BBPTESTS")
	if dir == "" {
		t.Skip()
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.input"))
	for _, f := range files {
		in, _ := os.ReadFile(f)
		want, _ := os.ReadFile(strings.TrimSuffix(f, "input") + "output.expected")
		before := time.Now()
		s, _, err := tournament.ReadTRF(bytes.NewReader(in))
		if err != nil {
			t.Fatal(f, err)
		}
		games, err := s.Pair()
		if err != nil {
			t.Fatal(f, err)
		}
		var got []string
		for _, g := range games {
			got = append(got, fmt.Sprintf("%d %d", g.First+1, g.Second+1))
		}
		var pairs []string
		for _, l := range strings.FieldsFunc(string(want), func(r rune) bool { return r < ' ' })[1:] {
			pairs = append(pairs, strings.TrimSpace(l))
		}
		slices.Sort(pairs)
		slices.Sort(got)
		t.Logf("%s: %d games, %v", filepath.Base(f), len(got), time.Since(before))
		if !slices.Equal(pairs, got) {
			t.Errorf("%s: got\n%q\nwant\n%q", f, got, pairs)
		}
	}
}
