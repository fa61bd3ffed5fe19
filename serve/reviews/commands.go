package reviews

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"quintet/game"
	"quintet/record"
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
	about := url.Values{"game": {r.PathValue("id")}}
	return s.open(w, r, specOfTable(t), about, len(set.Moves) == 0 && set.Position == "")
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
	spec, about, err := s.specOf(r.Context(), q)
	if err != nil {
		return err
	}
	return s.open(w, r, spec, about, false)
}

// specOf returns the game that a request is about: of a record, the main line of its only game, and
// its players and date.
func (s *Service) specOf(ctx context.Context, q request) (spec Spec, about url.Values, err error) {
	if q.Record == "" {
		return Spec{Game: q.Game, Options: game.Setup(q.Options), Position: q.Position, Moves: q.Moves}, nil, nil
	}
	if q.Options != nil || q.Position != "" || q.Moves != nil {
		return spec, nil, api.Invalid("record", "a record, and a position or moves, too: expected one of them")
	}
	done, err := s.Slot(ctx) // reading a record takes time
	if err != nil {
		return spec, nil, err
	}
	defer done()
	rec, err := api.OnlyGame(q.Record, q.Game)
	if err != nil {
		return spec, nil, err
	}
	spec = Spec{Game: rec.Game.Name, Options: rec.Setup, Position: rec.Start.String()}
	at := rec.Start.Clone()
	for _, n := range rec.Main() {
		spec.Moves = append(spec.Moves, at.Format(n.Move))
		at.Play(n.Move)
	}
	return spec, aboutRecord(rec), nil
}

// maxName bounds a name in the address of a review, in characters.
const maxName = 80

// aboutRecord returns the players and the date of a record. They are in the address of its page and
// not in the review, which all games with the same moves share.
func aboutRecord(rec *record.Record) url.Values {
	about := url.Values{}
	set := func(key, value string) {
		if value = strings.ToValidUTF8(value, ""); value != "" && !strings.Contains(value, "?") {
			about.Set(key, string([]rune(value)[:min(len([]rune(value)), maxName)]))
		}
	}
	set("first", rec.Players[game.First])
	set("second", rec.Players[game.Second])
	set("date", rec.Tag("Date"))
	return about
}

// open opens a review and responds with its identifier. The address of the page says what is known
// about the game. A game that was finished here is never refused.
func (s *Service) open(w http.ResponseWriter, r *http.Request, spec Spec, about url.Values, finished bool) error {
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
	page := s.Origin(r) + "/review/" + review.ID()
	if len(about) > 0 {
		page += "?" + about.Encode()
	}
	s.Write(w, http.StatusAccepted, map[string]string{"id": review.ID(), "url": page})
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
