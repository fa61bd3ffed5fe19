package hall

import (
	"errors"
	"time"

	"quintet/game"
	"quintet/live"
)

// engineTask describes a move that an engine has to make.
type engineTask struct {
	id       string
	position int // live.Table.PositionID
	engine   string
	side     game.Side
	match    *game.Match
	both     bool          // the other side is an engine, too
	limit    time.Duration // a twentieth of the clock at most
}

// engineTask returns the move that an engine has to make now; ok is false if there is
// none.
func (r *Room) engineTask() (t engineTask, ok bool) {
	l := r.lock()
	defer l.unlock()
	if !l.active() || !l.engineToMove() {
		return t, false
	}
	s := l.table.Turn()
	t = engineTask{
		id: r.id, position: l.table.PositionID(), engine: l.table.Player(s).Engine, side: s, match: l.table.Match(),
		both: l.table.Player(s.Other()).Engine != "", limit: r.hall.config.EngineTime,
	}
	if left, has := l.table.TimeLeft(r.hall.Now().Service); has {
		t.limit = min(t.limit, time.Duration(left[s])*time.Millisecond/20+time.Millisecond)
	}
	return t, true
}

// IsRefusal reports whether an error is the refusal of a command, and not a failure.
func IsRefusal(err error) bool {
	var refused *live.Error
	return errors.As(err, &refused) || errors.Is(err, ErrMissing)
}
