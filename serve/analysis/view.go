package analysis

import (
	"net/http"

	"strconv"

	"quintet/game"
	"quintet/record"
	"quintet/serve/api"
	"quintet/web"
)

// WrittenMove is a move with its notation for readers.
type WrittenMove struct {
	api.Move
	SAN string `json:"san"` // standard algebraic notation in chess; else the same as Move
}

// positionView is the position that a line leads to.
type positionView struct {
	Game     string            `json:"game"`
	Sides    api.Both[string]  `json:"sides"`
	Options  map[string]string `json:"options"`
	Start    string            `json:"start"` // the position before the first move
	Ply      int               `json:"ply"`
	Moves    []WrittenMove     `json:"moves"`
	Position string            `json:"position"`
	Board    web.Board         `json:"board"`
	Turn     *string           `json:"turn"` // null when the game is over
	Result   string            `json:"result"`
	Reason   game.Reason       `json:"reason"`
	Legal    []WrittenMove     `json:"legal"`
	Book     []bookMove        `json:"book,omitempty"`
}

func viewPosition(m *game.Match, options game.Setup) positionView {
	g, at, out := m.Game(), m.Position(), m.Outcome()
	v := positionView{
		Game: g.Name, Sides: api.BothOf(g.Sides), Options: options, Start: m.Start().String(), Moves: []WrittenMove{},
		Position: at.String(), Board: web.BoardOf(at.Board()), Result: out.Result.String(), Reason: out.Reason, Legal: []WrittenMove{},
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
	return WrittenMove{api.MoveOf(p.Format(m), m), record.SAN(p, m)}
}

// replayView is the first board of a game, and what each move changed.
type replayView struct {
	Board    web.Board     `json:"board"`
	Turn     string        `json:"turn"`
	Frames   []replayFrame `json:"frames"`
	Position string        `json:"position"` // at the end
	Result   string        `json:"result"`   // at the end
	Legal    int           `json:"legal"`    // number of legal moves at the end
	Moves    []api.Move    `json:"moves,omitempty"`
}

// replayFrame is a move and its effect.
type replayFrame struct {
	api.Move
	Turn    string            `json:"turn"` // the side to move after it
	Note    string            `json:"note"`
	Changes map[string]string `json:"changes"` // new pieces by the number of the cell
}

func viewReplay(m *game.Match, list bool) replayView {
	end, legal, before := m.Position(), m.Legal(), m.Start().Board()
	v := replayView{
		Board: web.BoardOf(before), Turn: m.Start().Turn().String(), Frames: []replayFrame{},
		Position: end.String(), Result: m.Outcome().Result.String(), Legal: len(legal),
	}
	for p, mv := range m.Replay() {
		next := p.Clone()
		next.Play(mv)
		after := next.Board()
		v.Frames = append(v.Frames, replayFrame{api.MoveOf(p.Format(mv), mv), next.Turn().String(), after.Note, changes(before, after)})
		before = after
	}
	if list {
		v.Moves = api.MovesOf(end, legal)
	}
	return v
}

// changes returns the pieces of a board that differ from another, by cell.
func changes(before, after game.Board) map[string]string {
	changed := map[string]string{}
	for i, piece := range after.Cells {
		if piece != before.Cells[i] {
			changed[strconv.Itoa(i)] = web.PieceCode(piece)
		}
	}
	return changed
}

// The lines of the stream.
type (
	placeView struct {
		Place int `json:"place"`
	}
	doneView struct {
		Done   bool   `json:"done"`
		Reason string `json:"reason"`
	}
)

// bookMove is a move of the opening book.
type bookMove struct {
	Move  string   `json:"move"`
	Score int      `json:"score"` // in hundredths of a disc, for the side to move
	Depth int      `json:"depth"`
	Line  []string `json:"line"`
}

// bookMoves returns the moves of the opening book in the position of a match: none if it is
// on the board of a live game, in which they would be help.
func (s *Service) bookMoves(r *http.Request, m *game.Match) (list []bookMove) {
	if m.Game().Name != "othello" || m.Over() || s.games.RefuseLive(r, m) != nil {
		return nil
	}
	b, err := s.book()
	if err != nil { // it is a part of the program
		s.Log.Error("the opening book cannot be read", "error", err)
		return nil
	}
	p := m.Position()
	for _, found := range b.Moves(p) {
		v := bookMove{p.Format(found.Move), found.Score, found.Depth, []string{}}
		at := p.Clone()
		for _, mv := range found.Line {
			v.Line = append(v.Line, at.Format(mv))
			at.Play(mv)
		}
		list = append(list, v)
	}
	return list
}
