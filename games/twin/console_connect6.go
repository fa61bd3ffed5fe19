package twin

// playConnect6 is the dialogue of section 5.4 of the specification.
func (c *console) playConnect6(size int) (exit int) {
	g := newConnect6(size)
	c.printConnect6(g)
	for g.result == goingOn {
		c.print("%c's turn: ", g.player)
		letter, row, how := c.in.cell()
		if how == ended {
			return exitEnd
		}
		if how == failed {
			c.in.discardLine()
		}
		// Only upper case letters are columns here.
		if how == failed || !g.place(row, int(letter)-'A') {
			c.print("Invalid move. Enter again!\n")
			continue
		}
		c.printConnect6(g)
	}
	switch g.result {
	case firstWins:
		c.print("Black wins!\n")
	case secondWins:
		c.print("White wins!\n")
	default:
		c.print("Draw game!\n")
	}
	return exitDone
}

func (c *console) printConnect6(g *connect6) {
	c.print("  ")
	for x := range g.board {
		c.print(" %c", 'A'+x)
	}
	c.print("\n")
	for y, row := range g.board {
		c.print("%2d", y)
		for _, b := range row {
			c.print(" %c", b)
		}
		c.print("\n")
	}
}
