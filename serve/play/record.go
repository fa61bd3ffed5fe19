package play

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/record"
	"quintet/record/formats"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// download answers with the game in a record format.
func (s *Service) download(w http.ResponseWriter, r *http.Request, v visible) error {
	form, err := api.FormOf(r)
	if err != nil {
		return err
	}
	text, err := s.recordText(r.Context(), v, form)
	if err != nil {
		return err
	}
	api.WriteRecord(w, v.Game+"-"+v.id, form, text)
	return nil
}

// RecordText returns the record of a game that a request may see, in our format.
func (s *Service) RecordText(r *http.Request, id string) ([]byte, error) {
	v, err := s.visible(r, id)
	if err != nil {
		return nil, err
	}
	form, err := formats.ByName("quintet")
	if err != nil {
		return nil, err
	}
	return s.recordText(r.Context(), v, form)
}

// recordText renders a game in a record format.
func (s *Service) recordText(ctx context.Context, v visible, form formats.Format) ([]byte, error) {
	return s.render(ctx, s.Renderer, v, "record "+form.Name, func(_ context.Context, t *live.Table) ([]byte, error) {
		rec, err := recordOf(t, v.origin)
		if err != nil {
			return nil, err
		}
		text, _, err := formats.Write(form.Name, []*record.Record{rec}) // formats of plain moves omit the rest by design
		if err != nil {
			return nil, api.Problemf(http.StatusConflict, "form", "this game in this format: %v", err)
		}
		return text, nil
	})
}

// forms answers with the formats in which the game can be downloaded.
func (s *Service) forms(w http.ResponseWriter, r *http.Request, v visible) error {
	data, err := s.render(r.Context(), s.Renderer, v, "forms", func(_ context.Context, t *live.Table) ([]byte, error) {
		rec, err := recordOf(t, v.origin)
		if err != nil {
			return nil, err
		}
		return api.Encode(api.FormsOf(func(f formats.Format) error {
			_, _, err := formats.Write(f.Name, []*record.Record{rec})
			return err
		})), nil
	})
	if err != nil {
		return err
	}
	return s.OK(w, json.RawMessage(data))
}

// recordOf returns the record of a table.
func recordOf(t *live.Table, origin string) (*record.Record, error) {
	rec := record.From(t.Game(), t.Settings().Options, t.Start())
	at, ply := rec.Root, 0
	for p, mv := range t.Match().Replay() {
		mover := p.Turn()
		ply++
		next := at.Add(mv) // Check validates all moves once; Play would replay the game for each
		if left, ok := t.TimeLeftAt(ply); ok {
			d := time.Duration(left[mover]) * time.Millisecond
			next.Clock = &d
		}
		at = next
	}
	for i := range rec.Players {
		rec.Players[i] = t.Player(game.Side(i)).Name
	}
	first, _ := t.Updated()
	rec.SetTag("Date", time.UnixMilli(first).UTC().Format("2006.01.02"))
	rec.SetTag("Site", origin+"/g/"+t.ID())
	if e := t.Ending(); e.Result.Over() {
		rec.Result, rec.End = e.Result, endOf(e.Reason)
	}
	if err := rec.Check(); err != nil {
		return nil, fmt.Errorf("the record of game %s: %w", t.ID(), err)
	}
	return rec, nil
}

// endOf converts the reason of a result to that of a record.
func endOf(r live.Reason) record.End {
	if r == live.ReasonAbandonment {
		return record.Forfeit
	}
	return record.End(r)
}

// visible is the part of a game that a request may see.
type visible struct {
	id, origin string
	hall.Visible
}

// visible returns what a request may see of a game: spectators of a delayed game see an older
// state.
func (s *Service) visible(r *http.Request, id string) (v visible, err error) {
	room, seats, err := s.Room(r, id)
	if err != nil {
		return v, err
	}
	return visible{room.ID(), s.Origin(r), room.Visible(seats)}, nil
}

// seen calls h with what the sender may see of the game in the address.
func (s *Service) seen(h func(w http.ResponseWriter, r *http.Request, v visible) error) api.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.visible(r, r.PathValue("id"))
		if err != nil {
			return err
		}
		return h(w, r, v)
	}
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
	done, err := s.Slot(r.Context()) // many moves take time
	if err != nil {
		return nil, err
	}
	defer done()
	return s.table(v)
}

// render returns a rendering of a game. kind identifies what was requested and contains no
// client input; draw renders it.
func (s *Service) render(ctx context.Context, by *api.Renderer, v visible, kind string, draw func(context.Context, *live.Table) ([]byte, error)) ([]byte, error) {
	key := api.RenderKey{Game: v.id, Events: len(v.Events), Names: s.hall.NamesVersion(), Origin: v.origin, Kind: kind}
	return by.Get(ctx, key, func(ctx context.Context) ([]byte, error) {
		t, err := s.table(v)
		if err != nil {
			return nil, err
		}
		return draw(ctx, t)
	})
}
