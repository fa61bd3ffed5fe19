package dialogue

import "fmt"

// othello is the state of a game of Othello.
type othello struct {
	*talk
	passes int
}

// discs are the symbols of the players.
const discs = "XO"

func playOthello(t *talk) {
	t.begin(t.start())
	t.firstRow = 1
	g := &othello{talk: t}
	g.digPits()
	for !g.full() && g.passes < g.mostPasses() && !g.stopped() && !g.wiped() {
		g.turn()
	}
	g.end()
}

func startOfOthello(p Program) [][]byte {
	cells, h := grid(p.Size), p.Size/2
	a, b := discs[0], discs[1]
	if p.Has("start-mirrored") {
		a, b = b, a
	}
	cells[h-1][h-1], cells[h][h], cells[h-1][h], cells[h][h-1] = a, a, b, b
	return cells
}

func (g *othello) digPits() {
	pits, most := 0, g.Size*g.Size/2
	switch {
	case g.Has("pits-one-less"):
		most--
	case g.Has("pits-one-more"):
		most++
	case g.Has("pits-any"):
		most = g.Size * g.Size
	}
	g.insist(asked{prompt: g.Words.PitCount, refused: g.Words.TooMany}, func() string {
		n, ok := g.integer()
		if !ok {
			return garbled
		}
		pits = n
		g.Open = g.Open || n < 0
		if n > most {
			if g.Has("pits-clamped") {
				pits = most
				g.print(Refusal, g.Words.TooMany)
				return ""
			}
			return "asks for more pits than half of the cells"
		}
		return ""
	})
	for i := 1; i <= pits && !g.stopped(); i++ {
		g.digPit(i)
	}
}

func (g *othello) digPit(i int) {
	if g.Has("pits-from-zero") {
		i--
	}
	q := asked{prompt: fmt.Sprintf(g.Words.PitPlace, i), refused: g.Words.BadPit}
	dig := g.answerCell(g.notPit, func(row, col int) { g.cells[row][col] = '#' })
	if g.Has("bad-pit-skips") {
		g.askOnce(q, dig)
	} else {
		g.insist(q, dig)
	}
}

func (g *othello) turn() {
	if g.has(g.player) || g.Has("asks-stuck") {
		g.showRound()
		g.passes = map[bool]int{true: g.passes}[g.Has("passes-add")]
		g.ask()
	} else {
		g.pass()
	}
	if !g.Has("no-swap") {
		g.player = 1 - g.player
	}
	g.round++
}

func (g *othello) pass() {
	if !g.Has(PassNoBoard) {
		g.showRound()
	}
	if !g.Has("silent-pass") {
		who := g.player
		if g.Has("pass-other") {
			who = 1 - who
		}
		g.say(PassText, g.Words.Pass, g.Words.Players[who])
	}
	g.because("leaves the next player no move")
	g.passed()
	if g.Has("pass-no-round") {
		g.round--
	}
}

// mostPasses returns after how many passes the game ends.
func (g *othello) mostPasses() int { return map[bool]int{false: 2, true: 3}[g.Has("three-passes")] }

// passed counts a pass.
func (g *othello) passed() {
	g.passes++
	if g.Has("one-pass-ends") || g.Has("ends-first-pass") && !g.has(1-g.player) {
		g.passes = g.mostPasses()
	}
	if g.Has("pass-keeps-turn") {
		g.player = 1 - g.player
	}
}

func (g *othello) ask() {
	g.insist(g.question(g.showRound), g.answerCell(g.notMove, func(row, col int) { g.place(row, col, g.turns(g.player, row, col)) }))
}

func (g *othello) place(row, col int, turned [][2]int) {
	own := discs[g.player]
	g.cells[row][col] = own
	for _, c := range turned {
		g.cells[c[0]][c[1]] = own
	}
	if g.Has("flips-later") {
		for _, c := range turned {
			for _, d := range g.turns(g.player, c[0], c[1]) {
				g.cells[d[0]][d[1]] = own
			}
		}
	}
}
