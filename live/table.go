// Package live is games that are played over a network: tables with two seats,
// clocks, offers and take-backs, as events and their fold.
//
// A Table is what its events make it, and nothing else: the same events give the
// same table on every machine. A command of a player is decided against a table
// (Table.Decide), which gives one event or an Error and changes nothing; the event
// is appended to a Log under the condition that no other event has come first;
// then Table.Apply takes it in. So two servers can never accept two moves at one
// ply, and a server that stops loses nothing that it has acknowledged.
//
// Nothing here reads a clock. Times are service time: milliseconds during which
// the service was there to be played on. It stands still while no server runs, so
// that outages cost nobody time, and it has nothing to do with the time of day.
package live

import (
	"fmt"
	"slices"

	"quintet/game"
	"quintet/games"
)

// Table is one game that is played, watched and come back to: the fold of its
// events. It is not safe for concurrent use.
type Table struct {
	id       string
	settings Settings
	match    *game.Match
	texts    []string // of the moves
	players  [2]Player
	clock    clock
	before   []clock // before[i] is the clock when ply i began
	asked    requests
	ending   Ending
	next     string // the game that goes on from this one, by rematch

	number   int    // of events
	requests int    // how many of them are offers, refusals and take-backs
	since    int    // how many there were when the position came about
	hash     string // of the last
	at       int64  // of the last
	opened   int64  // time of day of the first, and of the last
	wall     int64
	keys     []receipt
	hides    func(name string) bool // of which names are not shown; nil for none
}

// New returns the table of an identifier before its first event.
func New(id string) *Table { return &Table{id: id} }

// requests are what the sides have asked of each other.
type requests struct {
	draw     [2]bool
	takeback [2]int // the ply to go back to, plus one; 0 for no request
	rematch  [2]bool
	halt     [2]bool
}

// Ending is how a game has ended; the zero Ending while it has not.
type Ending struct {
	Result game.Result
	Reason Reason
}

// Reason is why a game ended: one of package game, or one of those below.
type Reason string

// The reasons that only live games have.
const (
	Agreed  Reason = "agreement" // the players agreed to a draw
	Flagged Reason = "time"      // a side ran out of time
	Aborted Reason = "aborted"   // it was called off before both players had come; there is no result
)

// Over reports whether the game has ended.
func (t *Table) Over() bool { return t.ending.Reason != "" }

// State is where a table stands: whether it waits for players, is played, or is
// over.
type State string

// The states.
const (
	Open   State = "open"
	Live   State = "live"
	Closed State = "over"
)

// State returns the state of the table.
func (t *Table) State() State {
	switch {
	case t.Over():
		return Closed
	case t.seated():
		return Live
	}
	return Open
}

// ID returns the identifier of the table.
func (t *Table) ID() string { return t.id }

// Settings returns what the table was opened with.
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

// Match returns a new match with the same moves, for an engine to think about.
func (t *Table) Match() *game.Match {
	return t.match.Clone()
}

// Moves returns the notation of the moves that were played.
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

// Turn returns the side to move. It means nothing when the game is over.
func (t *Table) Turn() game.Side { return t.match.Position().Turn() }

// Player returns who has the seat of a side, see Mask; the zero Player if it is open.
func (t *Table) Player(s game.Side) Player { return t.masked(t.players[s]) }

// Ending returns how the game has ended.
func (t *Table) Ending() Ending { return t.ending }

// Next returns the identifier of the game that a rematch began, or "".
func (t *Table) Next() string { return t.next }

// Number returns how many events the table has taken in.
func (t *Table) Number() int { return t.number }

// Since returns how many events there were when the position on the board came
// about, that event with them: 1 at the start, and never less than before. A ply comes
// again after a take-back, this number does not.
func (t *Table) Since() int { return t.since }

// Updated returns the time of day of the first and the last event, in
// milliseconds since 1970. Nothing but what people read is made of it.
func (t *Table) Updated() (first, last int64) { return t.opened, t.wall }

// SeatOf returns the side whose seat was given to the holder of a secret, of
// which the hash is known; see HashSecret.
func (t *Table) SeatOf(hash string) (s game.Side, ok bool) {
	for _, s := range []game.Side{game.First, game.Second} {
		if p := t.players[s]; p.Secret != "" && p.Secret == hash {
			return s, true
		}
	}
	return 0, false
}

