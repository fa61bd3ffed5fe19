package hall

import (
	"context"
	"slices"

	"quintet/live"
)

// Vacations says when people are on vacation, which pauses their clocks in correspondence games.
type Vacations interface {
	// Vacation returns for how many milliseconds of a span of service time a person was on vacation, and when the
	// vacation in progress at its end will end; 0 if there is none.
	Vacation(person string, from, to int64) (held, until int64)

	// Sync waits until this server knows what the log has of a person's vacations.
	Sync(ctx context.Context, person string) error
}

// vacation returns for how many milliseconds the side to move has been on vacation since its time was last charged,
// and when the vacation in progress ends; 0 if there is none.
func (h *Hall) vacation(t *live.Table, now int64) (held, until int64) {
	since, ok := t.ChargedAt()
	if !ok || h.config.Vacations == nil {
		return 0, 0
	}
	return h.config.Vacations.Vacation(t.Player(t.Turn()).Person, since, now)
}

// ShownTime returns the service time for which to show the clocks of a table at a service time: less than that after a
// vacation of the side to move.
func (h *Hall) ShownTime(t *live.Table, now int64) int64 {
	held, _ := h.vacation(t, now)
	return now - held
}

// heldUp returns when to recheck a flag that, without vacations, would fall at a service time.
func (h *Hall) heldUp(t *live.Table, falls, now int64) int64 {
	held, until := h.vacation(t, now)
	return max(falls+held, until)
}

// VacationChanged updates when the flags of a person fall, who has several identifiers. The person's vacations must
// have changed before: then a game that is loaded or parked meanwhile knows them, too.
func (h *Hall) VacationChanged(person []string) {
	for _, r := range h.all() {
		if r.View(func(t *live.Table) bool { return t.HasPlayer(person) }) {
			r.reschedule()
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, p := range h.parked {
		if p.person != "" && slices.Contains(person, p.person) {
			h.parked[id] = parkedGame{at: min(p.at, 1)} // due, without a new event
		}
	}
}

// syncVacation waits until this server knows the vacations of the side to move, before its flag falls.
func (r *Room) syncVacation(ctx context.Context) error {
	person := ""
	r.View(func(t *live.Table) bool {
		if _, days := t.ChargedAt(); days {
			person = t.Player(t.Turn()).Person
		}
		return true
	})
	if person == "" || r.hall.config.Vacations == nil {
		return nil
	}
	return r.hall.config.Vacations.Sync(ctx, person) //nolint:wrapcheck // it is only a reason to wait
}
