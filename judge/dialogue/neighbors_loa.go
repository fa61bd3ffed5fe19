package dialogue

import (
	"bytes"
	"strings"
)

// neighborsLOA is the state of a game of Neighbors or Lines of Action.
type neighborsLOA struct {
	*talk
	loa  bool
	lost [2]int // captured pieces of black and of white, for CountKept
}

// stones are the symbols of the players, in Connect6 too.
const stones = "BW"

func playNeighbors(t *talk) {
	t.begin(t.start())
	(&neighborsLOA{talk: t}).play()
}

func playLOA(t *talk) {
	t.begin(t.start())
	(&neighborsLOA{talk: t, loa: true}).play()
}

func rows(lines ...string) (cells [][]byte) {
	for _, line := range lines {
		cells = append(cells, []byte(line))
	}
	return cells
}

func (g *neighborsLOA) play() {
	if g.Has("start-turned") {
		for _, row := range g.cells {
			copy(row, bytes.Map(func(r rune) rune { return map[rune]rune{'B': 'W', 'W': 'B', '.': '.'}[r] }, row))
		}
	}
	for !g.stopped() {
		passed := g.turn()
		if g.stopped() {
			return
		}
		mover := g.player
		if !g.Has("no-swap") {
			g.player = 1 - g.player
		}
		if over := g.result(mover, passed); over != 0 {
			g.end(over)
			return
		}
	}
}

func (g *neighborsLOA) turn() (passed bool) {
	if g.passes() {
		if !g.Has(PassNoBoard) {
			g.show()
		}
		if !g.Has("silent-pass") {
			g.say(PassText, g.Words.Pass, g.Words.Players[g.player])
		}
		g.because("has to pass")
		return true
	}
	g.show()
	g.choice = Choice{Turn: g.player, Cells: g.cells, Legal: g.legal, Why: func(line string) string {
		cells := strings.Fields(line)
		return g.refusal(cells[0], cells[1])
	}}
	g.insist(g.question(g.show), func() string {
		from, to := g.token(), g.token()
		if g.ended {
			return ""
		}
		why := g.refusal(from, to)
		if why == "" {
			g.move(g.cell(from), g.cell(to))
		}
		return why
	})
	return false
}

func (g *neighborsLOA) passes() bool {
	if g.Has("no-pass") {
		return false
	}
	if g.Has(StuckAsks) && !g.isolated(g.player) {
		return false
	}
	return !g.canMove(g.player) || g.isolated(g.player)
}

// end prints the last board and the result: a side's letter, or 'D'.
func (g *neighborsLOA) end(result byte) {
	if !g.Has("no-last-board") {
		g.show()
	}
	g.conclude(strings.IndexByte(stones, result))
}

func (g *neighborsLOA) move(from, to [2]int) {
	if enemy := g.at(to); enemy != '.' {
		g.lost[strings.IndexByte(stones, enemy)]++
		g.because("captures a piece")
	}
	g.cells[to[0]][to[1]] = g.at(from)
	if !g.Has("keeps-source") {
		g.cells[from[0]][from[1]] = '.'
	}
}
