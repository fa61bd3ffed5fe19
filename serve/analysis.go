package serve

import (
	"net/http"

	"quintet/game"
	"quintet/live"
	"quintet/record"
	"quintet/web"
	"quintet/web/body"
)

// lineRequest is a position of the analysis board: what a line of moves leads to.
type lineRequest struct {
	Game     string       `json:"game"`
	Options  body.Options `json:"options"`
	Position string       `json:"position"` // start from this position
	Moves    []string     `json:"moves"`
}

// analysisBody is the largest request about a position, in bytes.
const analysisBody = 64 << 10

// settings returns the settings of a game before the line.
func (q lineRequest) settings() live.Settings {
	return live.Settings{Game: q.Game, Options: game.Setup(q.Options), Position: q.Position}
}

// match plays the line through.
func (s *Server) match(q lineRequest) (*game.Match, *Problem) {
	if len(q.Moves) > live.MaxMoves {
		return nil, fieldProblem("moves", "%d moves: expected at most %d", len(q.Moves), live.MaxMoves).withReason("moves.many")
	}
	m, _, err := q.settings().Match()
	if err != nil {
		return nil, s.problemOf(err)
	}
	for i, text := range q.Moves {
		if err := m.PlayText(text); err != nil {
			p := problem(http.StatusUnprocessableEntity, "illegal", "move %d: %v", i+1, err).withReason("replay")
			p.Field = "moves"
			return nil, p
		}
	}
	return m, nil
}

// WrittenMove is a move with its notation for readers.
type WrittenMove struct {
	MoveView
	SAN string `json:"san"` // standard algebraic notation in chess; else the same as Move
}

// positionView is the position that a line leads to.
type positionView struct {
	Game     string            `json:"game"`
	Sides    Both[string]      `json:"sides"`
	Options  map[string]string `json:"options"`
	Start    string            `json:"start"` // the position before the first move
	Ply      int               `json:"ply"`
	Moves    []WrittenMove     `json:"moves"`
	Position string            `json:"position"`
	Board    BoardView         `json:"board"`
	Turn     *string           `json:"turn"` // null when the game is over
	Result   string            `json:"result"`
	Reason   game.Reason       `json:"reason"`
	Legal    []WrittenMove     `json:"legal"`
	Book     []bookMove        `json:"book,omitempty"`
}

// analysisPosition answers with the position that a line of moves leads to.
func (s *Server) analysisPosition(w http.ResponseWriter, r *http.Request) {
	var q lineRequest
	if p := read(w, r, analysisBody, &q); p != nil {
		s.fail(w, p)
		return
	}
	s.answerReplay(w, r, func() (any, *Problem) { // long lines take time
		m, p := s.match(q)
		if p != nil {
			return nil, p
		}
		v := viewPosition(m, q.settings().Setup())
		v.Book = s.bookMoves(m)
		return v, nil
	})
}

func viewPosition(m *game.Match, options game.Setup) positionView {
	g, at, out := m.Game(), m.Position(), m.Outcome()
	v := positionView{
		Game: g.Name, Sides: both(g.Sides), Options: options, Start: m.Start().String(), Moves: []WrittenMove{},
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
	return WrittenMove{viewMove(p.Format(m), m), record.SAN(p, m)}
}
