package console_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/judge/console"
	"quintet/judge/dialogue"
	"quintet/lab/oracle"
)

// TestDialogue compares random games with the judge's independent dialogue: valid
// moves, nonsense, odd spacing, and an end of the input anywhere.
func TestDialogue(t *testing.T) {
	for _, test := range []struct {
		name  string
		size  int
		games int
	}{
		{"neighbors", 0, 60}, {"loa", 0, 60}, {"chess", 0, 40},
		{"othello", 4, 150}, {"othello", 6, 80}, {"othello", 8, 40}, {"othello", 12, 8}, {"othello", 26, 2},
		{"connect6", 1, 40}, {"connect6", 2, 60}, {"connect6", 6, 80}, {"connect6", 9, 40}, {"connect6", 19, 6}, {"connect6", 26, 2},
	} {
		t.Run(fmt.Sprintf("%s %d", test.name, test.size), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(test.size), 7))
			for i := range scaled(test.games) {
				d := newTypist(t, test.name, test.size, r)
				in := d.write(i)
				compareDialogue(t, test.name, test.size, in)
				compareDialogue(t, test.name, test.size, in[:r.IntN(len(in)+1)])
			}
		})
	}
}

// twoPlay matches input that chooses two people in chess: what a machine moves is
// up to chance.
var twoPlay = regexp.MustCompile(`^\s*\+?0*1(\D|$)`)

// compareDialogue holds a program against the dialogue. The input gets a line end,
// without which the dialogue knows no line; TestEndings has inputs that lack it.
func compareDialogue(t *testing.T, name string, size int, in string) {
	t.Helper()
	if name == "chess" && !twoPlay.MatchString(in) {
		return
	}
	p, err := dialogue.New(name, size)
	if err != nil {
		t.Fatal(err)
	}
	want, wantExit := p.Play(strings.Split(in, "\n"), ""), 1
	if want.Over {
		wantExit = 0
	}
	out, exit := run(t, name, console.Options{Size: size}, in+"\n")
	if out != want.Output() || exit != wantExit {
		t.Fatalf("input %q: status %d, want %d; output (-want +got):\n%s", in, exit, wantExit, cmp.Diff(want.Output(), out))
	}
}

// TestDialogueNoise compares what programs make of input that is hardly a move.
func TestDialogueNoise(t *testing.T) {
	const alphabet = "abcdhABCDHZzj0123456789+-#.\x00\xff \t\n\r\v\f"
	words := []string{"Z0 Z0 ", "Z-0 Z+00\n", "99999999999 ", "-2147483649\n", "a1", "A1", "A01", "+3", "-1", "\r\n", "1\n", "2147483648x", "d0 f2 ", "E7 E5\n", "H3"}
	r := rand.New(rand.NewPCG(5, 6))
	for range scaled(2500) {
		for _, game := range []struct {
			name string
			size int
		}{{"neighbors", 0}, {"loa", 0}, {"chess", 0}, {"othello", 4 + 2*r.IntN(12)}, {"connect6", 1 + r.IntN(26)}} {
			var in strings.Builder
			if game.name == "chess" && r.IntN(8) > 0 {
				in.WriteString("1 ")
			}
			for range r.IntN(30) {
				if r.IntN(3) == 0 {
					in.WriteString(words[r.IntN(len(words))])
				} else {
					in.WriteByte(alphabet[r.IntN(len(alphabet))])
				}
			}
			compareDialogue(t, game.name, game.size, in.String())
		}
	}
}

// typist writes input for a running game; the oracle knows the valid moves.
type typist struct {
	name string
	game oracle.Game
	stop func()
	r    *rand.Rand
	in   strings.Builder
}

func newTypist(t *testing.T, name string, size int, r *rand.Rand) *typist {
	t.Helper()
	d := &typist{name: name, r: r}
	var pits []string
	switch name {
	case "othello":
		pits = d.digPits(size)
	case "chess":
		d.in.WriteString("1")
		d.space()
	}
	g, stop, err := oracle.New(name, size, pits)
	if err != nil {
		t.Fatal(err)
	}
	d.game, d.stop = g, stop
	return d
}

// digPits writes some pits, and some positions that are none.
func (d *typist) digPits(size int) (pits []string) {
	n := d.r.IntN(4)
	h := size / 2
	taken := map[[2]int]bool{{h - 1, h - 1}: true, {h, h}: true, {h - 1, h}: true, {h, h - 1}: true}
	fmt.Fprintf(&d.in, "%d", n)
	d.space()
	for len(pits) < n {
		row, col := d.r.IntN(size), d.r.IntN(size)
		fmt.Fprintf(&d.in, "%c%d", 'A'+col, row+1)
		d.space()
		if !taken[[2]int{row, col}] {
			taken[[2]int{row, col}] = true
			pits = append(pits, fmt.Sprintf("%c%d", 'a'+col, row+1))
		}
	}
	return pits
}

// write writes moves until the game is over, or a few of them.
func (d *typist) write(i int) string {
	defer d.stop()
	for ply := 0; ply < 700; ply++ {
		moves := d.game.Moves()
		if len(moves) == 0 || i%5 == 4 && ply > 20 {
			break
		}
		m := moves[d.r.IntN(len(moves))]
		if m != "pass" {
			d.noise()
			d.move(m)
		}
		d.game.Play(m)
	}
	if d.name == "chess" && d.r.IntN(2) == 0 {
		d.in.WriteString("Z0 Z0\n")
	}
	return d.in.String()
}

