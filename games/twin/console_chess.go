package twin

import "strings"

// playChess is the dialogue of section 6.4 of the specification for two
// humans. It ends by a captured king or by Z0 Z0 only: a human who cannot move
// is asked all the same.
func (c *console) playChess() (exit int) {
	c.print("Choose game mode (1, 2, 3): ")
	mode, how := c.in.integer()
	if how == ended {
		return exitEnd
	}
	if how == failed || mode != 1 {
		return exitUnknown
	}
	g := newChess()
	halted := false
	for round := 1; !halted && g.hasKing(true) && g.hasKing(false); round++ {
		c.print("Round %d:\n", round)
		c.printChess(g)
		var ok bool
		halted, ok = c.moveChess(g)
		if !ok {
			return exitEnd
		}
		g.white = !g.white
	}
	switch g.ahead() {
	case firstWins:
		c.print("White wins!\n")
	case secondWins:
		c.print("Black wins!\n")
	default:
		c.print("Draw game!\n")
	}
	return exitDone
}

// moveChess asks until a move is valid and makes it, or until the player halts
// the game. Not ok is the end of the input.
func (c *console) moveChess(g *chess) (halted, ok bool) {
	name := "Black"
	if g.white {
		name = "White"
	}
	for {
		c.print("%s's turn: ", name)
		letter1, row1, how := c.in.cell()
		var letter2 byte
		var row2 int
		if how == got {
			letter2, row2, how = c.in.cell()
		}
		y1, x1, y2, x2 := row1-1, column(letter1), row2-1, column(letter2)
		switch {
		case how == ended:
			return false, false
		case how == failed:
			c.in.discardLine()
		case letter1 == 'Z' && row1 == 0 && letter2 == 'Z' && row2 == 0:
			return true, true
		case g.valid(g.white, y1, x1, y2, x2):
			g.carryOut(y1, x1, y2, x2)
			return false, true
		}
		c.print("invalid input!\n")
	}
}

// printChess prints the board in the console's letters: Black upper case,
// White lower case.
func (c *console) printChess(g *chess) {
	border := "  " + strings.Repeat("-", 33) + "\n"
	c.print("    A   B   C   D   E   F   G   H  \n")
	c.print("%s", border)
	for y, row := range g.board {
		c.print("%d", y+1)
		for _, p := range row {
			symbol := string(rune(p.kind))
			if p.kind == 0 {
				symbol = " "
			} else if p.white {
				symbol = strings.ToLower(symbol)
			}
			c.print(" | %s", symbol)
		}
		c.print(" | \n")
		c.print("%s", border)
	}
}