// Asked returns what a side has asked of the other: some of "draw", "takeback",
// "rematch" and "halt".
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

func (t *Table) seated() bool { return t.players[0].Here() && t.players[1].Here() }

// begin makes the table what its first event says.
func (t *Table) begin(e Event) error {
	s := *e.Settings
	m, texts, err := s.match()
	if err != nil {
		return err
	}
	t.settings, t.match, t.texts = s, m, texts
	t.players = s.Seats
	t.clock = s.Clock.start()
	t.before = nil
	for range len(texts) + 1 {
		t.before = append(t.before, t.clock)
	}
	t.opened = e.Wall
	t.judge()
	t.run(e.At)
	return nil
}

// judge ends the table if the rules have ended its match.
func (t *Table) judge() {
	if o := t.match.Outcome(); o.Result.Over() {
		t.end(o.Result, Reason(o.Reason))
	}
}

func (t *Table) end(r game.Result, why Reason) {
	t.ending = Ending{r, why}
	t.clock.running = false
	t.asked = requests{}
}

// run lets the clock run if the game can be played.
func (t *Table) run(at int64) {
	if t.clock.control.none() || t.Over() || !t.seated() {
		t.clock.running = false
		return
	}
	t.clock.running, t.clock.since = true, at
}

// Left returns the time that each side has left at a service time, in
// milliseconds. ok is false if the game has no clock.
func (t *Table) Left(now int64) (left [2]int64, ok bool) {
	if t.match == nil || t.clock.control.none() {
		return left, false
	}
	c := t.clock
	c.charge(t.Turn(), now, 0)
	return c.left, true
}

// Free returns how much of the turn still costs nothing at a service time, in
// milliseconds: until it is used up, what Left returns stands. It is 0 where no
// clock runs.
func (t *Table) Free(now int64) int64 {
	if !t.clock.running {
		return 0
	}
	c := t.clock
	c.charge(t.Turn(), now, 0)
	return c.spare
}

// Running reports whether a clock is running.
func (t *Table) Running() bool { return t.clock.running }

// Falls returns the service time at which the side to move runs out of time, if
// it does not move; ok is false if no clock runs.
func (t *Table) Falls() (at int64, ok bool) {
	if !t.clock.running {
		return 0, false
	}
	return t.clock.since + t.clock.spare + max(t.clock.left[t.Turn()], 0), true
}

// Flags returns the service time from which a Flag is taken: when the time of the
// side to move has run out and a move that was sent before has come, too, if one can
// be on its way. Those of engines are not. ok is false if no clock runs.
func (t *Table) Flags() (at int64, ok bool) {
	if at, ok = t.Falls(); ok {
		at += t.way()
	}
	return at, ok
}

// way returns how long a move of the side to move may be on its way.
func (t *Table) way() int64 {
	if t.players[t.Turn()].Engine != "" {
		return 0
	}
	return MaxLag
}

// inTime returns when something counts as said that is no move, and that does not
// end the game: not after the time of the side to move has run out. Else it would
// charge the rest of that to a move that is on its way.
func (t *Table) inTime(at int64) int64 {
	if falls, ok := t.Falls(); ok {
		return max(min(at, falls-1), t.at)
	}
	return at
}

// Now returns the service time of the last event.
func (t *Table) Now() int64 { return t.at }

// match makes the match that the settings describe, with the moves that were
// played before the table was opened. The error is an *Error.
func (s Settings) match() (m *game.Match, texts []string, err error) {
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
			return nil, nil, invalid("moves", "moves", fmt.Errorf("move %d of the moves played before: %w", i+1, err))
		}
		texts = append(texts, m.Position().Format(mv))
		if err := m.Play(mv); err != nil {
			return nil, nil, invalid("moves", "moves", fmt.Errorf("the moves played before: %w", err))
		}
	}
	return m, texts, nil
}

// LeftAt returns the time that each side had when a ply began; ply 0 is the first
// move. ok is false if the game has no clock or has not come so far.
func (t *Table) LeftAt(ply int) (left [2]int64, ok bool) {
	if t.clock.control.none() || ply < 0 || ply >= len(t.before) {
		return left, false
	}
	return t.before[ply].left, true
}
