package reviews

import (
	"context"
	"net/http"

	"quintet/game"
	"quintet/serve/api"
)

// reviewGame opens the review of a finished game of this server. One that began with given moves or
// from a given position is a line like any other: otherwise players could have the game that they are
// playing analyzed by opening another with its moves, and resigning that.
func (s *Service) reviewGame(w http.ResponseWriter, r *http.Request) error {
	if err := s.LimitCreates(s.Address(r)); err != nil { // it is stored permanently, like a game
		return err
	}
	t, err := s.games.FinishedTable(r, r.PathValue("id"))
	if err != nil {
		return err
	}
	set := t.Settings()
	return s.open(w, r, specOfTable(t), len(set.Moves) == 0 && set.Position == "")
}

// request is a game to review: a record in any format, or moves.
type request struct {
	Record string `json:"record"`
	api.Line
}

// create opens the review of any other game.
func (s *Service) create(w http.ResponseWriter, r *http.Request) error {
	if err := s.LimitCreates(s.Address(r)); err != nil { // before the work of reading a record
		return err
	}
	var q request
	if err := api.Read(w, r, api.RecordBody, &q); err != nil {
		return err
	}
	spec, err := s.specOf(r.Context(), q)
	if err != nil {
		return err
	}
	return s.open(w, r, spec, false)
}

// specOf returns the game that a request is about: of a record, the main line of its only game.
func (s *Service) specOf(ctx context.Context, q request) (spec Spec, err error) {
	if q.Record == "" {
		return Spec{Game: q.Game, Options: game.Setup(q.Options), Position: q.Position, Moves: q.Moves}, nil
	}
	if q.Options != nil || q.Position != "" || q.Moves != nil {
		return spec, api.Invalid("record", "a record, and a position or moves, too: expected one of them")
	}
	done, err := s.Slot(ctx) // reading a record takes time
	if err != nil {
		return spec, err
	}
	defer done()
	rec, err := api.OnlyGame(q.Record, q.Game)
	if err != nil {
		return spec, err
	}
	spec = Spec{Game: rec.Game.Name, Options: rec.Setup, Position: rec.Start.String()}
	at := rec.Start.Clone()
	for _, n := range rec.Main() {
		spec.Moves = append(spec.Moves, at.Format(n.Move))
		at.Play(n.Move)
	}
	return spec, nil
}

// open opens a review and responds with its identifier. A game that was finished here is never
// refused.
func (s *Service) open(w http.ResponseWriter, r *http.Request, spec Spec, finished bool) error {
	refuse := func(m *game.Match) error { return s.games.RefuseLive(r, m) }
	if finished {
		refuse = nil
	}
	review, err := s.store.Open(r.Context(), spec, s.Address(r), refuse)
	if err != nil {
		return err
	}
	if finished {
		review.finish()
	}
	w.Header().Set("Location", "/api/reviews/"+review.ID())
	s.Write(w, http.StatusAccepted, map[string]string{"id": review.ID(), "url": s.Origin(r) + "/review/" + review.ID()})
	return nil
}

// tryRequest is an alternative to the move at a ply.
type tryRequest struct {
	Ply  int    `json:"ply"`
	Move string `json:"move"`
}

// tryMove assesses an alternative to the move that was played.
func (s *Service) tryMove(w http.ResponseWriter, r *http.Request) error {
	var q tryRequest
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	review, err := s.enter(r)
	if err != nil {
		return err
	}
	if v, _ := review.View(); !v.Finished { // the engine looks at the position anew
		if err := s.refuseLive(r, v.Spec); err != nil {
			return err
		}
	}
	t, err := s.store.Try(r.Context(), r.PathValue("id"), s.Address(r), q.Ply, q.Move)
	if err != nil {
		return err
	}
	return s.OK(w, t)
}
