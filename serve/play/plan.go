package play

import (
	"errors"
	"net/http"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// planRequest is the body of a request to set conditional moves.
type planRequest struct {
	Lines [][]string `json:"lines"` // of moves of both sides, the opponent's first
	Side  string     `json:"side"`  // for who holds both seats
}

// planView is the conditional moves of the sender.
type planView struct {
	Ply   int        `json:"ply"` // after which the lines begin
	Lines [][]string `json:"lines"`
}

// showPlan shows the sender's conditional moves. Nobody else sees them.
func (s *Service) showPlan(w http.ResponseWriter, r *http.Request, room *hall.Room, _ []game.Side) error {
	side, err := seatFor(room, s.keys(r, room.ID()), r.URL.Query().Get("side"))
	if err != nil {
		return err
	}
	p, _, err := s.hall.Plan(r.Context(), room.ID(), side)
	if err != nil {
		return err
	}
	v := planView{Lines: [][]string{}}
	room.View(func(t *live.Table) bool { v.Ply, v.Lines = t.Ply(), append(v.Lines, t.Rest(p)...); return true })
	return s.OK(w, v)
}

// PlanText returns the conditional moves that the sender of a request has in a game, for each side, as JSON; nil if there
// are none.
func (s *Service) PlanText(r *http.Request, id string) ([]byte, error) {
	room, seats, err := s.Room(r, id)
	if err != nil || !room.View(func(t *live.Table) bool { return t.State() == live.Live && t.Settings().Clock.Days > 0 }) {
		return nil, err
	}
	list := map[string]planView{}
	for _, side := range seats {
		p, _, err := s.hall.Plan(r.Context(), id, side)
		if err != nil {
			return nil, err
		}
		if len(p.Lines) > 0 {
			list[side.String()] = planView{p.Ply, p.Lines}
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	return api.Encode(list), nil
}

// setPlan replaces the sender's conditional moves.
func (s *Service) setPlan(w http.ResponseWriter, r *http.Request, room *hall.Room, _ []game.Side) error {
	var q planRequest
	if err := api.Read(w, r, api.SmallBody, &q, "lines", "side"); err != nil {
		return err
	}
	side, err := seatFor(room, s.keys(r, room.ID()), q.Side)
	if err != nil {
		return err
	}
	if err := s.Limited(s.Limits.Moves, room.ID()+side.String(), "commands", "commands of your seat"); err != nil {
		return err
	}
	var p live.Plan
	room.View(func(t *live.Table) bool { p, err = t.Plan(side, q.Lines); return true })
	if err != nil {
		return err
	}
	for range 2 { // the server may have erased what another position had
		_, revision, failed := s.hall.Plan(r.Context(), room.ID(), side)
		if err = failed; err == nil {
			err = s.hall.PutPlan(r.Context(), room.ID(), side, p, revision)
		}
		if !errors.Is(err, live.ErrStale) {
			break
		}
	}
	if err != nil {
		return err
	}
	return s.OK(w, planView{p.Ply, p.Lines})
}
