package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/live"
	"quintet/serve/clock"
	"quintet/serve/hall"
	"quintet/serve/reviews"
)

// Erasing is a request to erase a stream (a game with its review, a study or a review), or a name.
type Erasing struct {
	Stream string `json:"stream,omitempty"`
	Name   string `json:"name,omitempty"`
}

// Erased is what was erased: events of a stream, or the name in a number of games.
type Erased struct {
	Events int  `json:"events"`
	Games  int  `json:"games"`
	Kept   bool `json:"kept"` // the bytes stay in the files of the log until it is opened again
}

// Erase erases from a log that no server in this process uses. The caller must remove the list of
// games beside the log, if there is one.
func Erase(ctx context.Context, l live.Log, what Erasing, now time.Time) (done Erased, err error) {
	if what.Name != "" {
		done.Games, err = live.EraseName(ctx, l, what.Name, now)
		return done, done.keep(err)
	}
	review := what.Stream // none
	if live.CategoryOf(what.Stream) == live.GameCategory {
		if review, err = reviewOf(ctx, l, what.Stream); err != nil {
			return done, err
		}
	}
	for _, stream := range []string{review, what.Stream, review} { // a review may be asked for until its game is gone
		list, err := l.Read(ctx, stream)
		if err == nil && (len(list) > 0 || stream == what.Stream) {
			var n int
			n, err = live.EraseStream(ctx, l, stream, now)
			done.Events += n
			err = done.keep(err)
		}
		if err != nil {
			return done, err
		}
	}
	if live.CategoryOf(what.Stream) == live.GameCategory {
		err = hall.ErasePlans(ctx, l, what.Stream)
	}
	return done, err
}

// keep records whether the bytes are kept, and returns other errors.
func (d *Erased) keep(err error) error {
	if errors.Is(err, live.ErrKept) {
		d.Kept, err = true, nil
	}
	return err
}

// reviewOf returns the stream of the review of a game, or the game if it can have none.
func reviewOf(ctx context.Context, l live.Log, id string) (string, error) {
	list, err := l.Read(ctx, id)
	t := live.New(id)
	for _, e := range list {
		if _, err := t.Load(e.Data); err != nil {
			return id, nil //nolint:nilerr // nobody could review a broken game, but it can be erased
		}
	}
	return cmp.Or(reviews.StreamOf(t), id), err
}

// eraseWait is how long Erase waits until the server has dropped what is erased.
const eraseWait = time.Minute

// Erase erases from the log, and waits until this server has nothing of it in its list and memory.
func (s *Server) Erase(ctx context.Context, what Erasing) (Erased, error) {
	done, err := Erase(ctx, s.log, what, s.config.Now())
	if err != nil {
		return done, err
	}
	last, err := s.log.Last(ctx)
	if err != nil {
		return done, fmt.Errorf("reading the log: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, eraseWait)
	defer cancel()
	for !s.Lag.HasReached(last) {
		if clock.Sleep(ctx, 20*time.Millisecond); ctx.Err() != nil {
			return done, errors.New("it is erased from the log, but the list of games may show it until the server has caught up")
		}
	}
	return done, nil
}

// moderate evicts what a ruling hides or erases, except rooms, which the hall evicts.
func (s *Server) moderate(e live.Entry) {
	r, err := live.ReadRuling(e.Data)
	if err != nil {
		return
	}
	s.studies.Moderate(r)
	s.reviews.Moderate(r)
	if r.Do != live.Erase {
		return
	}
	for _, x := range r.Erased {
		s.Renderer.ForgetGame(x.Stream)
		s.Animator.ForgetGame(x.Stream)
	}
}
