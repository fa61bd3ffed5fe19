package serve

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"quintet/game"
	"quintet/live"
	"quintet/record"
	"quintet/serve/studies"
	"quintet/web/body"
)

// studyRequest is a new study: of a game here, a record, or a position with moves.
type studyRequest struct {
	From       *gameRef           `json:"from"`
	Record     string             `json:"record"`
	Game       string             `json:"game"`
	Options    body.Options       `json:"options"`
	Position   string             `json:"position"`
	Moves      []string           `json:"moves"`
	Title      string             `json:"title"`
	Visibility studies.Visibility `json:"visibility"`
}

// studyBody is the largest request for a study, in bytes.
const studyBody = reviewBody

// studyCreated is the answer.
type studyCreated struct {
	ID      string    `json:"id"`
	URL     string    `json:"url"`
	EditURL string    `json:"edit_url"`
	Key     string    `json:"key"`
	Study   studyView `json:"study"`
}

// createStudy makes a study.
func (s *Server) createStudy(w http.ResponseWriter, r *http.Request) {
	if p := s.limited(s.limits.creates, s.address(r), "games", newGames); p != nil { // what it writes stays, like a game
		s.fail(w, p)
		return
	}
	var q studyRequest
	k, p := key(r)
	if p == nil {
		p = read(w, r, studyBody, &q)
	}
	var d studies.Draft
	if p == nil {
		d, p = s.draft(r, q)
	}
	if p == nil {
		d.Request = hashKey(k, string(encode(q)))
		p = s.openStudy(w, r, k, d)
	}
	if p != nil {
		s.fail(w, p)
	}
}

// openStudy writes the study of a draft, or finds the one that was made with the same
// idempotency key.
func (s *Server) openStudy(w http.ResponseWriter, r *http.Request, k string, d studies.Draft) *Problem {
	id, err := s.newID(k)
	if err == nil {
		d.Key, err = s.secret(k, "study "+id)
	}
	if err != nil {
		return s.problemOf(err)
	}
	done, err := s.replayTurn(r.Context()) // long lines take time
	if err != nil {
		return s.renderer.busy()
	}
	study, err := s.studies.Create(r.Context(), id, d)
	done()
	if errors.Is(err, live.ErrStale) { // the request was made before
		if study, err = s.studies.Get(r.Context(), id); err == nil && !study.Requested(d.Request) {
			return problem(http.StatusConflict, "taken", "this Idempotency-Key belongs to another request: expected a new one").withReason("key.used")
		}
	}
	if err != nil {
		return s.draftProblem(err)
	}
	page := s.origin(r) + "/study/" + id
	w.Header().Set("Location", "/api/studies/"+id)
	s.write(w, http.StatusCreated, studyCreated{id, page, page + "?key=" + d.Key, d.Key, s.viewStudy(r, study, true)})
	return nil
}

// draft returns what a request wants a study of.
func (s *Server) draft(r *http.Request, q studyRequest) (d studies.Draft, p *Problem) {
	ways := 0
	for _, given := range []bool{q.From != nil, q.Record != "", q.Position != "" || q.Moves != nil || q.Options != nil} {
		if given {
			ways++
		}
	}
	switch {
	case len(q.Moves) > live.MaxMoves:
		return d, fieldProblem("moves", "%d moves: expected at most %d", len(q.Moves), live.MaxMoves).withReason("moves.many")
	case ways > 1 || q.From != nil && q.Game != "":
		return d, fieldProblem("from", "a game here, a record and a position: expected one of them")
	case q.From != nil:
		d, p = s.draftOfGame(r, *q.From)
	case q.Record != "":
		d, p = s.draftOfRecord(r.Context(), q)
	default:
		d = studies.Draft{Game: q.Game, Options: game.Setup(q.Options), Position: q.Position, Edits: mainLine(q.Moves)}
	}
	if q.Title != "" {
		d.Edits = append(d.Edits, studies.Edit{Do: "title", Text: &q.Title})
	}
	if q.Visibility != "" {
		d.Edits = append(d.Edits, studies.Edit{Do: "visibility", Visibility: q.Visibility})
	}
	return d, p
}

