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

	"quintet/lab/tournaments"
	"quintet/people/tournament"
)

func intenv(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

// TestBBP has bbpPairings check random tournaments, if BBP names the program:
//
//	BBP=bbpPairings.exe TIMES=1500 MOST=57 go test -v -run TestBBP ./people/tournament
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
		s, err := tournaments.Swiss(rng, n, min(3+rng.IntN(7), n-1), func(*tournament.State, []tournament.Game) {})
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
		out, _ := exec.CommandContext(t.Context(), bbp, "--dutch", file, "-c").CombinedOutput()
		theirs += time.Since(before)
		if strings.Contains(string(out), "Checker") || !strings.Contains(string(out), "ound") {
			if bad++; bad < 3 {
				t.Errorf("%d: %d players, %d of %d rounds (%v):\n%s\n%s", k, n, s.Round(), s.Rounds, err, b.String(), out)
			}
		}
	}
	t.Logf("%d rounds: %d bad, ours %v, bbp %v", rounds, bad, ours, theirs)
}

// TestVectors pairs the rounds of bbpPairings' tests for the Dutch system, if BBPTESTS names their folder.
func TestVectors(t *testing.T) {
	dir := os.Getenv("BBPTESTS")
	if dir == "" {
		t.Skip()
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.input"))
	for _, f := range files {
		if strings.Contains(f, "issue_15") {
			continue // of another system
		}
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
