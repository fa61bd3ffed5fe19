package hall

import (
	"errors"
	"time"

	"quintet/game"
	"quintet/live"
)

// engineTask is what an engine is asked.
type engineTask struct {
	id     string
	since  int // the position's, see live.Table
	engine string
	side   game.Side
	match  *game.Match
	both   bool // the other side is an engine, too
	clock  bool // there is one, with so much left
	left   time.Duration
}

// engineTask returns what an engine is asked now; not ok if that is nothing.
func (r *Room) engineTask() (t engineTask, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.active() || !r.engineToMove() {
		return t, false
	}
	s := r.table.Turn()
	t = engineTask{
		id: r.id, since: r.table.Since(), engine: r.table.Player(s).Engine, side: s, match: r.table.Match(),
		both: r.table.Player(s.Other()).Engine != "",
	}
	left, has := r.table.Left(r.hall.Now().Service)
	t.clock, t.left = has, time.Duration(left[s])*time.Millisecond
	return t, true
}

// IsRefusal reports whether an error says that a command was decided against.
func IsRefusal(err error) bool {
	var refused *live.Error
	return errors.As(err, &refused) || errors.Is(err, ErrMissing)
}