// noise writes a wrong answer now and then.
func (d *typist) noise() {
	switch d.r.IntN(24) {
	case 0:
		d.in.WriteString(map[string]string{"neighbors": "a0 a9\n", "loa": "d4 x\n"}[d.name])
		if d.name != "neighbors" && d.name != "loa" {
			d.in.WriteString("q q\n")
		}
	case 1:
		d.in.WriteString(map[string]string{"othello": "A99\n", "connect6": "A-1\n", "chess": "A9 A9\n"}[d.name])
	}
}

// move writes a move as the course does.
func (d *typist) move(m string) {
	switch d.name {
	case "neighbors", "loa":
		d.in.WriteString(m[:2] + " " + m[2:])
	case "othello":
		if d.r.IntN(2) == 0 {
			m = strings.ToUpper(m)
		}
		d.in.WriteString(m)
	case "connect6":
		d.in.WriteString(m)
	case "chess":
		for i, cell := range []string{m[:2], m[2:]} {
			if i > 0 {
				d.space()
			}
			fmt.Fprintf(&d.in, "%s%d", strings.ToUpper(cell[:1]), 9-int(cell[1]-'0'))
		}
	}
	d.space()
}

func (d *typist) space() {
	d.in.WriteString([]string{" ", "\n", "\n", "\t", "\r\n", "  \n\n ", "\v", "\f"}[d.r.IntN(8)])
}

// FuzzConsole feeds any input to every game and compares with the dialogue.
func FuzzConsole(f *testing.F) {
	for i, in := range []string{"d0 f2\n", "0\nE3\n", "a1 c1", "J9 J9", "1 E7 E5 Z0 Z0"} {
		f.Add(uint8(i), uint8(8), in)
	}
	f.Fuzz(func(t *testing.T, which, size uint8, in string) {
		s := console.Scripts[int(which)%len(console.Scripts)]
		n := 0
		switch s.Name {
		case "othello":
			n = 4 + 2*int(size%12)
		case "connect6":
			n = 1 + int(size%26)
		}
		compareDialogue(t, s.Name, n, in)
	})
}

// TestEndings checks the end of the output for inputs that the transcripts lack, including
// some that end within an answer.
func TestEndings(t *testing.T) {
	const (
		pits   = "Enter number of pits: "
		mode   = "Choose game mode (1, 2, 3): "
		x      = "Player X's turn: "
		b      = "B's turn: "
		again  = "Invalid move. Enter again!\n"
		white  = "White's turn: "
		border = "  ---------------------------------\n"
	)
	for _, c := range []struct {
		name string
		size int
		in   string
		end  string
		exit int
	}{
		{"neighbors", 0, "a1", "7 . W W W B B B .\nB's move: ", 1},
		{"neighbors", 0, "a10 d0 d0 A1", "\nB's move: Invalid move. Try again!\nB's move: Invalid move. Try again!\nB's move: ", 1},
		{"othello", 4, "9 x 1\n-\n2147483648", pits + "Too many pits!\n" + pits + pits + pits, 1},
		{"othello", 4, "-3", " 4 . . . . \n" + x, 1},
		{"othello", 4, "2 b2 ax b1\nA1 a1 [1 a0", "Enter position for pit 1: Invalid position!\n" +
			"Enter position for pit 1: Enter position for pit 1: Enter position for pit 2: Invalid position!\n" +
			"Enter position for pit 2: Invalid position!\nEnter position for pit 2: Invalid position!\n" +
			"Enter position for pit 2: ", 1},
		{"othello", 4, "0 hello d3\n#2 \xff1 A1", " 4 . . . . \n" + x + x + "Invalid move!\n" + x + "Invalid move!\n" + x + "Invalid move!\n" + x, 1},
		{"connect6", 2, "hello A0\na0 A-1 B2 A", " 1 . .\n" + b + again + b + again + b + again + b + again + b, 1},
		{"connect6", 1, "A0", " 0 B\nDraw game!\n", 0},
		{"chess", 0, "", mode, 1},
		{"chess", 0, "-", mode, 1},
		{"chess", 0, "1 z0z0 Z0A1 Z0", "Round 1:\n", 1},
		{"chess", 0, "1 z0z0 Z0A1 Z0", border + white + "invalid input!\n" + white + "invalid input!\n" + white, 1},
		{"chess", 0, "1 Z-0 Z+00", border + white + "Draw game!\n", 0},
		{"chess", 0, "1 e2 e E7\nI7 I6", border + white + "invalid input!\n" + white + "invalid input!\n" + white, 1},
	} {
		out, exit := run(t, c.name, console.Options{Size: c.size}, c.in)
		found := strings.HasSuffix(out, c.end)
		if c.end == "Round 1:\n" {
			found = strings.HasPrefix(out, mode+c.end)
		}
		if !found || exit != c.exit {
			t.Errorf("%s %q: exit %d, want %d; the output\n%s\nshould end with\n%s", c.name, c.in, exit, c.exit, out, c.end)
		}
	}
}

// A pawn that captures sideways has made its first move, and has lost its
// double step.
func TestChessDoubleStep(t *testing.T) {
	out, exit := run(t, "chess", console.Options{}, "1 b7b5 a2a4 b5a4 h2h4 a4a2 Z0Z0")
	if !strings.HasSuffix(out, "White's turn: invalid input!\nWhite's turn: White wins!\n") || exit != 0 {
		t.Errorf("exit %d, the output\n%s", exit, out)
	}
}