// nodeID returns the identifier of a node that the server makes.
func nodeID(n int) string { return "m" + strconv.Itoa(n) }

// mainLine returns the edits that make a line of moves.
func mainLine(moves []string) (edits []studies.Edit) {
	at := studies.Root
	for i, text := range moves {
		id := nodeID(i + 1)
		edits = append(edits, studies.Edit{Do: "add", ID: id, Parent: at, Move: text})
		at = id
	}
	return edits
}

// draftOfGame is a study of a game here that is over.
func (s *Server) draftOfGame(r *http.Request, f gameRef) (d studies.Draft, p *Problem) {
	r.SetPathValue("id", f.ID)
	v, p := s.visibleTo(r)
	if p == nil && !v.Over {
		p = problem(http.StatusConflict, "running", "the game is not over: expected one that is").withReason("running.game")
	}
	var t *live.Table
	if p == nil {
		t, p = s.table(v)
	}
	if p != nil {
		return d, p
	}
	set, moves := t.Settings(), t.Moves()
	if f.Ply != nil {
		if *f.Ply < 0 || *f.Ply > len(moves) {
			return d, fieldProblem("from", "from ply %d: expected 0 to %d", *f.Ply, len(moves))
		}
		moves = moves[:*f.Ply]
	}
	return studies.Draft{Game: set.Game, Options: set.Options, Position: t.Start().String(), Edits: mainLine(moves)}, nil
}

// draftOfRecord is a study of the only game of a record, with its variations, comments and
// glyphs.
func (s *Server) draftOfRecord(ctx context.Context, q studyRequest) (d studies.Draft, p *Problem) {
	done, err := s.replayTurn(ctx) // reading a record takes time
	if err != nil {
		return d, s.renderer.busy()
	}
	defer done()
	rec, p := onlyGame(q.Record, q.Game)
	if p != nil {
		return d, p
	}
	return studies.Draft{Game: rec.Game.Name, Options: rec.Setup, Position: rec.Start.String(), Edits: treeEdits(rec)}, nil
}

// treeEdits returns the edits that make the tree of a record.
func treeEdits(rec *record.Record) (edits []studies.Edit) {
	type step struct {
		node     *record.Node
		parent   string
		position game.Position // before the move
	}
	todo, n := []step{{node: rec.Root}}, 0
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		id, after := studies.Root, rec.Start
		if at.node != rec.Root {
			n++
			id, after = nodeID(n), at.position.Clone()
			edits = append(edits, studies.Edit{Do: "add", ID: id, Parent: at.parent, Move: at.position.Format(at.node.Move)})
			after.Play(at.node.Move)
		}
		edits = append(edits, annotations(id, at.node)...)
		for _, next := range slices.Backward(at.node.Next) {
			todo = append(todo, step{next, id, after})
		}
	}
	return edits
}

// annotations returns the edits that set the comment and the first glyph of a node.
func annotations(id string, n *record.Node) (edits []studies.Edit) {
	if n.Comment != "" {
		edits = append(edits, studies.Edit{Do: "comment", ID: id, Text: &n.Comment})
	}
	for _, mark := range n.Marks {
		if g := studies.Glyph(mark); g != "" {
			return append(edits, studies.Edit{Do: "glyph", ID: id, Glyph: &g})
		}
	}
	return edits
}

// draftProblem returns the problem for an error of a draft, whose edits no client has made.
func (s *Server) draftProblem(err error) *Problem {
	var edit *studies.EditError
	var move studies.MoveError
	switch {
	case errors.As(err, &edit):
		return problem(http.StatusBadRequest, "invalid", "%s", edit.Text).withReason("study.edit")
	case errors.As(err, &move):
		p := problem(http.StatusUnprocessableEntity, "illegal", "%v", move).withReason("replay")
		p.Field = "moves"
		return p
	}
	return s.studyProblem(err)
}
