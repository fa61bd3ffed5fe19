package twin

// playLOA is the dialogue of section 4.4 of the specification.
func (c *console) playLOA() (exit int) {
	g := newLOA()
	for {
		c.printLettered(g.board)
		if !g.canMove(g.player) {
			c.print("%c has to pass!\n", g.player)
		} else if !c.moveLOA(g) {
			return exitEnd
		}
		g.player = opponent(g.player)
		if g.gameOver() != '-' || g.stuck() {
			break
		}
	}
	c.printLettered(g.board)
	switch g.gameOver() {
	case 'B':
		c.print("B wins!\n")
	case 'W':
		c.print("W wins!\n")
	default: // D, and two players who are stuck
		c.print("Draw game!\n")
	}
	return exitDone
}

// moveLOA asks until a move is valid, and tells false when the input ends
// first.
func (c *console) moveLOA(g *loa) bool {
	for {
		c.print("%c's move: ", g.player)
		from, how := c.in.token()
		if how == ended {
			return false
		}
		to, how := c.in.token()
		if how == ended {
			return false
		}
		if g.move(from, to) {
			return true
		}
		c.print("Invalid move. Try again!\n")
	}
}
