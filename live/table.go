// Package live is games played over a network, event-sourced: tables with two seats,
// clocks, offers and take-backs.
//
// A Table is the fold of its events: the same events give the same table on every
// machine. Table.Decide decides a command and returns one event or an Error, without
// changing the table. The event is appended to a Log with optimistic concurrency: the
// append fails if another event came first. Then Table.Load applies it. So two servers
// never accept two moves at one ply, and a server that stops loses nothing that it has
// acknowledged.
//
// The package reads no clock. Times are service time: milliseconds during which the
// service was available. It stops while no server runs, so that outages cost no player
// time. It is unrelated to the time of day.
package live

import (
	"fmt"
	"slices"

	"quintet/game"
	"quintet/games"
)

// Table is one game: the fold of its events. It is not safe for concurrent use.
type Table struct {
	id       string
	settings Settings
	match    *game.Match
	texts    []string // of the moves
	players  [2]Player
	clock    clock
	clocks   []clock // clocks[i] is the clock when ply i began
	asked    requests
	ending   Ending
	next     string // identifier of the rematch

	number     int      // of events
	bytes      int      // of all events
	requests   int      // of offers, refusals and take-backs among them
	positionID int      // number of events when the position arose
	hash       string   // of the last event
	at         int64    // service time of the last event
	shown      int64    // service time when pages show the last move, see MovePause
	turned     int64    // service time when the position arose, or when the second player came
	opened     int64    // time of day of the first event
	wall       int64    // time of day of the last event
	keys       []string // of the last commands that took effect
	names      Names    // see Mask
}

// New returns a table before its first event.
func New(id string) *Table { return &Table{id: id} }

// requests are the pending requests of the sides.
type requests struct {
	draw     [2]bool
	takeback [2]int // the ply to go back to, plus one; 0 for none
	rematch  [2]bool
	halt     [2]bool
}

// Ending is how a game ended; the zero Ending while it has not.
type Ending struct {
	Result game.Result
	Reason Reason
}

// Reason is why a game ended: one of package game, or one of those below.
type Reason string

// The reasons that only live games have.
const (
	ReasonAgreement   Reason = "agreement"   // the players agreed to a draw
	ReasonTime        Reason = "time"        // a side ran out of time
	ReasonAborted     Reason = "aborted"     // the game was called off, without a result
	ReasonAbandonment Reason = "abandonment" // a side went away, and the other claimed the win
	ReasonDamaged     Reason = "damaged"     // the disk has lost events, so a repair called the game off
)

// CalledOff reports whether a game ended without a result.
func (r Reason) CalledOff() bool { return r == ReasonAborted || r == ReasonDamaged }

// Over reports whether the game has ended.
func (t *Table) Over() bool { return t.ending.Reason != "" }

// State is whether a table waits for players, is played, or is over.
type State string

// The states.
const (
	Open     State = "open"
	Live     State = "live"
	Finished State = "over"
)

// State returns the state of the table.
func (t *Table) State() State {
	switch {
	case t.Over():
		return Finished
	case t.seated():
		return Live
	}
	return Open
}

// ID returns the identifier of the table.
func (t *Table) ID() string { return t.id }

// Settings returns the settings that the table was opened with.
func (t *Table) Settings() Settings { return t.settings }

// Game returns the game that is played.
func (t *Table) Game() game.Game { return t.match.Game() }

// Position returns a copy of the position on the board.
func (t *Table) Position() game.Position { return t.match.Position() }

// Legal returns the moves that may be played now; none when the game is over.
func (t *Table) Legal() []game.Move {
	if t.Over() {
		return nil
	}
	return t.match.Legal()
}

// Match returns a copy of the match.
func (t *Table) Match() *game.Match {
	return t.match.Clone()
}

// Moves returns the moves played, in notation.
func (t *Table) Moves() []string { return slices.Clone(t.texts) }

// Start returns a copy of the position before the first move.
func (t *Table) Start() game.Position { return t.match.Start() }

// LastMove returns the last move; ok is false if there is none.
func (t *Table) LastMove() (m game.Move, ok bool) {
	moves := t.match.Moves()
	if len(moves) == 0 {
		return 0, false
	}
	return moves[len(moves)-1], true
}

// Ply returns how many moves have been played.
func (t *Table) Ply() int { return len(t.texts) }

// Turn returns the side to move. It is undefined when the game is over.
func (t *Table) Turn() game.Side { return t.match.Turn() }

// Player returns the player of a side, masked (see Mask); the zero Player if the seat is
// open.
func (t *Table) Player(s game.Side) Player { return t.names.Show(t.players[s]) }

// Ending returns how the game ended.
func (t *Table) Ending() Ending { return t.ending }

// Rematch returns the identifier of the rematch, or "".
func (t *Table) Rematch() string { return t.next }

// EventCount returns how many events the table has.
func (t *Table) EventCount() int { return t.number }

// PositionID returns the number of events when the position on the board arose, including the
// event that caused it: 1 at the start. It identifies the position: unlike the ply, it
// never repeats after a take-back.
func (t *Table) PositionID() int { return t.positionID }

