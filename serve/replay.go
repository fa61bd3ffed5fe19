package serve

import (
	"net/http"
	"strconv"

	"quintet/game"
	"quintet/web"
	"quintet/web/body"
)

// replayRequest is a game to play through, from a position or from the start position of
// the options.
type replayRequest struct {
	Game     string       `json:"game"`
	Options  body.Options `json:"options"`
	Position string       `json:"position"`
	Moves    []string     `json:"moves"`
	List     bool         `json:"list"` // list the legal moves at the end
}

// replayView is the first board of a game, and what each move changed.
type replayView struct {
	Board    BoardView     `json:"board"`
	Turn     string        `json:"turn"`
	Frames   []replayFrame `json:"frames"`
	Position string        `json:"position"` // at the end
	Result   string        `json:"result"`   // at the end
	Legal    int           `json:"legal"`    // number of legal moves at the end
	Moves    []MoveView    `json:"moves,omitempty"`
}

// replayFrame is a move and its effect.
type replayFrame struct {
	MoveView
	Turn    string            `json:"turn"` // the side to move after it
	Note    string            `json:"note"`
	Changes map[string]string `json:"changes"` // new pieces by the number of the cell
}

// replay plays moves through.
func (s *Server) replay(w http.ResponseWriter, r *http.Request) {
	var q replayRequest
	if p := read(w, r, analysisBody, &q); p != nil {
		s.fail(w, p)
		return
	}
	line := lineRequest{q.Game, q.Options, q.Position, q.Moves}
	if q.Position != "" {
		line.Options = nil // the position determines them
	}
	s.answerReplay(w, r, func() (any, *Problem) { // long games take time
		m, p := s.match(line)
		if p != nil {
			return nil, p
		}
		return viewReplay(m, q.List), nil
	})
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
		v.Frames = append(v.Frames, replayFrame{viewMove(p.Format(mv), mv), next.Turn().String(), after.Note, changes(before, after)})
		before = after
	}
	if list {
		v.Moves = viewMoves(end, legal)
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
