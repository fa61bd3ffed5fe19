package dialogue_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintet/judge/console"
	"quintet/judge/dialogue"
)

// TestConsole holds the programs without faults against the console programs,
// on answers of all kinds.
func TestConsole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range dialogue.Games() {
		for n := range 60 {
			size := 0
			if name == "othello" || name == "connect6" {
				size = []int{4, 6, 8, 10, 26}[n%5]
			}
			compare(t, name, size, babble(r, name, 400))
		}
	}
}

// babble returns answers of which many are valid.
func babble(r *rand.Rand, name string, n int) (lines []string) {
	if name == "chess" {
		lines = append(lines, "1")
	}
	if name == "othello" {
		lines = append(lines, fmt.Sprint(r.IntN(20)))
	}
	cols := map[string]string{"connect6": "ABCDEFG", "chess": "ABCDEFGHabcdefgh", "othello": "ABCDEFGHijabcdefgh"}[name]
	if cols == "" {
		cols = "abcdefgh"
	}
	cell := func() string {
		if r.IntN(60) == 0 {
			return []string{"Z0", "z0", "A99", "a-1", "b+2", "x", "hello", "a10"}[r.IntN(8)]
		}
		return fmt.Sprintf("%c%d", cols[r.IntN(len(cols))], r.IntN(9))
	}
	for range n {
		lines = append(lines, cell()+[]string{" ", "\t", "", " "}[r.IntN(4)]+cell())
	}
	return lines
}

func compare(t *testing.T, name string, size int, lines []string) {
	t.Helper()
	p, err := dialogue.New(name, size)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	err = console.Run(t.Context(), name, console.Options{Size: size}, strings.NewReader(strings.Join(lines, "\n")+"\n"), &want)
	got := p.Play(lines, "")
	if got.Output() != want.String() {
		t.Fatalf("%s %d: the dialogue differs from the console's for %q:\n%s\nwant\n%s", name, size, lines, got.Output(), want.String())
	}
	if over := err == nil; over != got.Over {
		t.Fatalf("%s %d: over is %v, want %v, for %q", name, size, got.Over, over, lines)
	}
}

// TestLegal plays random games, and checks that the answers which are listed as valid are those that
// would not be refused.
func TestLegal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, form := range map[string]string{"neighbors": "%[1]c%[2]d %[3]c%[4]d", "loa": "%[1]c%[2]d %[3]c%[4]d", "chess": "%[5]c%[6]d %[7]c%[8]d"} {
		p, err := dialogue.New(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		turns := 0
		p.Lead(func(c dialogue.Choice) (string, bool) {
			if c.Legal == nil {
				return "1", true
			}
			var want []string
			for i := range 64 * 64 {
				x1, y1, x2, y2 := i/512%8, i/64%8, i/8%8, i%8
				if line := fmt.Sprintf(form, 'a'+x1, y1, 'a'+x2, y2, 'A'+x1, y1+1, 'A'+x2, y2+1); c.Why(line) == "" {
					want = append(want, line)
				}
			}
			got := c.Legal()
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %q are valid, want %q", name, got, want)
			}
			turns++
			return got[r.IntN(len(got))], turns < 20
		})
		if turns < 20 {
			t.Errorf("%s: only %d turns", name, turns)
		}
	}
}

// TestTranscripts replays the transcripts of the course.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../console/testdata/transcripts/*.in")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	sizes := map[string]int{
		"othello-course-1": 6, "othello-course-2": 4, "othello-1": 4, "othello-2": 4, "othello-3": 6, "othello-4": 6,
		"connect6-1": 7, "connect6-2": 1, "connect6-3": 6, "connect6-4": 6,
	}
	for _, file := range files {
		in, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		label := strings.TrimSuffix(filepath.Base(file), ".in")
		game, _, _ := strings.Cut(label, "-")
		compare(t, game, sizes[label], strings.Split(string(in), "\n"))
	}
}
