package smallboards

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// proof is a walk through a proof tree: one side, the attacker, gets at least a number of
// discs, whatever the other plays. At each position of the attacker one move is chosen, and
// at those of the other side all moves are tried. Positions with few empty cells are claims,
// to be proved by themselves.
type proof struct {
	attacker byte // X or O
	bound    int  // discs that the attacker is ahead at the end, at least
	frontier int  // number of empty cells of claims
	choose   func(p plain, cells []int) (i int, err error)

	visited map[plain]bool
	claims  []plain
}

// walk visits a position and all that follow.
func (f *proof) walk(p plain) error {
	if f.visited[p] {
		return nil
	}
	f.visited[p] = true
	cells, after := p.moves()
	switch {
	case len(cells) == 0 && p.canMove(opponent(p.turn)):
		return f.walk(p.pass())
	case len(cells) == 0:
		if got := p.marginOf(f.attacker); got < f.bound {
			return fmt.Errorf("the game ends with %d discs for %c, want %d", got, f.attacker, f.bound)
		}
		return nil
	case strings.Count(p.cells, ".") <= f.frontier:
		f.claims = append(f.claims, p)
		return nil
	case p.turn == f.attacker:
		i, err := f.choose(p, cells)
		if err != nil {
			return err
		}
		after = after[i : i+1]
	}
	for _, next := range after {
		if err := f.walk(next); err != nil {
			return err
		}
	}
	return nil
}

// marginOf returns by how many discs a side is ahead.
func (p plain) marginOf(side byte) int {
	p.turn = side
	return p.margin()
}

// claim proves claims by searching all moves, those with the fewest replies first, by the
// plain rules. It remembers what it has proved.
type claim struct {
	attacker byte
	bound    int
	known    map[plain]bool
}

// holds reports whether the attacker gets the bound in a position.
func (c *claim) holds(p plain) bool {
	if won, ok := c.known[p]; ok {
		return won
	}
	_, after := p.moves()
	if len(after) == 0 {
		if p.canMove(opponent(p.turn)) {
			return c.holds(p.pass())
		}
		return p.marginOf(c.attacker) >= c.bound
	}
	replies := make(map[plain]int, len(after))
	for _, next := range after {
		cells, _ := next.moves()
		replies[next] = len(cells)
	}
	slices.SortStableFunc(after, func(a, b plain) int { return replies[a] - replies[b] })
	attacks := p.turn == c.attacker
	won := !attacks
	for _, next := range after {
		if c.holds(next) == attacks {
			won = attacks
			break
		}
	}
	c.known[p] = won
	return won
}

// certificate proves the value of a start: that Black gets at least the value, and that
// White gets at least its negative.
type certificate struct {
	size     int
	pits     string
	value    int
	frontier int
	moves    [2]string // of Black and White in the order of the walk, a letter a move
}

// letters are the cells of 6x6 in a certificate.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"

// parseCertificate parses the file of a certificate.
func parseCertificate(text string) (c certificate, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return c, fmt.Errorf("%d lines: expected 3", len(lines)-1)
	}
	if _, err := fmt.Sscanf(lines[0], "%d %s %d %d", &c.size, &c.pits, &c.value, &c.frontier); err != nil {
		return c, fmt.Errorf("%q: expected size, pits, value and empty cells of claims: %w", lines[0], err)
	}
	if c.pits == "-" {
		c.pits = ""
	}
	c.moves = [2]string(lines[1:3])
	return c, nil
}

// proofs returns the two proofs of a certificate.
func (c certificate) proofs() [2]*proof {
	var list [2]*proof
	for i, attacker := range []byte{'X', 'O'} {
		list[i] = &proof{attacker: attacker, bound: c.value * (1 - 2*i), frontier: c.frontier, visited: map[plain]bool{}}
	}
	return list
}

// verified says what a check has covered.
type verified struct{ positions, claims, proved int }

// verify checks a certificate by the plain rules alone: both trees, and as many of the
// claims of each, chosen by a seed; all of them if most is negative.
func (c certificate) verify(most int, seed uint64) (v verified, err error) {
	for i, f := range c.proofs() {
		left := c.moves[i]
		f.choose = func(p plain, cells []int) (int, error) {
			if left == "" {
				return 0, fmt.Errorf("%s %c: the certificate has no more moves", p.cells, p.turn)
			}
			cell := strings.IndexByte(letters, left[0])
			i := slices.Index(cells, cell)
			if i < 0 {
				return 0, fmt.Errorf("%s %c: move %q is not legal", p.cells, p.turn, left[:1])
			}
			left = left[1:]
			return i, nil
		}
		if err := f.walk(plainStart(c.size, c.pits)); err != nil {
			return v, err
		}
		if left != "" {
			return v, fmt.Errorf("%d moves are left of the certificate", len(left))
		}
		proved, err := f.prove(most, seed)
		if err != nil {
			return v, err
		}
		v.positions, v.claims, v.proved = v.positions+len(f.visited), v.claims+len(f.claims), v.proved+proved
	}
	return v, nil
}

// prove proves claims of a walk and returns their number.
func (f *proof) prove(most int, seed uint64) (proved int, err error) {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(f.claims))
	if most >= 0 {
		order = order[:min(most, len(order))]
	}
	c := claim{f.attacker, f.bound, map[plain]bool{}}
	for _, i := range order {
		if p := f.claims[i]; !c.holds(p) {
			return proved, fmt.Errorf("%s %c: %c does not get %d", p.cells, p.turn, f.attacker, f.bound)
		}
		if proved++; len(c.known) > 1<<20 {
			clear(c.known)
		}
	}
	return proved, nil
}
