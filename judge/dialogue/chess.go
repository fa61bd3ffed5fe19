package dialogue

import (
	"fmt"
	"strings"
)

// chess is the state of a game of chess.
type chess struct {
	*talk   // white is player 0; black is in capitals, white in small letters
	moved   [8][8]bool
	machine [2]bool
	stop    bool
	lost    [2]int // scores of captured pieces, for CapturedScore
}

func playChess(t *talk) {
	t.begin(t.start())
	g := &chess{talk: t}
	g.print(PromptText, g.Words.Mode)
	mode := 0
	g.read(func() string {
		mode, _ = g.integer()
		return ""
	})
	g.Open = mode < 1 || mode > 3
	g.machine = [2]bool{mode != 1 && mode != 2, mode != 1}
	if mode == 2 && g.Has("machine-white") {
		g.machine = [2]bool{true, false}
	}
	g.Endless = !g.ended && g.machine[0] && g.machine[1]
	for ; !g.stop && !g.stopped(); g.round++ {
		g.showRound()
		if g.machine[g.player] {
			g.machineTurn()
		} else {
			g.ask()
		}
		g.player = 1 - g.player
	}
	if g.Has("last-board") {
		g.show()
	}
	g.conclude(leader(g.scores()))
}

func startOfChess(p Program) [][]byte {
	back := "RNBQKBNR"
	switch {
	case p.Has("royals-swapped"):
		back = "RNBKQBNR"
	case p.Has("knights-swapped"):
		back = "RBNQKNBR"
	}
	cells := rows(back, "PPPPPPPP", "........", "........", "........", "........", "pppppppp", back)
	for i := range cells[7] {
		cells[7][i] += 'a' - 'A'
	}
	return cells
}

func (g *chess) ask() {
	g.choice = Choice{Turn: g.player, Cells: g.cells, Legal: g.legalTexts, Why: g.why}
	g.insist(g.question(g.show), g.answer)
}

// answer reads a move and carries it out, or returns why it is invalid.
func (g *chess) answer() string {
	letter1, number1, ok := g.cell()
	if !ok {
		return garbled
	}
	letter2, number2, ok := g.cell()
	if !ok {
		return garbled
	}
	if g.ended {
		return ""
	}
	if g.stops(letter1, letter2, number1, number2) {
		g.stop = true
		g.because("stops the game")
		return ""
	}
	if g.Has("one-case") && (letter1 >= 'a' || letter2 >= 'a') {
		return "names a column by a small letter"
	}
	a, b := [2]int{number1 - 1, column(letter1)}, [2]int{number2 - 1, column(letter2)}
	why := g.refusal(a, b)
	if why == "" {
		g.move(a, b)
	}
	return why
}

// cell reads a letter and a number; at the end of the input, too, it is ok.
func (g *chess) cell() (letter byte, number int, ok bool) {
	letter, number, ok = g.letterNumber()
	if number != 0 || letter|0x20 != 'z' {
		g.form(letter, number)
	}
	return letter, number, ok || g.ended
}

func (g *chess) stops(letter1, letter2 byte, number1, number2 int) bool {
	first := (letter1 == 'Z' || letter1 == 'z' && g.Has("stop-any-case")) && number1 == 0
	second := (letter2 == 'Z' || letter2 == 'z' && g.Has("stop-any-case")) && number2 == 0
	return first && (second || g.Has("stop-by-first")) && !g.Has("no-stop")
}

func (g *chess) move(a, b [2]int) {
	piece, target := g.at(a), g.at(b)
	if target != '.' {
		g.because("captures a piece")
		g.lost[1-g.player] += score(target, g.Has("usual-scores"))
	}
	if (target == 'k' || target == 'K') && !g.Has("king-is-no-end") {
		g.because("captures the king")
		g.stop = true
	}
	if g.Has("promotes") && (piece == 'p' && b[0] == 0 || piece == 'P' && b[0] == 7) {
		piece = piece - 'p' + 'q'
		if g.player == 1 {
			piece = 'Q'
		}
	}
	if g.Has("castles") && upper(piece) == 'K' && b[1]-a[1] == 2 {
		g.cells[a[0]][5], g.cells[a[0]][7] = g.cells[a[0]][7], '.'
	}
	g.cells[b[0]][b[1]], g.moved[b[0]][b[1]] = piece, true
	if !g.Has("keeps-source") {
		g.cells[a[0]][a[1]] = '.'
	}
}

