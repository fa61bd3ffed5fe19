package live

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
)

// Apply applies an event that Decide has returned or that was read, given its encoding. It
// checks that the event follows from those before. If it does not, the error wraps ErrBroken
// and the table must no longer be used.
func (t *Table) Apply(e Event, data []byte) error {
	was := t.ending.Reason
	err := t.follows(e)
	if err == nil {
		if t.clock.running {
			t.clock.charge(t.Turn(), e.At, e.credit())
		}
		err = t.apply(e)
	}
	if err == nil {
		err = t.agrees(e, was)
	}
	if err != nil {
		return t.broken(e, err.Error())
	}
	t.number++
	t.bytes += len(data)
	if isRequest(e.Kind) {
		t.requests++
	}
	switch e.Kind {
	case Opened, Moved, TakenBack:
		t.positionID, t.turned = t.number, e.At
	case Sat:
		t.turned = e.At
	}
	t.at, t.wall = e.At, e.Wall
	if t.hash = e.Was; t.hash == "" {
		t.hash = Hash(data)
	}
	t.remember(e)
	return nil
}

// follows checks that an event can be the next one.
func (t *Table) follows(e Event) error {
	switch {
	case e.Number != t.number:
		return fmt.Errorf("expected number %d", t.number)
	case e.Prev != t.hash:
		return fmt.Errorf("it follows %q, expected %q", e.Prev, t.hash)
	case (e.Kind == Opened) != (t.number == 0):
		return errors.New("expected a table to be opened first, and once")
	case e.At < t.at:
		return errors.New("it is earlier than the one before")
	case e.Kind == Opened && e.Settings == nil:
		return errors.New("no settings")
	case e.Kind != Opened && e.Side == nil:
		return fmt.Errorf("%s without a side", e.Kind)
	case e.Grace != t.grace(e.Grace, e.At):
		return fmt.Errorf("a grace of %d ms", e.Grace)
	}
	return nil
}

// agrees checks that an event says what it has done to the table, whose reason for its end
// was another before.
func (t *Table) agrees(e Event, was Reason) error {
	if was == "" && e.Reason != t.ending.Reason || e.Reason != "" && e.Result != t.ending.Result.String() {
		return fmt.Errorf("it ends the game as %q by %q, expected %q by %q", e.Result, e.Reason, t.ending.Result, t.ending.Reason)
	}
	if e.Ply != t.Ply() {
		return fmt.Errorf("ply %d, expected %d", e.Ply, t.Ply())
	}
	if left, ok := t.TimeLeft(e.At); ok && (e.Clocks == nil || *e.Clocks != left) {
		return fmt.Errorf("clocks %v, expected %v", e.Clocks, left)
	}
	return nil
}

// apply applies the changes that depend on the kind of event.
func (t *Table) apply(e Event) error {
	switch e.Kind {
	case Opened:
		return t.open(e)
	case Sat:
		return t.sit(e)
	case Moved:
		return t.move(e)
	case Offered, Declined:
		return t.setRequest(e)
	case TakenBack:
		return t.takeBack(e)
	case Berserked:
		t.clock.goBerserk(e.By(), t.Turn())
		return nil
	case Rematched:
		t.next = e.Next
		t.asked.rematch = [2]bool{}
		return nil
	}
	return t.finish(e)
}

func (t *Table) sit(e Event) error {
	if e.Player == nil || !e.Player.Joined() {
		return errors.New("a seat was taken without a player")
	}
	t.players[*e.Side] = *e.Player
	t.run(e.At)
	return nil
}

// moveOf returns the move of an event, and its text.
func (t *Table) moveOf(e Event) (mv game.Move, text string, err error) {
	if e.played != nil {
		return e.played.move, e.Move, nil
	}
	p := t.match.Position()
	if mv, err = p.Parse(e.Move); err != nil {
		return mv, "", err
	}
	return mv, p.Format(mv), nil
}

func (t *Table) move(e Event) error {
	mv, text, err := t.moveOf(e)
	if err != nil {
		return err
	}
	from := t.Turn()
	t.shown = t.shownAt(from, e.At)
	if err := t.match.Play(mv); err != nil {
		return err
	}
	t.texts = append(t.texts, text)
	if t.Turn() != from {
		t.clock.pass(from)
		if err := t.pause(e); err != nil {
			return err
		}
	}
	t.clocks = append(t.clocks, t.clock)
	t.asked = requests{draw: t.asked.draw}
	t.asked.draw[from.Other()] = false // moving declines the other's offer
	t.endByRules()
	return nil
}

// setRequest records that a side has made a request, or that the other side has
// declined it.
func (t *Table) setRequest(e Event) error {
	s, yes := e.By(), e.Kind == Offered
	if !yes {
		s = s.Other() // a side declines the other's request
	}
	switch e.Request {
	case Draw:
		t.asked.draw[s] = yes
	case Takeback:
		t.asked.takeback[s] = 0
		if yes {
			t.asked.takeback[s] = e.Back + 1
		}
	case Rematch:
		t.asked.rematch[s] = yes
	case Halt:
		return t.askHalt(s, yes)
	default:
		return fmt.Errorf("a request for %q", e.Request)
	}
	return nil
}

func (t *Table) askHalt(s game.Side, yes bool) error {
	if !yes {
		return fmt.Errorf("an offer to halt stands until the next move")
	}
	_, err := t.match.Halt(s, game.HaltAgreed)
	t.asked.halt[s] = true
	return err
}

// takeBack restores the moves and clocks of an earlier ply.
func (t *Table) takeBack(e Event) error {
	if e.Ply < len(t.settings.Moves) || e.Ply >= t.Ply() {
		return fmt.Errorf("back to ply %d of %d", e.Ply, t.Ply())
	}
	t.match.UndoTo(e.Ply)
	t.texts = t.texts[:e.Ply]
	t.clocks = t.clocks[:e.Ply+1]
	t.clock = t.clocks[e.Ply]
	t.asked = requests{}
	t.run(e.At)
	return nil
}

// finish ends the game for a reason outside its rules, such as resignation.
func (t *Table) finish(e Event) error {
	end := t.ends(e)
	if end.Reason == "" {
		return fmt.Errorf("kind %q", e.Kind)
	}
	if e.Kind == Halted {
		over, err := t.match.Halt(e.By(), t.settings.halt(t.match.Game()))
		if err != nil || !over {
			return fmt.Errorf("halted by the %s side: %w", e.By(), err)
		}
	}
	t.end(end.Result, end.Reason)
	return nil
}

// maxReceipts is how many commands a table remembers.
const maxReceipts = 64

// remember keeps the key of a command that took effect, so that a repetition does nothing.
func (t *Table) remember(e Event) {
	if e.Key == "" {
		return
	}
	t.keys = append(t.keys, e.Key)
	if len(t.keys) > maxReceipts {
		t.keys = t.keys[1:]
	}
}

// keyReused reports whether a key belongs to another command. Keys are two hashes with
// a dot between: of the idempotency key and of the request.
func (t *Table) keyReused(key string) bool {
	of := key[:strings.Index(key, ".")+1]
	return of != "" && slices.ContainsFunc(t.keys, func(k string) bool { return k != key && strings.HasPrefix(k, of) })
}

// TookEffect reports whether a command with this key took effect, among the last 64 that
// had one.
func (t *Table) TookEffect(key string) bool {
	return key != "" && slices.Contains(t.keys, key)
}
