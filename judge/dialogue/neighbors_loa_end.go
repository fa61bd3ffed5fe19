package dialogue

// legal lists the valid moves of the player.
func (g *neighborsLOA) legal() (list []string) {
	for from := range 64 {
		a := cellName(from)
		if g.isCell(a) && (g.at(g.cell(a)) == '.' || g.at(g.cell(a)) != stones[g.player] && !g.Has("enemy-piece")) {
			continue // most cells: refusal would say so of every target
		}
		for to := range 64 {
			b := cellName(to)
			if g.refusal(a, b) == "" {
				list = append(list, a+" "+b)
			}
		}
	}
	return list
}

func cellName(i int) string { return string([]byte{'a' + byte(i%8), '0' + byte(i/8)}) }

// canMove reports whether a side has a legal move.
func (g *neighborsLOA) canMove(player int) bool {
	for row := range g.cells {
		for col, c := range g.cells[row] {
			if c == stones[player] && g.pieceCanMove([2]int{row, col}) {
				return true
			}
		}
	}
	return false
}

func (g *neighborsLOA) pieceCanMove(a [2]int) bool {
	lines := g.loa && !g.Has("counts-around") // else all directions reach as far
	k := g.reach(a, 0, 1)
	for _, d := range eight {
		if lines {
			k = g.reach(a, d[0], d[1])
		}
		for i := 1; i < 8; i++ {
			b := [2]int{a[0] + i*d[0], a[1] + i*d[1]}
			if inside(8, b[0], b[1]) && g.mayGo(i, k) && g.wrongWay(a, b) == "" {
				return true
			}
		}
	}
	return false
}

// isolated reports whether no piece of a side has a neighbour. Lines of Action
// does not know it.
func (g *neighborsLOA) isolated(player int) bool {
	if g.loa {
		return false
	}
	own := stones[player]
	for row := range g.cells {
		for col, c := range g.cells[row] {
			if c == own && g.hasNeighbour(row, col) {
				return false
			}
		}
	}
	return true
}

func (g *neighborsLOA) hasNeighbour(row, col int) bool {
	own := g.cells[row][col]
	for _, d := range eight {
		y, x := row+d[0], col+d[1]
		if !inside(8, y, x) || g.cells[y][x] == '.' {
			continue
		}
		if g.cells[y][x] == own && !g.Has("isolated-by-enemy") || g.cells[y][x] != own && !g.Has("isolated-by-own") {
			return true
		}
	}
	return false
}

// connected reports whether the pieces of a side are one group.
func (g *neighborsLOA) connected(player int) bool {
	own, first, all := stones[player], [2]int{-1, -1}, 0
	for row := range g.cells {
		for col, c := range g.cells[row] {
			if c == own {
				if all++; all == 1 {
					first = [2]int{row, col}
				}
			}
		}
	}
	if g.Has("count-kept") {
		all += g.lost[player]
	}
	if g.Has("count-twice") {
		return g.group(first) == all-g.lost[player]
	}
	if all == 0 || all == 1 && g.Has("single-apart") {
		return all == 0
	}
	return g.group(first) == all
}

// group returns how many pieces are connected with the one on a cell.
func (g *neighborsLOA) group(first [2]int) int {
	var seen [64]bool
	seen[first[0]*8+first[1]] = true
	size := 1
	for todo := [][2]int{first}; len(todo) > 0; {
		c := todo[0]
		todo = todo[1:]
		for _, d := range eight {
			next := [2]int{c[0] + d[0], c[1] + d[1]}
			if g.Has("edges-connect") {
				next = [2]int{c[0] + d[0], (c[1] + d[1] + 8) % 8}
			}
			if g.Has("four-connected") && d[0] != 0 && d[1] != 0 || !inside(8, next[0], next[1]) || g.at(next) != g.at(first) || seen[next[0]*8+next[1]] {
				continue
			}
			seen[next[0]*8+next[1]] = true
			size++
			todo = append(todo, next)
		}
	}
	return size
}

// result returns a side's letter, 'D', or 0 while the game continues.
func (g *neighborsLOA) result(mover int, passed bool) byte {
	black, white := g.connected(0), g.connected(1)
	if g.Has("no-suicide") {
		black, white = black && mover == 0, white && mover == 1
	}
	if g.Has("only-suicide") {
		black, white = black && mover == 1, white && mover == 0
	}
	switch {
	case black && white:
		return g.bothConnected(mover)
	case black:
		g.because("connects black")
		return 'B'
	case white:
		g.because("connects white")
		return 'W'
	}
	return g.stuck(mover, passed)
}

func (g *neighborsLOA) bothConnected(mover int) byte {
	g.because("connects both")
	switch {
	case g.Has("both-mover"):
		return stones[mover]
	case g.Has("both-other"):
		return stones[1-mover]
	}
	return 'D'
}

// stuck returns the result if neither side can move.
func (g *neighborsLOA) stuck(mover int, passed bool) byte {
	switch {
	case passed && g.Has("pass-ends"):
		return 'D'
	case passed && g.Has("pass-loses"):
		return stones[1-mover]
	case g.Has("no-pass"):
		return 0
	case g.isolated(0) && g.isolated(1):
		if g.Has("isolated-goes-on") {
			return 0
		}
		g.because("isolates all pieces")
		return 'D'
	case !g.Has(StuckAsks) && !g.canMove(0) && !g.canMove(1):
		g.because("leaves nobody a move")
		return 'D'
	}
	return 0
}
