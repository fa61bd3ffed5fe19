package wire

import (
	"strconv"

	"quintet/bots/othello/book"
	"quintet/game"
	"quintet/record"
)

// WrittenMove is a move with its notation for readers.
type WrittenMove struct {
	Move
	SAN string `json:"san"` // standard algebraic notation in chess; else the same as Move
}

// Position is the position that a line leads to.
type Position struct {
	Game     string            `json:"game"`
	Sides    Both[string]      `json:"sides"`
	Options  map[string]string `json:"options"`
	Start    string            `json:"start"` // the position before the first move
	Ply      int               `json:"ply"`
	Moves    []WrittenMove     `json:"moves"`
	Position string            `json:"position"`
	Board    Board             `json:"board"`
	Turn     *string           `json:"turn"` // null when the game is over
	Result   string            `json:"result"`
	Reason   game.Reason       `json:"reason"`
	Legal    []WrittenMove     `json:"legal"`
	Book     []BookMove        `json:"book,omitempty"`
}

// PositionOf returns the position that a match has reached.
func PositionOf(m *game.Match, options game.Setup) Position {
	g, at, out := m.Game(), m.Position(), m.Outcome()
	v := Position{
		Game: g.Name, Sides: BothOf(g.Sides), Options: options, Start: m.Start().String(), Moves: []WrittenMove{},
		Position: at.String(), Board: BoardOf(at.Board()), Result: out.Result.String(), Reason: out.Reason, Legal: []WrittenMove{},
	}
	for p, mv := range m.Replay() {
		v.Moves = append(v.Moves, written(p, mv))
	}
	v.Ply = len(v.Moves)
	for _, mv := range m.Legal() {
		v.Legal = append(v.Legal, written(at, mv))
	}
	if !out.Result.Over() {
		side := at.Turn().String()
		v.Turn = &side
	}
	return v
}

func written(p game.Position, m game.Move) WrittenMove {
	return WrittenMove{MoveOf(p.Format(m), m), record.SAN(p, m)}
}

// Replay is the first board of a game, and what each move changed.
type Replay struct {
	Board    Board   `json:"board"`
	Turn     string  `json:"turn"`
	Frames   []Frame `json:"frames"`
	Position string  `json:"position"` // at the end
	Result   string  `json:"result"`   // at the end
	Legal    int     `json:"legal"`    // number of legal moves at the end
	Moves    []Move  `json:"moves,omitempty"`
}

// Frame is a move and its effect.
type Frame struct {
	Move
	Turn    string            `json:"turn"` // the side to move after it
	Note    string            `json:"note"`
	Changes map[string]string `json:"changes"` // new pieces by the number of the cell
}

// ReplayOf returns a match to play through; list says whether to list the legal moves at the end.
func ReplayOf(m *game.Match, list bool) Replay {
	end, legal, before := m.Position(), m.Legal(), m.Start().Board()
	v := Replay{
		Board: BoardOf(before), Turn: m.Start().Turn().String(), Frames: []Frame{},
		Position: end.String(), Result: m.Outcome().Result.String(), Legal: len(legal),
	}
	for p, mv := range m.Replay() {
		next := p.Clone()
		next.Play(mv)
		after := next.Board()
		v.Frames = append(v.Frames, Frame{MoveOf(p.Format(mv), mv), next.Turn().String(), after.Note, changes(before, after)})
		before = after
	}
	if list {
		v.Moves = MovesOf(end, legal)
	}
	return v
}

// changes returns the pieces of a board that differ from another, by cell.
func changes(before, after game.Board) map[string]string {
	changed := map[string]string{}
	for i, piece := range after.Cells {
		if piece != before.Cells[i] {
			changed[strconv.Itoa(i)] = PieceCode(piece)
		}
	}
	return changed
}

// BookMove is a move of the opening book.
type BookMove struct {
	Move  string   `json:"move"`
	Score int      `json:"score"` // in hundredths of a disc, for the side to move
	Depth int      `json:"depth"`
	Line  []string `json:"line"`
}

// BookMovesOf returns the moves of the opening book of Othello in a position.
func BookMovesOf(b *book.Book, p game.Position) (list []BookMove) {
	for _, found := range b.Moves(p) {
		list = append(list, BookMove{p.Format(found.Move), found.Score, found.Depth, append([]string{}, game.FormatMoves(p, found.Line)...)})
	}
	return list
}
