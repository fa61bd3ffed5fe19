package dialogue

// refusal returns why a move from a to b is invalid, "" if it is not.
func (g *chess) refusal(a, b [2]int) string {
	if !inside(8, a[0], a[1]) || !inside(8, b[0], b[1]) {
		return "names a cell that is not on the board"
	}
	piece, target := g.at(a), g.at(b)
	switch {
	case piece == '.':
		return "starts from an empty cell"
	case sideOf(piece) != g.player && !g.Has("enemy-piece"):
		return "moves a piece of the other side"
	case a == b && !g.Has("stays"):
		return "stays where it is"
	case target != '.' && sideOf(target) == sideOf(piece) && !g.Has("own-target") && a != b:
		return "lands on an own piece"
	case target != '.' && g.Has("no-capture"):
		return "captures"
	}
	if why := g.wrongWay(piece, a, b); why != "" {
		return why
	}
	if g.Has("check-forced") && g.exposes(a, b) {
		return "leaves the king under attack"
	}
	return ""
}

// wrongWay returns why a piece cannot go from a to b.
func (g *chess) wrongWay(piece byte, a, b [2]int) string {
	dy, dx := b[0]-a[0], b[1]-a[1]
	y, x := max(dy, -dy), max(dx, -dx)
	straight, slanted := y == 0 || x == 0, y == x
	switch upper(piece) {
	case 'K':
		return g.king(a, y, x, dx)
	case 'N':
		return g.knight(a, y, x, dy, dx)
	case 'R':
		return g.slides("rook", straight, g.Has("rook-jumps"), a, b)
	case 'B':
		return g.slides("bishop", slanted, g.Has("bishop-jumps"), a, b)
	case 'Q':
		ways := straight && !g.Has("queen-as-bishop") || slanted && !g.Has("queen-as-rook")
		return g.slides("queen", ways, g.Has("queen-jumps"), a, b)
	}
	return g.pawn(piece, a, b)
}

func (g *chess) king(a [2]int, y, x, dx int) string {
	if y*x == 1 && g.Has("king-straight") {
		return "moves a king diagonally"
	}
	if y <= 1 && x <= 1 || y <= 2 && x <= 2 && g.Has("king-two") {
		return ""
	}
	home := g.cells[a[0]]
	if g.Has("castles") && y == 0 && dx == 2 && a[1] == 4 && upper(home[7]) == 'R' && home[5] == '.' && home[6] == '.' && (a[0] == 0 || a[0] == 7) {
		return ""
	}
	return "moves a king by more than one step"
}

func (g *chess) knight(a [2]int, y, x, dy, dx int) string {
	if y*x != 2 && (y*x != 3 || !g.Has("knight-three")) || y*x == 2 && g.Has("knight-three") {
		return "moves a knight otherwise than two and one"
	}
	if x == 2 && g.Has("knight-tall") || y == 2 && g.Has("knight-wide") {
		return "moves a knight in a way that it does not go"
	}
	if g.Has("knight-blocked") && g.cells[a[0]+dy/2][a[1]+dx/2] != '.' {
		return "jumps with a knight"
	}
	return ""
}

func (g *chess) slides(name string, mayGo, jumps bool, a, b [2]int) string {
	if !mayGo && a != b {
		return "moves a " + name + " in a way that it does not go"
	}
	sy, sx := sign(b[0]-a[0]), sign(b[1]-a[1])
	for c := [2]int{a[0] + sy, a[1] + sx}; c != b && a != b && !jumps; c = [2]int{c[0] + sy, c[1] + sx} {
		if g.at(c) != '.' {
			return "jumps over a piece with a " + name
		}
	}
	return ""
}

func (g *chess) pawn(piece byte, a, b [2]int) string {
	forward := 1
	if piece == 'p' {
		forward = -1
	}
	dy, dx := (b[0]-a[0])*forward, b[1]-a[1]
	target := g.at(b)
	if dy == -1 && g.Has("pawn-back") && target == '.' && dx == 0 {
		return ""
	}
	switch {
	case dy < 1 || dy > 2 || dx < -1 || dx > 1 || dy == 2 && dx != 0:
		return "moves a pawn in a way that it does not go"
	case dx != 0:
		return g.pawnTakes(target)
	case target != '.' && !g.Has("pawn-takes-ahead"):
		return "moves a pawn straight onto a piece"
	case dy == 2:
		return g.pawnDoubles(a, forward)
	}
	return ""
}

func (g *chess) pawnTakes(target byte) string {
	switch {
	case target == '.' && !g.Has("pawn-slants"):
		return "moves a pawn diagonally without a capture"
	case target != '.' && g.Has("pawn-no-take"):
		return "captures with a pawn"
	}
	return ""
}

func (g *chess) pawnDoubles(a [2]int, forward int) string {
	switch {
	case g.Has("pawn-no-double"):
		return "moves a pawn two steps"
	case g.moved[a[0]][a[1]] && !g.Has("pawn-double-ever"):
		return "moves a pawn two steps though it has moved"
	case g.cells[a[0]+forward][a[1]] != '.' && !g.Has("pawn-leaps"):
		return "jumps over a piece with a pawn"
	}
	return ""
}

// exposes reports whether a move leaves the mover's king under attack.
func (g *chess) exposes(a, b [2]int) bool {
	piece, target := g.at(a), g.at(b)
	g.cells[b[0]][b[1]], g.cells[a[0]][a[1]] = piece, '.'
	defer func() { g.cells[a[0]][a[1]], g.cells[b[0]][b[1]] = piece, target }()
	for row := range g.cells {
		for col, c := range g.cells[row] {
			if upper(c) == 'K' && c != '.' && sideOf(c) == g.player {
				return g.attacked([2]int{row, col})
			}
		}
	}
	return false
}

func (g *chess) attacked(king [2]int) bool {
	for from := range 64 {
		a := [2]int{from / 8, from % 8}
		if c := g.at(a); c != '.' && sideOf(c) != g.player && g.wrongWay(c, a, king) == "" {
			return true
		}
	}
	return false
}

// scores returns the sums of the pieces of white and black.
func (g *chess) scores() (sum [2]int) {
	for _, row := range g.cells {
		for _, c := range row {
			if s := sideOf(c); s >= 0 {
				sum[s] += g.score(c)
			}
		}
	}
	if g.Has("captured-score") {
		sum[0] += g.lost[0]
		sum[1] += g.lost[1]
	}
	// The last turn has been handed on: the other side stopped the game.
	switch {
	case g.Has("stop-loses"):
		sum[1-g.player] = -1
	case g.Has("stop-draws") && sum[0] >= 1000 && sum[1] >= 1000:
		sum[0] = sum[1]
	}
	return sum
}

func (g *chess) score(c byte) int {
	if g.Has("counts-pieces") {
		return 1
	}
	return score(c, g.Has("usual-scores"))
}

// score returns the score of a piece: the course's, or the usual one.
func score(c byte, usual bool) int {
	if usual {
		return map[byte]int{'K': 1000, 'Q': 9, 'B': 3, 'N': 3, 'R': 5, 'P': 1}[upper(c)]
	}
	return map[byte]int{'K': 1000, 'Q': 50, 'B': 20, 'N': 10, 'R': 5, 'P': 1}[upper(c)]
}
