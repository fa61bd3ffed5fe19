package dialogue

// notPit returns why a pit cannot be dug on a cell, "" if it can.
func (g *othello) notPit(row, col int) string {
	switch c := g.cells[row][col]; {
	case c == '#' && !g.Has("pits-twice"):
		return "puts a pit on a pit"
	case (c == 'X' || c == 'O') && !g.Has("pits-on-discs"):
		return "puts a pit on a disc"
	}
	return ""
}

// notMove returns why a disc cannot be placed on a cell, "" if it can.
func (g *othello) notMove(row, col int) string {
	switch c := g.cells[row][col]; {
	case c == '#' && !g.Has("on-pits"):
		return "puts a disc on a pit"
	case c == 'X' || c == 'O':
		return "puts a disc on a disc"
	case len(g.turns(g.player, row, col)) == 0 && !g.needsNone(row, col):
		return "turns no disc over"
	}
	return ""
}

// blind reports whether lines in a direction are not seen.
func (g *othello) blind(dy, dx int) bool {
	switch {
	case dy != 0 && dx != 0 && g.Has("no-diagonals"), dx == 0 && g.Has("no-vertical"), dy == 0 && g.Has("no-horizontal"):
		return true
	case dy < 0 && g.Has("no-upward"), dy > 0 && g.Has("no-downward"), dx < 0 && g.Has("no-leftward"), dx > 0 && g.Has("no-rightward"):
		return true
	case dy < 0 && dx < 0 && g.Has("no-up-left"), dy < 0 && dx > 0 && g.Has("no-up-right"), dy > 0 && dx < 0 && g.Has("no-down-left"), dy > 0 && dx > 0 && g.Has("no-down-right"):
		return true
	}
	return false
}

// turns returns the discs that a disc on a cell turns over.
func (g *othello) turns(player, row, col int) (all [][2]int) {
	for _, d := range eight {
		if g.blind(d[0], d[1]) {
			continue
		}
		line := g.line(player, row, col, d)
		if len(line) > 1 && g.Has("lines-of-one") {
			continue
		}
		if len(line) > 1 && g.Has("flips-one-disc") {
			line = line[:1]
		}
		all = append(all, line...)
		if len(all) > 0 && g.Has("flips-one-line") {
			break
		}
	}
	return all
}

// line returns the discs that are turned over in one direction.
func (g *othello) line(player, row, col int, d [2]int) (line [][2]int) {
	own, n := discs[player], g.Size
	for range n {
		row, col = row+d[0], col+d[1]
		if g.Has("edges-wrap") && row >= 0 && row < n && (col == n || col == -1) {
			row, col = row+col/n, (col+n)%n
			if d[1] < 0 {
				row--
			}
		}
		if !inside(n, row, col) {
			return g.unclosed(line)
		}
		switch c := g.cells[row][col]; {
		case c == own, c == '#' && g.Has("pits-as-own"):
			return line
		case c == '.' || c == '#' && !g.Has("pits-as-enemy"):
			return g.unclosed(line)
		case c != '#':
			line = append(line, [2]int{row, col})
		}
	}
	return nil
}

// unclosed returns what is turned over of a line that has no own disc at its end.
func (g *othello) unclosed(line [][2]int) [][2]int {
	if g.Has("open-lines") {
		return line
	}
	return nil
}

// needsNone reports whether a disc may be placed that turns none over.
func (g *othello) needsNone(row, col int) bool {
	if g.Has("any-empty") {
		return true
	}
	if !g.Has("needs-no-flip") {
		return false
	}
	for _, d := range eight {
		y, x := row+d[0], col+d[1]
		if inside(g.Size, y, x) && g.cells[y][x] == discs[1-g.player] {
			return true
		}
	}
	return false
}

// has reports whether a player has a valid move.
func (g *othello) has(player int) bool {
	was := g.player
	g.player = player
	defer func() { g.player = was }()
	for row := range g.cells {
		for col, c := range g.cells[row] {
			if (c == '.' || c == '#' && g.Has("on-pits")) && (len(g.turns(player, row, col)) > 0 || g.needsNone(row, col)) {
				return true
			}
		}
	}
	return false
}

// full reports whether no cell is empty.
func (g *othello) full() bool {
	return !g.Has("full-goes-on") && g.count('.') == 0 && (!g.Has("full-by-discs") || g.count('#') == 0)
}

// wiped reports whether the game ends early by a wrong rule.
func (g *othello) wiped() bool {
	return g.Has("ends-without") && (g.count('X') == 0 || g.count('O') == 0) || g.Has("ends-unpassed") && !g.has(0) && !g.has(1)
}

func (g *othello) end() {
	g.print(ResultText, g.Words.Over)
	if !g.Has("no-last-board") {
		g.show()
	}
	x, o := g.count('X'), g.count('O')
	if g.Has("pits-counted") {
		o += g.count('#')
	}
	if g.Has("empty-counted") {
		x += g.count('.')
	}
	if g.Has("fewer-wins") {
		x, o = o, x
	}
	if g.Has("draw-to-white") && x == o {
		o++
	}
	g.conclude(leader([2]int{x, o}))
}
