package games_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/lab/oracle"
)

func TestByName(t *testing.T) {
	for _, name := range games.Names() {
		if g, err := games.ByName(name); err != nil || g.Name != name {
			t.Errorf("ByName(%q) = %s, %v", name, g.Name, err)
		}
	}
	_, err := games.ByName("go")
	if want := `game "go": expected ` + game.Alternatives(games.Names()); err == nil || err.Error() != want {
		t.Errorf("ByName(go): %v, want %s", err, want)
	}
}

// TestLooks checks that screens know how every game looks.
func TestLooks(t *testing.T) {
	for _, g := range games.All() {
		if !slices.Contains([]game.Ground{game.Wood, game.Felt, game.Slate, game.Bamboo, game.Chequered}, g.Look.Ground) ||
			!slices.Contains([]game.Set{game.Stones, game.Discs, game.Chessmen}, g.Look.Set) ||
			!slices.Contains([]game.Ending{game.Other, game.Connected, game.Six, game.King, game.Most}, g.Look.Ending) {
			t.Errorf("%s: unknown ground %q, set %q or ending %q", g.Name, g.Look.Ground, g.Look.Set, g.Look.Ending)
		}
	}
}

// TestEveryGameHasAnOracle checks that every game has an independent implementation of
// its rules.
func TestEveryGameHasAnOracle(t *testing.T) {
	for _, name := range games.Names() {
		_, stop, err := oracle.New(name, 0, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		stop()
	}
}

// oracleTest is a set-up of a game and how many games of it are compared.
type oracleTest struct {
	name       string
	size, pits int
	games      int
}

// oracleTests lists the set-ups to compare. A game without a line of its own is
// compared in its usual set-up.
func oracleTests() []oracleTest {
	tests := []oracleTest{

		{name: "neighbors", games: 60},
		{name: "loa", games: 40},
		{name: "chess", games: 60},
		{name: "othello", size: 4, games: 200},
		{name: "othello", size: 4, pits: 8, games: 200},
		{name: "othello", size: 6, games: 60},
		{name: "othello", size: 6, pits: 9, games: 100},
		{name: "othello", size: 8, games: 60},
		{name: "othello", size: 8, pits: 14, games: 60},
		{name: "othello", size: 10, pits: 7, games: 20},
		{name: "othello", size: 16, pits: 40, games: 4},
		{name: "othello", size: 26, pits: 90, games: 1},
		{name: "connect6", size: 1, games: 1},
		{name: "connect6", size: 2, games: 10},
		{name: "connect6", size: 6, games: 60},
		{name: "connect6", size: 7, games: 60},
		{name: "connect6", size: 19, games: 4},
		{name: "connect6", size: 26, games: 2},
	}
	for _, name := range games.Names() {
		if !slices.ContainsFunc(tests, func(t oracleTest) bool { return t.name == name }) {
			tests = append(tests, oracleTest{name: name, games: 60})
		}
	}
	return tests
}

// TestOracle plays random games on the fast rules and on the plain ones at once,
// and compares every position: cells, side to move, stones left, moves, result.
func TestOracle(t *testing.T) {
	for _, test := range oracleTests() {
		t.Run(fmt.Sprintf("%s size %d pits %d", test.name, test.size, test.pits), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(test.size), uint64(test.pits)))
			for range scaledRounds(test.games) {
				newPair(t, test.name, test.size, test.pits, r).play(t, r)
			}
		})
	}
}

// pair is one game on both kinds of rules.
type pair struct {
	fast  game.Position
	plain oracle.Game
	stop  func()
}

func newPair(t *testing.T, name string, size, pits int, r *rand.Rand) *pair {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	setup := game.Setup{}
	if size > 0 {
		setup["size"] = fmt.Sprint(size)
	}
	var cells []string
	if pits > 0 {
		cells = somePits(size, r.IntN(pits+1), r)
		setup["pits"] = strings.Join(cells, ",")
	}
	fast, err := g.Start(setup)
	if err != nil {
		t.Fatal(err)
	}
	plain, stop, err := oracle.New(name, size, cells)
	if err != nil {
		t.Fatal(err)
	}
	return &pair{fast, plain, stop}
}

// somePits returns n cells, none of them one of the four in the middle.
func somePits(size, n int, r *rand.Rand) (cells []string) {
	c := game.Coords{Rows: size, Cols: size, Base: 1}
	h := size / 2
	for _, i := range r.Perm(size * size) {
		if row, col := i/size, i%size; len(cells) < n && (row < h-1 || row > h || col < h-1 || col > h) {
			cells = append(cells, c.Name(game.Cell(i)))
		}
	}
	return cells
}

func (p *pair) play(t *testing.T, r *rand.Rand) {
	t.Helper()
	defer p.stop()
	for range 400 {
		p.compare(t)
		moves := p.fast.Moves(nil)
		if len(p.plain.Moves()) == 0 { // also where the course's chess continues without a move
			return
		}
		m := moves[r.IntN(len(moves))]
		p.plain.Play(p.fast.Format(m))
		p.fast.Play(m)
	}
}

func (p *pair) compare(t *testing.T) {
	t.Helper()
	if got, want := plainCells(p.fast), p.plain.Cells(); got != want {
		t.Fatalf("%s: cells %s, want %s", p.fast, got, want)
	}
	results := map[int]game.Result{
		oracle.Ongoing: game.Ongoing, oracle.FirstWins: game.FirstWins, oracle.SecondWins: game.SecondWins, oracle.Drawn: game.Draw,
	}
	result := results[p.plain.Result()]
	if len(p.plain.Moves()) == 0 && result == game.Ongoing {
		if moves := p.fast.Moves(nil); !p.fast.Result().Over() && !slices.Equal(moves, []game.Move{game.Pass}) {
			t.Fatalf("%s: moves %v, want a pass or the end", p.fast, moves)
		}
		return
	}
	if got := p.fast.Result(); got != result {
		t.Fatalf("%s: %s, want %s", p.fast, got, result)
	}
	var moves []string
	for _, m := range p.fast.Moves(nil) {
		moves = append(moves, p.fast.Format(m))
	}
	slices.Sort(moves)
	if want := p.plain.Moves(); !slices.Equal(moves, want) {
		t.Fatalf("%s: moves %v, want %v", p.fast, moves, want)
	}
	if p.fast.Result().Over() {
		return
	}
	if got, want := int(p.fast.Turn()), p.plain.Turn(); got != want {
		t.Fatalf("%s: side %d to move, want %d", p.fast, got, want)
	}
	if c, ok := p.fast.(interface{ Left() int }); ok && c.Left() != p.plain.Left() {
		t.Fatalf("%s: %d stones left, want %d", p.fast, c.Left(), p.plain.Left())
	}
}

// plainCells returns the board of a position's text, with its runs of empty
// cells written out.
func plainCells(p game.Position) string {
	board, _, _ := strings.Cut(p.String(), " ")
	var b strings.Builder
	run := 0
	for _, c := range board + "/" {
		if c >= '0' && c <= '9' {
			run = run*10 + int(c-'0')
			continue
		}
		b.WriteString(strings.Repeat(".", run))
		run = 0
		if c != '/' {
			b.WriteRune(c)
		}
	}
	return b.String()
}
