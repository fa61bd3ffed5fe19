package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/record/ggf"
)

// sgfGame describes SGF for a game. SGF's board differs from ours by a symmetry that
// is its own inverse and maps our start to the standard one.
type sgfGame struct {
	name, number string
	letters      string // of the sides in a position's text
	symmetry     func(cell, size int) int

	// cells parses the cells of a move or of setup stones.
	cells func(text string, size int) ([]int, error)
	// point formats a cell in SGF's orientation.
	point func(cell, size int) string
	pass  string
	extra string // properties of the root
	shift bool   // a move goes from a cell to another
	left  bool   // a position's text has the stones left in the turn
}

// sgfGames lists the games that SGF supports.
//
// Othello follows Edax: cells such as d3, rows from the top, PA for a pass. Lines of
// Action follows red-bean.com/sgf/loa.html: two cells, rows from the bottom; other
// programs have Black above and below, where ours is left and right. Connect6 has no
// number in the standard; several public programs write 511 and two capital letters,
// rows from the bottom. Little Golem joins the stones of a turn, as j9l11.
func sgfGames() []sgfGame {
	return []sgfGame{
		{
			name: "othello", number: "2", letters: "XO", pass: "PA",
			symmetry: func(cell, size int) int { return cell - cell%size + size - 1 - cell%size },
			cells:    func(text string, size int) ([]int, error) { return sgfCells(text, size, 1, false) },
			point:    func(cell, size int) string { return game.Coords{Rows: size, Cols: size, Base: 1}.Name(game.Cell(cell)) },
		},
		{
			name: "loa", number: "9", letters: "BW", pass: "pass", extra: "SU[Standard]", shift: true,
			symmetry: func(cell, size int) int { return cell%size*size + cell/size },
			cells:    func(text string, size int) ([]int, error) { return sgfCells(text, size, 2, true) },
			point: func(cell, size int) string {
				return game.Coords{Rows: size, Cols: size, Base: 1, Upward: true}.Name(game.Cell(cell))
			},
		},
		{
			name: "connect6", number: "511", letters: "BW", left: true,
			symmetry: func(cell, _ int) int { return cell },
			cells:    func(text string, size int) ([]int, error) { return sgfCells(text, size, 2, true) },
			point: func(cell, size int) string {
				return string(rune('A'+cell%size)) + string(rune('A'+size-1-cell/size))
			},
		},
	}
}

// sgfCells parses up to most cells: a column letter and a row number or letter,
// counted from the bottom if upward.
func sgfCells(text string, size, most int, upward bool) (cells []int, err error) {
	rest := strings.ToLower(text)
	for rest = strings.TrimLeft(rest, "-:"); rest != "" && len(cells) < most; rest = strings.TrimLeft(rest, "-:") {
		col, row := int(rest[0])-'a', -1
		digits := 1
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			digits++
		}
		if number, err := strconv.Atoi(rest[1:digits]); err == nil {
			row, rest = number-1, rest[digits:]
		} else if len(rest) > 1 && rest[1] >= 'a' && rest[1] <= 'z' {
			row, rest = int(rest[1])-'a', rest[2:]
		}
		if col < 0 || col >= size || row < 0 || row >= size {
			return nil, fmt.Errorf("%q: expected cells of a board of %d by %d, such as %s", text, size, size, string(rune('a'+size-1))+"1")
		}
		if upward {
			row = size - 1 - row
		}
		cells = append(cells, row*size+col)
	}
	if strings.Trim(rest, "+!?#*") != "" || len(cells) == 0 {
		return nil, fmt.Errorf("%q: expected a cell or two, such as b1", text)
	}
	return cells, nil
}

// sgfGameOf identifies the game of a root node.
func sgfGameOf(root *sgfNode, h Hint) (sgfGame, error) {
	number, given := root.get("GM")
	event, _ := root.get("EV")
	for _, g := range sgfGames() {
		switch {
		case given && strings.TrimSpace(number) == g.number,
			!given && strings.HasPrefix(event, g.name+"."), // as Little Golem writes it
			!given && h.Game == g.name:
			return g, nil
		}
	}
	var known []string
	for _, g := range sgfGames() {
		known = append(known, g.number+" for "+g.name)
	}
	return sgfGame{}, fmt.Errorf("game GM[%s]: expected %s", number, game.Alternatives(known))
}

