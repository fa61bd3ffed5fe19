package serve

import (
	"context"
	"errors"
	"net/http"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/record"
	"quintet/record/formats"
	"quintet/serve/jobs"
	"quintet/serve/reviews"
	"quintet/web/body"
)

// reviewRequest is a game to review: a record in any format, or moves.
type reviewRequest struct {
	Record   string       `json:"record"`
	Game     string       `json:"game"`
	Options  body.Options `json:"options"`
	Position string       `json:"position"`
	Moves    []string     `json:"moves"`
}

// reviewBody is the largest request for a review, in bytes.
const reviewBody = 256 << 10

// reviewView is a review as responses show it.
type reviewView struct {
	ID       string            `json:"id"`
	URL      string            `json:"url"`
	Game     string            `json:"game"`
	Options  map[string]string `json:"options"`
	Position string            `json:"position"`
	Moves    []string          `json:"moves"`
	reviewProgress
}

// reviewProgress is the progress of a review. A stream sends each ply once.
type reviewProgress struct {
	State    reviews.State `json:"state"`
	Place    int           `json:"place"`
	Plies    []reviews.Ply `json:"plies"`
	Accuracy Both[float64] `json:"accuracy"`
	Turning  int           `json:"turning"`
}

func progressOf(v reviews.View, from int) reviewProgress {
	list := append([]reviews.Ply{}, v.Plies[min(from, len(v.Plies)):]...)
	return reviewProgress{v.State, v.Place, list, Both[float64]{v.Accuracy[0], v.Accuracy[1]}, v.Turning}
}

