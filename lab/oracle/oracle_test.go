package oracle_test

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"quintet/lab/oracle"
)

// perft counts the leaves of the tree below some moves: a pass is a ply, and a
// finished game is one leaf.
func perft(t *testing.T, name string, size int, pits, moves []string, depth int) int {
	t.Helper()
	g, stop, err := oracle.New(name, size, pits)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, m := range moves {
		g.Play(m)
	}
	list := g.Moves()
	switch {
	case depth == 0, len(list) == 0:
		return 1
	case depth == 1:
		return len(list)
	}
	leaves := 0
	for _, m := range list {
		leaves += perft(t, name, size, pits, append(moves[:len(moves):len(moves)], m), depth-1)
	}
	return leaves
}

// TestPerft counts the trees of the table that the fast rules are held to, up to
// some thousand leaves each.
func TestPerft(t *testing.T) {
	const limit = 10_000
	file, err := os.Open("../../game/perft/testdata/known.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	counts := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		what, numbers, ok := strings.Cut(lines.Text(), " : ")
		if !ok || strings.HasPrefix(what, "#") {
			continue
		}
		var name string
		var size int
		var pits []string
		for i, word := range strings.Fields(what) {
			switch key, value, _ := strings.Cut(word, "="); {
			case i == 0:
				name = word
			case key == "size":
				size, _ = strconv.Atoi(value)
			case key == "pits":
				pits = strings.Split(value, ",")
			default:
				t.Fatalf("unknown option %q", word)
			}
		}
		for i, number := range strings.Fields(numbers) {
			want, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			if want > limit {
				break
			}
			counts++
			if n := perft(t, name, size, pits, nil, i+1); n != want {
				t.Errorf("%s: depth %d has %d leaves, want %d", what, i+1, n, want)
			}
		}
	}
	if counts < 30 {
		t.Errorf("%d counts in the table, want more", counts)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		size int
		pits []string
	}{
		{"go", 0, nil}, {"loa", 9, nil}, {"othello", 5, nil}, {"connect6", -1, nil},
		{"loa", 0, []string{"a1"}}, {"othello", 8, []string{"d4"}}, {"othello", 8, []string{"a1", "a1"}}, {"othello", 4, []string{"e1"}},
	} {
		if g, stop, err := oracle.New(test.name, test.size, test.pits); err == nil {
			t.Errorf("New(%q, %d, %q) is accepted: %v", test.name, test.size, test.pits, g.Moves())
			stop()
		}
	}
}

func TestPlayPanics(t *testing.T) {
	for _, move := range []string{oracle.Pass, "", "a1"} {
		t.Run(fmt.Sprintf("%q", move), func(t *testing.T) {
			g, stop, err := oracle.New("othello", 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			defer func() {
				if recover() == nil {
					t.Error("an illegal move is accepted")
				}
			}()
			g.Play(move)
		})
	}
}
