package studies

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"quintet/game"
	"quintet/live"
	"quintet/record"
	"quintet/serve/api"
	"quintet/serve/play"
)

// request is a new study: of a game here, a record, or a position with moves.
type request struct {
	From   *play.GameRef `json:"from"`
	Record string        `json:"record"`
	api.Line
	Title      string     `json:"title"`
	Visibility Visibility `json:"visibility"`
}

// created is the answer.
type created struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	EditURL string `json:"edit_url"`
	Key     string `json:"key"`
	Study   View   `json:"study"`
}

// create makes a study.
func (s *Service) create(w http.ResponseWriter, r *http.Request) error {
	if err := s.LimitCreates(s.Address(r)); err != nil { // what it writes stays, like a game
		return err
	}
	k, err := api.Key(r)
	if err != nil {
		return err
	}
	var q request
	if err := api.Read(w, r, api.RecordBody, &q); err != nil {
		return err
	}
	d, err := s.draft(r, q)
	if err != nil {
		return err
	}
	d.Request = api.HashKey(k, string(api.Encode(q)))
	return s.open(w, r, k, d)
}

// open writes the study of a draft, or finds the one that was made with the same idempotency
// key.
func (s *Service) open(w http.ResponseWriter, r *http.Request, k string, d Draft) error {
	id, err := s.NewID(k)
	if err != nil {
		return err
	}
	if s.hides(live.StudyCategory.Stream(id)) { // erased: a repeated request must not make it again
		return ErrMissing
	}
	secret, err := s.NewSecret(k, "study "+id)
	if err != nil {
		return err
	}
	d.Key = live.HashSecret(secret)
	done, err := s.Slot(r.Context()) // long lines take time
	if err != nil {
		return err
	}
	study, err := s.store.Create(r.Context(), id, d)
	done()
	if errors.Is(err, live.ErrStale) { // the request was made before
		if study, err = s.store.Get(r.Context(), id); err == nil && !study.Requested(d.Request) {
			return api.Problemf(http.StatusConflict, "taken", "this Idempotency-Key belongs to another request: use a new one").WithReason("key.used")
		}
	}
	if err != nil {
		return err
	}
	page := s.Origin(r) + "/study/" + id
	w.Header().Set("Location", "/api/studies/"+id)
	s.Write(w, http.StatusCreated, created{id, page, page + "?key=" + secret, secret, s.view(r, study, true)})
	return nil
}

// draft returns what a request wants a study of.
func (s *Service) draft(r *http.Request, q request) (d Draft, err error) {
	ways := 0
	for _, given := range []bool{q.From != nil, q.Record != "", q.Position != "" || q.Moves != nil || q.Options != nil} {
		if given {
			ways++
		}
	}
	err = q.CheckLength()
	switch {
	case err != nil:
	case ways > 1 || q.From != nil && q.Game != "":
		err = api.Invalid("from", "a game here, a record and a position: expected one of them")
	case q.From != nil:
		d, err = s.draftOfGame(r, *q.From)
	case q.Record != "":
		d, err = s.draftOfRecord(r.Context(), q)
	default:
		d = Draft{Game: q.Game, Options: game.Setup(q.Options), Position: q.Position, Edits: mainLine(q.Moves)}
	}
	if q.Title != "" {
		d.Edits = append(d.Edits, Edit{Do: "title", Text: &q.Title})
	}
	if q.Visibility != "" {
		d.Edits = append(d.Edits, Edit{Do: "visibility", Visibility: q.Visibility})
	}
	return d, err
}

// nodeID returns the identifier of a node that the server makes.
func nodeID(n int) string { return "m" + strconv.Itoa(n) }

// mainLine returns the edits that make a line of moves.
func mainLine(moves []string) (edits []Edit) {
	at := Root
	for i, text := range moves {
		id := nodeID(i + 1)
		edits = append(edits, Edit{Do: "add", ID: id, Parent: at, Move: text})
		at = id
	}
	return edits
}

