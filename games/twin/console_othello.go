package twin

// playOthello is the dialogue of section 3.4 of the specification.
func (c *console) playOthello(size int) (exit int) {
	g := newOthello(size)
	if !c.askPits(g) {
		return exitEnd
	}
	passes := 0
	for round := 1; g.board.count('.') > 0 && passes < 2; round++ {
		c.print("Round %d:\n", round)
		c.printOthello(g)
		if !g.canMove(g.player) {
			c.print("Player %c has no valid moves! Pass!\n", g.player)
			passes++
		} else {
			passes = 0
			if !c.moveOthello(g) {
				return exitEnd
			}
		}
		g.player = g.other(g.player)
	}
	c.print("Game over:\n")
	c.printOthello(g)
	switch g.ahead() {
	case firstWins:
		c.print("Player X wins!\n")
	case secondWins:
		c.print("Player O wins!\n")
	default:
		c.print("Draw game!\n")
	}
	return exitDone
}

// askPits asks how many pits there are and where, and tells false when the
// input ends first.
func (c *console) askPits(g *othello) bool {
	pits, ok := c.askPitCount(len(g.board))
	if !ok {
		return false
	}
	for i := 1; i <= pits; {
		c.print("Enter position for pit %d: ", i)
		letter, row, how := c.in.cell()
		switch {
		case how == ended:
			return false
		case how == failed:
			c.in.discardLine()
		case g.dig(row-1, column(letter)):
			i++
		default:
			c.print("Invalid position!\n")
		}
	}
	return true
}

// askPitCount asks until the number of pits is not too large; a negative one
// means none. It tells false when the input ends first.
func (c *console) askPitCount(size int) (pits int, ok bool) {
	for {
		c.print("Enter number of pits: ")
		n, how := c.in.integer()
		switch {
		case how == ended:
			return 0, false
		case how == failed:
			c.in.discardLine()
		case n > size*size/2:
			c.print("Too many pits!\n")
		default:
			return n, true
		}
	}
}

// moveOthello asks until a move is valid and makes it, and tells false when
// the input ends first.
func (c *console) moveOthello(g *othello) bool {
	for {
		c.print("Player %c's turn: ", g.player)
		letter, row, how := c.in.cell()
		switch {
		case how == ended:
			return false
		case how == failed:
			c.in.discardLine()
		case g.valid(g.player, row-1, column(letter)):
			g.place(row-1, column(letter))
			return true
		default:
			c.print("Invalid move!\n")
		}
	}
}

// printOthello prints the board; its rows, unlike its header, end with a blank.
func (c *console) printOthello(g *othello) {
	c.print("  ")
	for x := range g.board {
		c.print(" %c", 'A'+x)
	}
	c.print("\n")
	for y, row := range g.board {
		c.print("%2d ", y+1)
		for _, b := range row {
			c.print("%c ", b)
		}
		c.print("\n")
	}
}
