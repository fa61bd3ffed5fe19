package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"quintet/game"
	"quintet/games"
	"quintet/web/body"
)

// Board is a picture of a position as the program draws it. A cell is "" where it
// is empty, "#" for a pit, and else the side, 1 or 2, and the kind of piece: "1o"
// is a stone of the first side, "2K" the king of the second.
type Board struct {
	Rows   []string `json:"rows"`
	Cols   []string `json:"cols"`
	Cells  []string `json:"cells"`
	Points bool     `json:"points"`
	Note   string   `json:"note"`
}

func boardOf(b game.Board) Board {
	v := Board{Rows: b.Rows, Cols: b.Cols, Points: b.Points, Note: b.Note, Cells: make([]string, len(b.Cells))}
	for i, p := range b.Cells {
		v.Cells[i] = code(p)
	}
	return v
}

func code(p game.Piece) string {
	switch p.Kind {
	case game.Empty:
		return ""
	case game.Pit:
		return string(game.Pit)
	}
	return strconv.Itoa(int(p.Side)+1) + string(p.Kind)
}

// question asks for a game to be played through: from a position, or from the
// start that the options give.
type question struct {
	Game     string       `json:"game"`
	Options  body.Options `json:"options"`
	Position string       `json:"position"`
	Moves    []string     `json:"moves"`
	List     bool         `json:"list"` // list the legal moves at the end
}

// answer is the game from ply to ply: the first board, and what each move changed.
type answer struct {
	Board    Board   `json:"board"`
	Turn     string  `json:"turn"`
	Frames   []frame `json:"frames"`
	Position string  `json:"position"` // at the end
	Result   string  `json:"result"`   // at the end
	Legal    int     `json:"legal"`    // how many moves there are at the end
	Moves    []move  `json:"moves,omitempty"`
}

// move is a legal move and the cells that it touches.
type move struct {
	Move string `json:"move"`
	From *int   `json:"from,omitempty"`
	To   *int   `json:"to,omitempty"`
}

type frame struct {
	Move    string            `json:"move"`
	From    *int              `json:"from,omitempty"`
	To      *int              `json:"to,omitempty"`
	Turn    string            `json:"turn"` // whose it is after the move
	Note    string            `json:"note"`
	Changes map[string]string `json:"changes"` // new pieces by the number of the cell
}

const (
	maxQuestion = 64 << 10 // bytes
	maxMoves    = 2000
)

func (s *Site) replay(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxQuestion))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		refuse(w, http.StatusRequestEntityTooLarge, "large", "large", "", fmt.Errorf("the question has more than %d bytes", maxQuestion))
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "invalid", "request", "request", errors.New("the question could not be read: want all of it sent at once"))
		return
	}
	done, err := s.turn(r.Context())
	if err != nil {
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "unavailable", "busy", "", err)
		return
	}
	a, err := asked(data)
	done()
	var in *mistake
	switch {
	case errors.As(err, &in):
		refuse(w, http.StatusBadRequest, "invalid", in.reason, in.field, in.why)
	case err != nil:
		refuse(w, http.StatusUnprocessableEntity, "illegal", "replay", "moves", err)
	default:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(a) // who does not take it has gone
	}
}

// mistake is what cannot be meant of a question: a field, with a reason of the
// interface.
type mistake struct {
	field, reason string
	why           error
}

// Error returns what is wrong.
func (m *mistake) Error() string { return m.why.Error() }

func invalid(field, reason string, why error) error { return &mistake{field, reason, why} }

// asked reads a question and answers it. The error is a *mistake, or says which move is
// not legal.
func asked(data []byte) (a answer, err error) {
	var q question
	if err := body.Decode(data, &q); err != nil {
		field := "request"
		if in := (*body.Error)(nil); errors.As(err, &in) {
			field = cmp.Or(in.Field, field)
		}
		return a, invalid(field, "request", err)
	}
	return q.answer()
}

// refuse answers with a problem, as docs/api.md describes them.
func refuse(w http.ResponseWriter, status int, code, reason, field string, err error) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	p := map[string]string{"code": code, "reason": reason, "error": err.Error()}
	if field != "" {
		p["field"] = field
	}
	_ = json.NewEncoder(w).Encode(p) // who does not take it has gone
}

// start returns the match before its first move. The error is a *mistake.
func (q question) start() (*game.Match, error) {
	if len(q.Moves) > maxMoves {
		return nil, invalid("moves", "moves.many", fmt.Errorf("%d moves: want at most %d", len(q.Moves), maxMoves))
	}
	g, err := games.ByName(q.Game)
	if err != nil {
		return nil, invalid("game", "game", err)
	}
	p, err := g.Start(game.Setup(q.Options))
	if err != nil {
		return nil, invalid("options", "options", err)
	}
	if q.Position != "" {
		if p, err = g.Read(q.Position); err != nil {
			return nil, invalid("position", "position", err)
		}
	}
	return game.NewMatch(g, p), nil
}

// face returns the board after the moves.
func (q question) face() (Board, error) {
	m, err := q.start()
	if err != nil {
		return Board{}, err
	}
	for _, text := range q.Moves {
		if err := m.PlayText(text); err != nil {
			return Board{}, err
		}
	}
	return boardOf(m.Position().Board()), nil
}

func (q question) answer() (answer, error) {
	m, err := q.start()
	if err != nil {
		return answer{}, err
	}
	p := m.Position()
	a := answer{Board: boardOf(p.Board()), Turn: p.Turn().String(), Frames: []frame{}}
	for i, text := range q.Moves {
		f, err := step(m, text)
		if err != nil {
			return a, fmt.Errorf("move %d: %w", i+1, err)
		}
		a.Frames = append(a.Frames, f)
	}
	a.Position, a.Result, a.Legal = m.Position().String(), m.Outcome().Result.String(), len(m.Legal())
	if q.List {
		for _, mv := range m.Legal() {
			from, to := cells(mv)
			a.Moves = append(a.Moves, move{m.Position().Format(mv), from, to})
		}
	}
	return a, nil
}

// cells returns the cells that a move touches, nil for those that it has not.
func cells(m game.Move) (from, to *int) {
	if m == game.Pass {
		return nil, nil
	}
	n := int(m.To())
	if c, ok := m.From(); ok {
		o := int(c)
		from = &o
	}
	return from, &n
}

// step plays a move and says what it changed.
func step(m *game.Match, text string) (frame, error) {
	p := m.Position()
	mv, err := p.Parse(text)
	if err != nil {
		return frame{}, err
	}
	if err := m.Play(mv); err != nil {
		return frame{}, err
	}
	before, next := p.Board(), m.Position()
	after := next.Board()
	f := frame{Move: p.Format(mv), Turn: next.Turn().String(), Note: after.Note, Changes: map[string]string{}}
	for i, piece := range after.Cells {
		if piece != before.Cells[i] {
			f.Changes[strconv.Itoa(i)] = code(piece)
		}
	}
	f.From, f.To = cells(mv)
	return f, nil
}