// draftOfGame is a study of a game here that is over.
func (s *Service) draftOfGame(r *http.Request, f play.GameRef) (d Draft, err error) {
	t, err := s.games.FinishedTable(r, f.ID)
	if err != nil {
		return d, err
	}
	moves, err := f.MovesOf(t)
	set := t.Settings()
	return Draft{Game: set.Game, Options: set.Options, Position: t.Start().String(), Edits: mainLine(moves)}, err
}

// draftOfRecord is a study of the only game of a record, with its variations, comments and
// glyphs.
func (s *Service) draftOfRecord(ctx context.Context, q request) (d Draft, err error) {
	done, err := s.Slot(ctx) // reading a record takes time
	if err != nil {
		return d, err
	}
	defer done()
	rec, err := api.OnlyGame(q.Record, q.Game)
	if err != nil {
		return d, err
	}
	return Draft{Game: rec.Game.Name, Options: rec.Setup, Position: rec.Start.String(), Edits: treeEdits(rec)}, nil
}

// treeEdits returns the edits that make the tree of a record.
func treeEdits(rec *record.Record) (edits []Edit) {
	moves := 0
	var add func(n *record.Node, id string, at game.Position)
	add = func(n *record.Node, id string, at game.Position) {
		edits = append(edits, annotations(id, n)...)
		for _, next := range n.Next {
			moves++
			child, after := nodeID(moves), at.Clone()
			edits = append(edits, Edit{Do: "add", ID: child, Parent: id, Move: at.Format(next.Move)})
			after.Play(next.Move)
			add(next, child, after)
		}
	}
	add(rec.Root, Root, rec.Start)
	return edits
}

// annotations returns the edits that set the comment and the first glyph of a node.
func annotations(id string, n *record.Node) (edits []Edit) {
	if n.Comment != "" {
		edits = append(edits, Edit{Do: "comment", ID: id, Text: &n.Comment})
	}
	for _, mark := range n.Marks {
		if g := Glyph(mark); g != "" {
			return append(edits, Edit{Do: "glyph", ID: id, Glyph: &g})
		}
	}
	return edits
}

// editsRequest edits a study whose last event is After.
type editsRequest struct {
	After *int   `json:"after"`
	Edits []Edit `json:"edits"`
	Ref   string `json:"ref"`
}

// edit edits a study.
func (s *Service) edit(w http.ResponseWriter, r *http.Request) error {
	if err := s.Limited(s.Limits.Edits, s.Address(r), "edits", "edits of studies from your address"); err != nil {
		return err
	}
	study, err := s.enter(r)
	if err != nil {
		return err
	}
	if err := refuseEditor(r, study); err != nil {
		return err
	}
	var q editsRequest
	if err := api.Read(w, r, api.LineBody, &q); err != nil {
		return err
	}
	s.ChargeSize(s.Limits.Edits, s.Address(r), r, api.LineBody)
	if q.After == nil {
		return api.Invalid("after", "no after: expected the number of the last event that you know")
	}
	done, err := s.Slot(r.Context()) // it replays the moves from the start
	if err != nil {
		return err
	}
	e, err := study.Edit(r.Context(), *q.After, q.Edits, q.Ref)
	done()
	var conflict *ConflictError
	switch {
	case errors.As(err, &conflict):
		s.Count.Refused("stale")
		s.Write(w, http.StatusConflict, viewConflict(conflict))
		return nil
	case err != nil:
		return err
	}
	return s.OK(w, e)
}

// refuseEditor returns a problem unless the request has the key of a study.
func refuseEditor(r *http.Request, study *Study) error {
	k := keyOf(r)
	switch {
	case k == "":
		return api.Problemf(http.StatusUnauthorized, "token", "no key: send Authorization: Bearer and the key that came with the study").WithReason("study.key")
	case !study.Allows(k):
		return api.Problemf(http.StatusForbidden, "token", "the key is not that of this study: use the one that came with it").WithReason("study.key")
	}
	return nil
}