func upper(c byte) byte { return c &^ ('a' - 'A') }

// sideOf returns 0 for white, 1 for black, -1 for an empty cell.
func sideOf(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return 0
	case c >= 'A' && c <= 'Z':
		return 1
	}
	return -1
}

// machineTurn takes the machine's move from the judged program's output.
func (g *chess) machineTurn() {
	a, b, ok := g.heardMove()
	if !ok {
		legal := g.legal()
		if len(legal) == 0 {
			return
		}
		some := g.begun(legal)
		a, b = some[0], some[1]
	}
	g.print(moveText, g.says(a, b))
	g.Free = !ok && g.heard != ""
	g.move(a, b)
}

// begun returns the legal move in whose text the judged program's output ends, as that of a
// program that was stopped; otherwise any.
func (g *chess) begun(legal [][2][2]int) [2][2]int {
	if g.said < len(g.heard) {
		for _, m := range legal {
			if strings.HasPrefix(g.ends(g.says(m[0], m[1])), g.heard[g.said:]) {
				return m
			}
		}
	}
	return legal[g.chance(len(legal))]
}

// Machines reports whether machines move in a game that begins with these lines:
// only the program's output tells what they play.
func (p Program) Machines(lines []string) bool {
	return p.Game == "chess" && len(lines) > 0 && (lines[0] == "2" || lines[0] == "3")
}

// chance returns a number below n that depends on the output so far.
func (g *chess) chance(n int) int {
	return int(uint64(g.said) * 0x9E3779B97F4A7C15 >> 33 % uint64(n))
}

// says returns what a machine prints when it moves.
func (g *chess) says(a, b [2]int) string {
	column, row := 'A', 1
	if g.Has("machine-small") {
		column = 'a'
	}
	if g.Has("machine-rows") {
		row = 0
	}
	if g.Has("machine-turned") {
		a, b = b, a
	}
	return fmt.Sprintf("%s's turn: %c%d %c%d\n", g.Words.Players[g.player], column+rune(a[1]), a[0]+row, column+rune(b[1]), b[0]+row)
}

// heardMove returns the legal move at this place of the judged program's output.
func (g *chess) heardMove() (a, b [2]int, ok bool) {
	before := len(g.Words.Players[g.player] + "'s turn: ")
	if before+len("A1 B2") > len(g.heard)-g.said {
		return a, b, false
	}
	rest := g.heard[g.said:]
	said, row := rest[before:], 1
	if g.Has("machine-rows") {
		row = 0
	}
	a, b = [2]int{int(said[1]-'0') - row, column(said[0])}, [2]int{int(said[4]-'0') - row, column(said[3])}
	if g.Has("machine-turned") {
		a, b = b, a
	}
	legal := inside(8, a[0], a[1]) && sideOf(g.at(a)) == g.player && g.refusal(a, b) == ""
	return a, b, legal && strings.HasPrefix(rest, g.ends(g.says(a, b)))
}

func (g *chess) legalTexts() (list []string) {
	for _, m := range g.legal() {
		list = append(list, fmt.Sprintf("%c%d %c%d", 'A'+m[0][1], m[0][0]+1, 'A'+m[1][1], m[1][0]+1))
	}
	return list
}

// why says why a text "E7 E5" is refused.
func (g *chess) why(line string) string {
	var from, to byte
	var y1, y2 int
	if _, err := fmt.Sscanf(line, "%c%d %c%d", &from, &y1, &to, &y2); err != nil {
		return garbled
	}
	if g.stops(from, to, y1, y2) {
		return ""
	}
	return g.refusal([2]int{y1 - 1, column(from)}, [2]int{y2 - 1, column(to)})
}

func (g *chess) legal() (list [][2][2]int) {
	for from := range 64 {
		a := [2]int{from / 8, from % 8}
		if sideOf(g.at(a)) != g.player {
			continue
		}
		for to := range 64 {
			b := [2]int{to / 8, to % 8}
			if g.refusal(a, b) == "" {
				list = append(list, [2][2]int{a, b})
			}
		}
	}
	return list
}