// reviewGame opens the review of a finished game of this server.
func (s *Server) reviewGame(w http.ResponseWriter, r *http.Request) {
	if p := s.limited(s.limits.creates, s.address(r), "games", newGames); p != nil { // it is stored permanently, like a game
		s.fail(w, p)
		return
	}
	v, p := s.visibleTo(r)
	if p == nil && !v.Over {
		p = problem(http.StatusConflict, "running", "the game is not over: expected one that is").withReason("running.game")
	}
	var t *live.Table
	if p == nil {
		t, p = s.table(v)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	set := t.Settings()
	s.openReview(w, r, reviews.Spec{Game: set.Game, Options: set.Options, Position: set.Position, Moves: t.Moves()})
}

// createReview opens the review of any other game.
func (s *Server) createReview(w http.ResponseWriter, r *http.Request) {
	if p := s.limited(s.limits.creates, s.address(r), "games", newGames); p != nil { // before the work of reading a record
		s.fail(w, p)
		return
	}
	var q reviewRequest
	p := read(w, r, reviewBody, &q)
	var spec reviews.Spec
	if p == nil {
		spec, p = s.reviewSpec(r.Context(), q)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	s.openReview(w, r, spec)
}

// reviewSpec returns the game that a request is about.
func (s *Server) reviewSpec(ctx context.Context, q reviewRequest) (spec reviews.Spec, p *Problem) {
	if q.Record == "" {
		return reviews.Spec{Game: q.Game, Options: game.Setup(q.Options), Position: q.Position, Moves: q.Moves}, nil
	}
	if q.Options != nil || q.Position != "" || q.Moves != nil {
		return spec, fieldProblem("record", "a record, and a position or moves, too: expected one of them")
	}
	done, err := s.replayTurn(ctx) // reading a record takes time
	if err != nil {
		return spec, s.renderer.busy()
	}
	defer done()
	return specOf(q.Record, q.Game)
}

// onlyGame returns the only game of a record. It reads no further than a second one.
func onlyGame(text, name string) (*record.Record, *Problem) {
	list, _, _, err := formats.Read([]byte(text), formats.Hint{Game: name, MaxGames: 1})
	switch {
	case errors.Is(err, formats.ErrGames):
		return nil, fieldProblem("record", "the record has several games: expected one")
	case err != nil:
		return nil, fieldProblem("record", "the record cannot be read: %v", err)
	case len(list) == 0:
		return nil, fieldProblem("record", "the record has no game: expected one")
	}
	return list[0], nil
}

// specOf returns the main line of the only game of a record.
func specOf(text, name string) (spec reviews.Spec, p *Problem) {
	r, p := onlyGame(text, name)
	if p != nil {
		return spec, p
	}
	spec = reviews.Spec{Game: r.Game.Name, Options: r.Setup, Position: r.Start.String()}
	at := r.Start.Clone()
	for _, n := range r.Main() {
		spec.Moves = append(spec.Moves, at.Format(n.Move))
		at.Play(n.Move)
	}
	return spec, nil
}

// openReview opens a review, unless it has a position of a live game, and responds with its
// identifier.
func (s *Server) openReview(w http.ResponseWriter, r *http.Request, spec reviews.Spec) {
	review, p := s.findOrOpenReview(r, spec)
	if p != nil {
		s.fail(w, p)
		return
	}
	at := "/api/reviews/" + review.ID()
	w.Header().Set("Location", at)
	s.write(w, http.StatusAccepted, map[string]string{"id": review.ID(), "url": s.origin(r) + "/review/" + review.ID()})
}

func (s *Server) findOrOpenReview(r *http.Request, spec reviews.Spec) (*reviews.Review, *Problem) {
	if len(spec.Moves) > live.MaxMoves {
		return nil, fieldProblem("moves", "%d moves: expected at most %d", len(spec.Moves), live.MaxMoves).withReason("moves.many")
	}
	m, _, err := live.Settings{Game: spec.Game, Options: spec.Options, Position: spec.Position, Moves: spec.Moves}.Match()
	if err != nil {
		return nil, s.problemOf(err)
	}
	if p := s.refuseLive(m); p != nil {
		return nil, p
	}
	review, err := s.reviews.Open(r.Context(), spec, s.address(r))
	if err != nil {
		return nil, s.reviewProblem(err)
	}
	return review, nil
}

// reviewProblem returns the problem for an error of a review.
func (s *Server) reviewProblem(err error) *Problem {
	switch {
	case errors.Is(err, reviews.ErrMissing):
		return problem(http.StatusNotFound, "missing", "there is no such review: expected the address that you were given").withReason("missing.review")
	case errors.Is(err, reviews.ErrEmpty):
		return fieldProblem("moves", "%v", err).withReason("review.empty")
	case errors.Is(err, jobs.ErrClient):
		p := problem(http.StatusTooManyRequests, "limited", "too many reviews and analyses of your address wait: expected one of them ended first").withReason("limited.jobs")
		p.After = 5
		return p
	case errors.Is(err, jobs.ErrFull):
		p := problem(http.StatusServiceUnavailable, "unavailable", "too many reviews and analyses wait: try again in a moment").withReason("busy")
		p.After = 5
		return p
	}
	return s.problemOf(err)
}

// enterReview returns the review in the address, and resumes its work.
func (s *Server) enterReview(r *http.Request) (*reviews.Review, *Problem) {
	review, err := s.reviews.Get(r.Context(), r.PathValue("id"), s.address(r))
	if err != nil {
		return nil, s.reviewProblem(err)
	}
	v, _ := review.View()
	m, _, err := live.Settings{Game: v.Spec.Game, Options: v.Spec.Options, Position: v.Spec.Position, Moves: v.Spec.Moves}.Match()
	if err != nil {
		return nil, s.problemOf(err)
	}
	return review, s.refuseLive(m)
}

func (s *Server) showReview(w http.ResponseWriter, r *http.Request) {
	review, p := s.enterReview(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	v, _ := review.View()
	s.write(w, http.StatusOK, s.viewReview(r, v, 0))
}

func (s *Server) viewReview(r *http.Request, v reviews.View, from int) reviewView {
	options := map[string]string{}
	for name, value := range v.Spec.Options {
		options[name] = value
	}
	return reviewView{v.ID, s.origin(r) + "/review/" + v.ID, v.Spec.Game, options, v.Spec.Position, v.Spec.Moves, progressOf(v, from)}
}

// reviewTick is how often a stream checks the place in the queue.
const reviewTick = time.Second

// reviewEvents streams a review: a JSON object on each line, the first with the game, then
// what has changed, until the review is done or the client leaves.
func (s *Server) reviewEvents(w http.ResponseWriter, r *http.Request) {
	review, p := s.enterReview(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	out := startNDJSON(w)
	defer out.wait()
	v, changed := review.View()
	if out.write(encode(s.viewReview(r, v, 0)), true) != nil {
		return
	}
	tick := time.NewTicker(reviewTick)
	defer tick.Stop()
	for v.State != reviews.Done {
		select {
		case <-changed:
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-s.stopping:
			return
		}
		before := v
		v, changed = review.View()
		if !s.sendProgress(r, out, review, before, v) {
			return
		}
	}
}

// sendProgress writes the changes of a review, or a keep-alive line. It resumes the work
// if it has stopped.
func (s *Server) sendProgress(r *http.Request, out ndjson, review *reviews.Review, before, v reviews.View) bool {
	if v.State == reviews.Queued && v.Place == 0 {
		if _, err := s.reviews.Get(r.Context(), review.ID(), s.address(r)); err != nil {
			return false
		}
	}
	from := len(before.Plies)
	if len(v.Plies) < from { // another server has taken over
		from = 0
	}
	if v.State == before.State && v.Place == before.Place && len(v.Plies) == len(before.Plies) {
		return out.write([]byte(keepAliveLine), true) == nil
	}
	return out.write(encode(progressOf(v, from)), true) == nil
}

// tryRequest is an alternative to the move at a ply.
type tryRequest struct {
	Ply  int    `json:"ply"`
	Move string `json:"move"`
}

// tryView is its assessment.
type tryView struct {
	Move      string  `json:"move"`
	Loss      float64 `json:"loss"`
	Judgement string  `json:"judgement"`
	Accepted  bool    `json:"accepted"`
}

// tryMove assesses an alternative to the move that was played.
func (s *Server) tryMove(w http.ResponseWriter, r *http.Request) {
	var q tryRequest
	p := read(w, r, smallBody, &q)
	if p == nil {
		_, p = s.enterReview(r)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	t, err := s.reviews.Try(r.Context(), r.PathValue("id"), s.address(r), q.Ply, q.Move)
	var ply reviews.PlyError
	var move reviews.MoveError
	switch {
	case errors.As(err, &ply):
		s.fail(w, fieldProblem("ply", "%v", ply))
	case errors.Is(err, game.ErrIllegal):
		s.fail(w, problem(http.StatusUnprocessableEntity, "illegal", "%v", err))
	case errors.As(err, &move):
		s.fail(w, fieldProblem("move", "%v", move))
	case err != nil:
		s.fail(w, s.reviewProblem(err))
	default:
		s.write(w, http.StatusOK, tryView{t.Move, t.Loss, string(t.Mark), t.Accepted})
	}
}