// start returns the empty record described by a root node.
func (g sgfGame) start(root *sgfNode) (*record.Record, error) {
	found, err := games.ByName(g.name)
	if err != nil {
		return nil, err
	}
	if text, ok := root.get("QSTART"); ok { // our own property, which is complete
		p, err := found.Read(sgfText(text))
		if err != nil {
			return nil, err
		}
		return newSized(found, p)
	}
	setup := game.Setup{}
	if size, ok := root.get("SZ"); ok && len(found.Options) > 0 {
		setup["size"] = strings.TrimSpace(size)
	} else if ok && strings.TrimSpace(size) != "8" {
		return nil, fmt.Errorf("board of %s rows: expected 8", size)
	}
	p, err := found.Start(setup)
	if err != nil {
		return nil, err
	}
	if p, err = g.stones(found, p, root); err != nil {
		return nil, err
	}
	return newSized(found, p)
}

// stones returns the position with the setup stones of a root node. If there are any,
// they are the whole position.
func (g sgfGame) stones(found game.Game, p game.Position, root *sgfNode) (game.Position, error) {
	size := ggf.Size(p)
	cells := []byte(strings.Repeat(string(game.Blank), size*size))
	set := false
	for _, prop := range root.props {
		side := slices.Index([]string{"AB", "AW"}, prop.name)
		if side < 0 {
			continue
		}
		set = true
		for _, value := range prop.values {
			points, err := g.points(value, size)
			if err != nil {
				return nil, fmt.Errorf("%s[%s]: %w", prop.name, value, err)
			}
			for _, at := range points {
				cells[g.symmetry(at, size)] = g.letters[side]
			}
		}
	}
	turn, given := root.get("PL")
	if !set && !given {
		return p, nil
	}
	if !set {
		cells = ggf.CellsIn(g.letters, p)
	}
	side := g.letters[0]
	if given && strings.HasPrefix(strings.ToUpper(turn), "W") || strings.TrimSpace(turn) == "2" {
		side = g.letters[1]
	}
	text := game.FormatRows(size, size, func(c game.Cell) byte { return cells[c] }) + " " + string(side)
	if g.left {
		text += map[bool]string{true: " 2", false: " 1"}[set]
	}
	return found.Read(text)
}

// points parses a cell, or the rectangle between two corners, a1:c3.
func (g sgfGame) points(value string, size int) (list []int, err error) {
	corners := strings.SplitN(value, ":", 3)
	var at []int
	for _, corner := range corners {
		cells, err := g.cells(strings.TrimSpace(corner), size)
		if err != nil {
			return nil, err
		}
		at = append(at, cells...)
	}
	if len(at) != len(corners) || len(at) > 2 {
		return nil, fmt.Errorf("%d cells: expected one, or two corners of a rectangle with a colon between them", len(at))
	}
	from, to := at[0], at[len(at)-1]
	rows, cols := []int{from / size, to / size}, []int{from % size, to % size}
	for row := slices.Min(rows); row <= slices.Max(rows); row++ {
		for col := slices.Min(cols); col <= slices.Max(cols); col++ {
			list = append(list, row*size+col)
		}
	}
	return list, nil
}

// moves parses the value of B or W: two moves of Connect6 if both stones of a turn
// are joined.
func (g sgfGame) moves(value string, size int) ([]game.Move, error) {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "pa", "pass", "--":
		if g.pass != "" { // in Connect6 PA is a cell
			return []game.Move{game.Pass}, nil
		}
	}
	cells, err := g.cells(strings.TrimSpace(value), size)
	if err != nil {
		return nil, err
	}
	for i, c := range cells {
		cells[i] = g.symmetry(c, size)
	}
	if g.shift {
		if len(cells) != 2 {
			return nil, fmt.Errorf("%q: expected two cells, such as b1-b3", value)
		}
		return []game.Move{game.Shift(game.Cell(cells[0]), game.Cell(cells[1]))}, nil
	}
	list := make([]game.Move, len(cells))
	for i, c := range cells {
		list[i] = game.Put(game.Cell(c))
	}
	return list, nil
}

// value formats a move as the value of B or W.
func (g sgfGame) value(m game.Move, size int) string {
	if m == game.Pass {
		return g.pass
	}
	to := g.point(g.symmetry(int(m.To()), size), size)
	if from, ok := m.From(); ok {
		return g.point(g.symmetry(int(from), size), size) + "-" + to
	}
	return to
}
