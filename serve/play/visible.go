package play

import (
	"context"
	"net/http"

	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// visible is the part of a game that a request may see.
type visible struct {
	id, origin string
	hall.Visible
}

// visibleTo returns what a request may see of its game.
func (s *Service) visibleTo(r *http.Request) (visible, error) { return s.visible(r, r.PathValue("id")) }

// visible returns what a request may see of a game: spectators of a delayed game see an older
// state.
func (s *Service) visible(r *http.Request, id string) (v visible, err error) {
	room, seats, err := s.Room(r, id)
	if err != nil {
		return v, err
	}
	return visible{room.ID(), s.Origin(r), room.Visible(seats)}, nil
}

// table returns a separate table with the visible part of a game.
func (s *Service) table(v visible) (*live.Table, error) {
	t := s.hall.NewTable(v.id)
	for _, data := range v.Events {
		if _, err := t.Load(data); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// FinishedTable returns a separate table with a game that a request may see and that is over.
func (s *Service) FinishedTable(r *http.Request, id string) (*live.Table, error) {
	v, err := s.visible(r, id)
	if err != nil {
		return nil, err
	}
	if !v.Over {
		return nil, api.Problemf(http.StatusConflict, "running", "the game is not over: finish it first").WithReason("running.game")
	}
	return s.table(v)
}

// render returns a rendering of a game. kind identifies what was requested and contains no
// client input; draw renders it.
func (s *Service) render(ctx context.Context, by *api.Renderer, v visible, kind string, draw func(context.Context, *live.Table) ([]byte, error)) ([]byte, error) {
	key := api.RenderKey{Game: v.id, Events: len(v.Events), Ruling: s.hall.LastRuling(), Origin: v.origin, Kind: kind}
	return by.Get(ctx, key, func(ctx context.Context) ([]byte, error) {
		t, err := s.table(v)
		if err != nil {
			return nil, err
		}
		return draw(ctx, t)
	})
}