// Updated returns the time of day of the first and the last event, in milliseconds since
// 1970, for people to read.
func (t *Table) Updated() (first, last int64) { return t.opened, t.wall }

// Asked returns the pending requests of a side.
func (t *Table) Asked(s game.Side) []Request {
	asked := []Request{}
	for _, r := range []struct {
		is bool
		r  Request
	}{
		{t.asked.draw[s], Draw}, {t.asked.takeback[s] > 0, Takeback}, {t.asked.rematch[s], Rematch}, {t.asked.halt[s], Halt},
	} {
		if r.is {
			asked = append(asked, r.r)
		}
	}
	return asked
}

// seated reports whether both seats are taken.
func (t *Table) seated() bool { return t.players[0].Joined() && t.players[1].Joined() }

// open applies the first event.
func (t *Table) open(e Event) error {
	s := *e.Settings
	m, texts, err := s.Match()
	if err != nil {
		return err
	}
	t.settings, t.match, t.texts = s, m, texts
	t.players = s.Seats
	t.clock = s.Clock.start()
	t.clocks = nil
	for range len(texts) + 1 {
		t.clocks = append(t.clocks, t.clock)
	}
	t.opened = e.Wall
	t.endByRules()
	t.run(e.At)
	return nil
}

// endByRules ends the game if its match is over by the rules.
func (t *Table) endByRules() {
	if o := t.match.Outcome(); o.Result.Over() {
		t.end(o.Result, Reason(o.Reason))
	}
}

func (t *Table) end(r game.Result, why Reason) {
	t.ending = Ending{r, why}
	t.clock.running = false
	t.asked = requests{}
}

// run starts the clock if both seats are taken and the game is not over.
func (t *Table) run(at int64) {
	if t.clock.control.none() || t.Over() || !t.seated() {
		t.clock.running = false
		return
	}
	t.clock.running, t.clock.since = true, at
}

// TimeLeft returns the time that each side has left at a service time, in milliseconds. ok is
// false if the game has no clock.
func (t *Table) TimeLeft(now int64) (left [2]int64, ok bool) {
	if t.match == nil || t.clock.control.none() {
		return left, false
	}
	c := t.clock
	c.charge(t.Turn(), now, 0)
	return c.left, true
}

// DelayLeft returns how much is left of the turn's delay and of the pause before it (see
// MovePause) at a service time, in milliseconds. It is 0 if no clock runs.
func (t *Table) DelayLeft(now int64) int64 {
	if !t.clock.running {
		return 0
	}
	c := t.clock
	c.charge(t.Turn(), now, 0)
	return c.free
}

// Running reports whether a clock is running.
func (t *Table) Running() bool { return t.clock.running }

// FlagFallAt returns the service time at which the side to move runs out of time. ok is false
// if no clock runs.
func (t *Table) FlagFallAt() (at int64, ok bool) {
	if !t.clock.running {
		return 0, false
	}
	return t.clock.since + t.clock.free + max(t.clock.left[t.Turn()], 0), true
}

// FlagClaimAt returns the service time from which a Flag is accepted: when the side to move has
// run out of time and no move that it sent before can still arrive. ok is false if no
// clock runs.
func (t *Table) FlagClaimAt() (at int64, ok bool) {
	if at, ok = t.FlagFallAt(); ok {
		at += t.maxLag()
	}
	return at, ok
}

// maxLag returns the maximum lag compensation of the side to move: engines have none.
func (t *Table) maxLag() int64 {
	if t.players[t.Turn()].Engine != "" {
		return 0
	}
	return MaxLag
}

// inTime returns the service time of an offer or refusal: at the latest just before the
// side to move runs out of time. Otherwise the event would charge the rest of its time
// although a move in flight may still count.
func (t *Table) inTime(at, grace int64) int64 {
	if falls, ok := t.FlagFallAt(); ok {
		return max(min(at, falls+grace-1), t.at)
	}
	return at
}

// LastEventTime returns the service time of the last event.
func (t *Table) LastEventTime() int64 { return t.at }

// Match returns the match at the opening of a table, including the moves played before.
// The error is an *Error.
func (s Settings) Match() (m *game.Match, texts []string, err error) {
	g, err := games.ByName(s.Game)
	if err != nil {
		return nil, nil, invalid("game", "game", err)
	}
	p, err := s.position(g)
	if err != nil {
		return nil, nil, err
	}
	m = game.NewMatch(g, p)
	for i, text := range s.Moves {
		mv, err := m.Position().Parse(text)
		if err != nil {
			return nil, nil, invalid("moves", "moves", fmt.Errorf("given move %d: %w", i+1, err))
		}
		texts = append(texts, m.Position().Format(mv))
		if err := m.Play(mv); err != nil {
			return nil, nil, invalid("moves", "moves", fmt.Errorf("the given moves: %w", err))
		}
	}
	return m, texts, nil
}

// TimeLeftAt returns the time that each side had left when a ply began; ply 0 is the first
// move. ok is false if the game has no clock or has not reached the ply.
func (t *Table) TimeLeftAt(ply int) (left [2]int64, ok bool) {
	if t.clock.control.none() || ply < 0 || ply >= len(t.clocks) {
		return left, false
	}
	return t.clocks[ply].left, true
}
