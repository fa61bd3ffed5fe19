package reviews

import (
	"context"
	"errors"
	"net/http"
	"time"

	"quintet/game"
	"quintet/serve/api"
	"quintet/serve/play"
	"quintet/web"
)

// Service answers the requests about reviews.
type Service struct {
	*api.Base

	games *play.Service
	store *Store
}

// NewService returns a Service.
func NewService(b *api.Base, games *play.Service, s *Store) *Service { return &Service{b, games, s} }

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	return api.Routes{
		"POST /api/games/{id}/review":  s.HandleRendering(s.reviewGame),
		"POST /api/reviews":            s.Handle(s.create),
		"GET /api/reviews/{id}":        web.Compress(s.HandleRendering(s.show)),
		"POST /api/reviews/{id}/try":   s.HandleRendering(s.tryMove),
		"GET /api/reviews/{id}/events": s.HandleStream(s.events),
	}
}

// reviewGame opens the review of a finished game of this server.
func (s *Service) reviewGame(w http.ResponseWriter, r *http.Request) error {
	if err := s.LimitCreates(s.Address(r)); err != nil { // it is stored permanently, like a game
		return err
	}
	t, err := s.games.FinishedTable(r, r.PathValue("id"))
	if err != nil {
		return err
	}
	set := t.Settings()
	return s.open(w, r, Spec{Game: set.Game, Options: set.Options, Position: set.Position, Moves: t.Moves()})
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
	return s.open(w, r, spec)
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

// open opens a review, unless it has a position of a live game, and responds with its
// identifier.
func (s *Service) open(w http.ResponseWriter, r *http.Request, spec Spec) error {
	if err := (api.Line{Moves: spec.Moves}).CheckLength(); err != nil {
		return err
	}
	if err := s.refuseLive(spec); err != nil {
		return err
	}
	review, err := s.store.Open(r.Context(), spec, s.Address(r))
	if err != nil {
		return problem(err)
	}
	w.Header().Set("Location", "/api/reviews/"+review.ID())
	s.Write(w, http.StatusAccepted, map[string]string{"id": review.ID(), "url": s.Origin(r) + "/review/" + review.ID()})
	return nil
}

// refuseLive returns a problem if a game has a position of a game in progress.
func (s *Service) refuseLive(spec Spec) error {
	m, _, err := spec.settings().Match()
	if err != nil {
		return err
	}
	return s.games.RefuseLive(m)
}

// problem returns the problem for an error of a review.
func problem(err error) error {
	switch {
	case errors.Is(err, ErrMissing):
		return api.Problemf(http.StatusNotFound, "missing", "there is no such review: use the address that you were given").WithReason("missing.review")
	case errors.Is(err, ErrEmpty):
		return api.Invalid("moves", "%v", err).WithReason("review.empty")
	}
	return err
}

// enter returns the review in the address, and resumes its work.
func (s *Service) enter(r *http.Request) (*Review, error) {
	review, err := s.store.Get(r.Context(), r.PathValue("id"), s.Address(r))
	if err != nil {
		return nil, problem(err)
	}
	v, _ := review.View()
	return review, s.refuseLive(v.Spec)
}

func (s *Service) show(w http.ResponseWriter, r *http.Request) error {
	review, err := s.enter(r)
	if err != nil {
		return err
	}
	v, _ := review.View()
	return s.OK(w, s.view(r, v))
}

// reviewTick is how often a stream checks the place in the queue.
const reviewTick = time.Second

// events streams a review: a JSON object on each line, the first with the game, then what has
// changed, until the review is done or the client leaves.
func (s *Service) events(w http.ResponseWriter, r *http.Request) error {
	review, err := s.enter(r)
	if err != nil {
		return err
	}
	out := api.StartStream(w)
	defer out.End()
	v, changed := review.View()
	if out.Send(api.Encode(s.view(r, v))) != nil {
		return nil
	}
	tick := time.NewTicker(reviewTick)
	defer tick.Stop()
	for v.State != Done {
		select {
		case <-changed:
		case <-tick.C:
		case <-r.Context().Done():
			return nil
		case <-s.Stopping:
			return nil
		}
		before := v
		v, changed = review.View()
		if s.sendProgress(r, out, review, before, v) != nil {
			return nil
		}
	}
	return nil
}

// sendProgress writes the changes of a review, or a keep-alive line. It resumes the work
// if it has stopped.
func (s *Service) sendProgress(r *http.Request, out api.Stream, review *Review, before, v View) error {
	if v.State == Queued && v.Place == 0 {
		if _, err := s.store.Get(r.Context(), review.ID(), s.Address(r)); err != nil {
			return err
		}
	}
	from := len(before.Plies)
	if len(v.Plies) < from { // another server has taken over
		from = 0
	}
	if v.State == before.State && v.Place == before.Place && len(v.Plies) == len(before.Plies) {
		return out.KeepAlive()
	}
	return out.Send(api.Encode(v.from(from)))
}

// tryMove assesses an alternative to the move that was played.
func (s *Service) tryMove(w http.ResponseWriter, r *http.Request) error {
	var q tryRequest
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	if _, err := s.enter(r); err != nil {
		return err
	}
	t, err := s.store.Try(r.Context(), r.PathValue("id"), s.Address(r), q.Ply, q.Move)
	var ply PlyError
	var move MoveError
	switch {
	case errors.As(err, &ply):
		return api.Invalid("ply", "%v", ply)
	case errors.Is(err, game.ErrIllegal):
		return api.Problemf(http.StatusUnprocessableEntity, "illegal", "%v", err)
	case errors.As(err, &move):
		return api.Invalid("move", "%v", move)
	case err != nil:
		return problem(err)
	}
	return s.OK(w, tryView{t.Move, t.Loss, string(t.Mark), t.Accepted})
}
