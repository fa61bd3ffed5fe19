package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quintet/game"
	"quintet/live"
)

// Conditional moves are records, one for each side of a game, because events are public. After each event of a
// correspondence game, the server that wrote it reads the record of the side to move, and plays the answer that it has. If that server is killed,
// another one does so later. If two play, the log accepts one move.

// planWindow is for how long after an event conditional moves are looked up, in service time: the servers that load
// the game within this time do so, and others need not.
const planWindow = 10 * time.Minute

// planKey returns the key of the record of a side's conditional moves.
func planKey(id string, s game.Side) string { return fmt.Sprintf("plan-%s-%d", id, s+1) }

// Plan returns the conditional moves of a side of a game, none if there are none, and the revision of their record.
func (h *Hall) Plan(ctx context.Context, id string, s game.Side) (p live.Plan, revision uint64, err error) {
	r, err := h.config.Log.GetRecord(ctx, planKey(id, s))
	if err == nil && len(r.Data) > 0 {
		err = json.Unmarshal(r.Data, &p)
	}
	if err != nil {
		return p, 0, fmt.Errorf("reading conditional moves: %w", err)
	}
	return p, r.Revision, nil
}

// PutPlan replaces the conditional moves of a side that have a revision; an empty list deletes them. If their condition holds
// already, the answer is played at once. The error wraps live.ErrStale if they have changed.
func (h *Hall) PutPlan(ctx context.Context, id string, s game.Side, p live.Plan, revision uint64) error {
	if len(p.Lines) == 0 && revision == 0 {
		return nil
	}
	var data []byte
	var err error
	if len(p.Lines) > 0 {
		data, err = json.Marshal(p)
	}
	if err == nil {
		_, err = h.config.Log.PutRecord(ctx, planKey(id, s), revision, data)
	}
	if err != nil {
		return fmt.Errorf("writing conditional moves: %w", err)
	}
	if r := h.Loaded(id); r != nil && data != nil { // the opponent may have moved meanwhile
		l := r.lock()
		defer l.unlock()
		l.planFor = 0
		l.schedulePlan()
	}
	return nil
}

// ErasePlans erases the conditional moves of a game.
func ErasePlans(ctx context.Context, l live.Log, id string) error {
	for s := range game.Side(2) {
		r, err := l.GetRecord(ctx, planKey(id, s))
		if err == nil && len(r.Data) > 0 {
			_, err = l.PutRecord(ctx, r.Key, r.Revision, nil)
		}
		if err != nil {
			return fmt.Errorf("erasing conditional moves: %w", err)
		}
	}
	return nil
}

// schedulePlan sets the timer of the look-up of conditional moves, once after each event.
func (r lockedRoom) schedulePlan() {
	t, events := r.table, r.table.EventCount()
	recent := r.hall.Now().Service-t.LastEventTime() < planWindow.Milliseconds()
	if events == r.planFor || !recent || t.Settings().Clock.Days == 0 || t.State() == live.Open || !t.Over() && r.engineToMove() {
		return
	}
	r.planFor = events
	wait := time.Duration(0)
	if !r.leads() {
		wait = r.hall.pool.takeOverDelay(r.id)
	}
	r.setPlanTimer(events, wait)
}

// setPlanTimer schedules a look-up of conditional moves. A newer event cancels it; a failure repeats it.
func (r lockedRoom) setPlanTimer(events int, wait time.Duration) {
	stopTimer(&r.plan)
	r.plan = r.after("conditional moves", wait, func() {
		err := r.answer(events)
		l := r.lock()
		defer l.unlock()
		switch {
		case l.planFor != events || !l.active():
		case err != nil:
			r.hall.config.Logger.Warn("conditional moves are looked up again", "game", r.id, "error", err)
			l.setPlanTimer(events, time.Second)
		default:
			l.plan = nil
		}
	})
}

// answer plays the answer of the side to move after a number of events, and erases conditional moves that are of no more use.
func (r *Room) answer(events int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	sides, over := []game.Side{game.First, game.Second}, false
	if !r.View(func(t *live.Table) bool {
		if over = t.Over(); !over {
			sides = []game.Side{t.Turn()}
		}
		return t.EventCount() == events
	}) {
		return nil
	}
	for _, s := range sides {
		p, revision, err := r.hall.Plan(ctx, r.id, s)
		if err != nil {
			return err
		}
		if len(p.Lines) == 0 {
			continue
		}
		if err := r.play(ctx, s, p, revision, over); err != nil {
			return err
		}
	}
	return nil
}

// play plays the answer of a plan, if it has one, and erases the plan if it has no other.
func (r *Room) play(ctx context.Context, s game.Side, p live.Plan, revision uint64, over bool) error {
	c, more := live.Command{Do: live.Move, Side: s, Ply: -1}, false
	r.View(func(t *live.Table) bool {
		if c.PositionID = t.PositionID(); over || t.Turn() == s {
			c.Move, more = t.Answer(p)
		} else {
			more = true // somebody has moved meanwhile
		}
		return true
	})
	if c.Move != "" {
		if _, err := r.hall.Do(ctx, r.id, c); err != nil && !IsRefusal(err) {
			return err
		}
	}
	if more {
		return nil
	}
	if err := r.hall.PutPlan(ctx, r.id, s, live.Plan{}, revision); err != nil && !errors.Is(err, live.ErrStale) {
		return err
	}
	return nil
}
