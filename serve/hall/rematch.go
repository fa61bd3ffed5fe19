package hall

import (
	"context"
	"errors"
	"time"

	"quintet/live"
)

// rematchTimeout limits how long opening a rematch takes. Opening continues when the client
// that asked for it has left.
const rematchTimeout = 10 * time.Second

// completeRematch opens the rematch that a command may have agreed to, and returns its
// identifier. err is the error of the command.
func (r *Room) completeRematch(ctx context.Context, err error) (string, error) {
	if late := r.openRematch(ctx); err == nil && late != nil {
		err = errors.Join(live.ErrUnknown, late) // the players agreed to the rematch, and it may not exist
	}
	next, _ := r.rematch()
	return next, err
}

// openRematch opens the rematch that the players have agreed to, if they have and it
// does not exist: it may have failed before.
func (r *Room) openRematch(ctx context.Context) error {
	next, s := r.rematch()
	if next == "" || r.hall.Loaded(next) != nil {
		return nil
	}
	return r.beginRematch(ctx, next, s)
}

// rematch returns the identifier of the rematch, if there is one, and its settings.
func (r *Room) rematch() (id string, s live.Settings) {
	l := r.lock()
	defer l.unlock()
	return l.table.Rematch(), l.table.RematchSettings()
}

// beginRematch opens a rematch and loads it, so that its clock runs and its engine
// thinks.
func (r *Room) beginRematch(ctx context.Context, next string, s live.Settings) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rematchTimeout)
	defer cancel()
	err := r.hall.Open(ctx, next, s, "rematch of "+r.id)
	if err == nil {
		_, err = r.hall.Room(ctx, next)
	}
	return err
}

// repairRematch opens the rematch of a table that has just been loaded, if the server
// stopped between the agreement and the opening.
func (r *Room) repairRematch(ctx context.Context) {
	next, _ := r.rematch()
	if next == "" || r.hall.Loaded(next) != nil {
		return
	}
	list, err := r.hall.config.Log.Read(ctx, next)
	if err == nil && len(list) == 0 {
		err = r.openRematch(ctx)
	}
	if err != nil {
		r.hall.config.Logger.Warn("opening a rematch, which is tried again later", "game", r.id, "rematch", next, "error", err)
	}
}
