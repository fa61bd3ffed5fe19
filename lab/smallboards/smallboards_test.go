package smallboards

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/bots/othello/solved"
	"quintet/lab/oracle"
)

// classes returns the sets of up to a number of pits, one of each class of mirror images.
func classes(size, most int) (list []string) {
	seen := map[string]bool{}
	var add func(pits uint64, from int)
	add = func(pits uint64, from int) {
		if name := solved.Class(size, pits); !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
		for cell := from; cell < size*size && bits.OnesCount64(pits) < most; cell++ {
			if inner := func(i int) bool { return i == size/2-1 || i == size/2 }; !inner(cell/size) || !inner(cell%size) {
				add(pits|1<<cell, cell+1)
			}
		}
	}
	add(0, 0)
	return list
}

// TestPlain compares the plain rules with the oracle of the games, by random games on
// boards with up to two pits.
func TestPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{4, 6} {
		list := classes(size, 2)
		for range 40 {
			pits := list[random.IntN(len(list))]
			var cells []string
			if pits != "" {
				cells = strings.Split(pits, ",")
			}
			g, stop, err := oracle.New("othello", size, cells)
			if err != nil {
				t.Fatal(err)
			}
			p := plainStart(size, pits)
			for g.Result() == oracle.Ongoing {
				if g.Cells() != p.cells || g.Turn() != strings.IndexByte("XO", p.turn) {
					t.Fatalf("%d %s: %s %c, want %s", size, pits, p.cells, p.turn, g.Cells())
				}
				moves, after := p.moves()
				names := g.Moves()
				if names[0] == oracle.Pass {
					if len(moves) > 0 {
						t.Fatalf("%s %c: want a pass", p.cells, p.turn)
					}
					p = p.pass()
					g.Play(oracle.Pass)
					continue
				}
				if len(moves) != len(names) {
					t.Fatalf("%s %c: %d moves, want %v", p.cells, p.turn, len(moves), names)
				}
				i := random.IntN(len(moves))
				name := string([]byte{'a' + byte(moves[i]%size), '1' + byte(moves[i]/size)})
				g.Play(name) // panics if it is not legal
				p = after[i]
			}
			stop()
			margin := p.margin()
			if p.turn == 'O' {
				margin = -margin
			}
			want := map[int]int{oracle.FirstWins: 1, oracle.SecondWins: -1, oracle.Drawn: 0}[g.Result()]
			if p.canMove('X') || p.canMove('O') || margin > 0 != (want > 0) || margin < 0 != (want < 0) {
				t.Fatalf("%s: margin %d, want result %d", p.cells, margin, want)
			}
		}
	}
}

// TestBoards4 proves every entry of 4x4 by visiting all positions, and that every class of
// up to two pits has one.
func TestBoards4(t *testing.T) {
	found := map[string]bool{}
	for _, e := range entries(t, 4) {
		found[e.Pits] = true
		if err := checkEntry(e, 16); err != nil {
			t.Error(err)
		}
	}
	list := classes(4, 2)
	if len(list) != 26 {
		t.Errorf("%d classes, want 26", len(list))
	}
	for _, pits := range list {
		if !found[pits] {
			t.Errorf("4 %s is missing", pits)
		}
	}
}

// TestBoards6 checks the lines of 6x6 and the values of their last positions. What proves
// the values of the starts are the certificates: see TestCertificates.
func TestBoards6(t *testing.T) {
	known := map[string]bool{}
	for _, pits := range classes(6, 2) {
		known[pits] = true
	}
	if len(known) != 149 {
		t.Errorf("%d classes, want 149", len(known))
	}
	for _, e := range entries(t, 6) {
		if !known[e.Pits] {
			t.Errorf("6 %s is no class", e.Pits)
		}
		if err := checkEntry(e, 8); err != nil {
			t.Error(err)
		}
	}
}

func entries(t *testing.T, size int) (list []solved.Entry) {
	t.Helper()
	table, err := solved.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range table.Entries() {
		if e.Size == size {
			list = append(list, e)
		}
	}
	return list
}

// TestWrongEntry checks that the checker finds mistakes.
func TestWrongEntry(t *testing.T) {
	for _, test := range []struct {
		text  string
		empty int
		want  string
	}{
		{"4 - -9 1 c1 d1 d2 b1 a4 d3 a1 c4 d4 b4", 16, "4 , ply 0: the value is -10, not -9"},
		{"4 - -10 1 c1 d1 d2 a1 a4 d3 b1", 16, "4 , ply 3: cell 0 is not a legal move"},
		{"4 - -10 1 pass", 0, "4 , ply 0: a pass is not legal"},
		{"4 - -10 1 c1 d1", 0, "4 : the line does not end the game"},
		{"4 - -9 1 c1 d1 d2 b1 a4 d3 a1 c4 d4 b4", 0, "4 : the line ends with -10, want -9"},
	} {
		table, err := solved.Read(strings.NewReader(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if err = checkEntry(table.Entries()[0], test.empty); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %q", test.text, err, test.want)
		}
	}
}
