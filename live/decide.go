package live

import (
	"errors"
	"fmt"

	"quintet/game"
)

// Command is a request to change a table. The caller has checked who may give it for
// which side.
type Command struct {
	Do   Verb
	Side game.Side

	Move       string  // Move: in notation
	Ply        int     // Move: the ply it is meant for, or -1; GoBack: the ply to go back to, or -1
	Lag        int64   // network latency in milliseconds
	Player     Player  // Sit
	Request    Request // Accept, Decline; "" for the only pending one
	Next       string  // AskRematch, Accept: the identifier for the new game; "" if none may be opened
	Key        string  // hash of the idempotency key, a dot, hash of the request; "" without a key
	PositionID int     // the position it is meant for, see Table.PositionID; 0 for any
	Client     string  // who sent it; "" for the server itself
	Away       int64   // ClaimWin, CallOff: for how many milliseconds the other side has been away; 0 if it is here
	Grace      int64   // for how many milliseconds since ChargedAt the side to move has been on vacation
}

// Verb is what a command does.
type Verb string

// The commands.
const (
	Sit        Verb = "sit"
	Move       Verb = "move"
	Resign     Verb = "resign"
	Offer      Verb = "offer"
	Accept     Verb = "accept"
	Decline    Verb = "decline"
	Claim      Verb = "claim"
	GoBack     Verb = "takeback"
	AskRematch Verb = "rematch"
	Berserk    Verb = "berserk"  // play with half the time and without an increment
	ClaimWin   Verb = "claimwin" // because the opponent is away
	CallOff    Verb = "calloff"  // for the same reason
	Flag       Verb = "flag"     // by the server, when a clock has run out
	Expire     Verb = "expire"   // by the server, when a game has not begun for long
	MissGame   Verb = "miss"     // by the server, when a player does not come to a game of a tournament
	EndDamaged Verb = "damaged"  // by a repair, because later events are lost
)

// Stamp is the time of a decision, in milliseconds: Service drives the clocks, Wall is
// the time of day for people.
type Stamp struct{ Service, Wall int64 }

// Code is the kind of a refusal, for programs.
type Code string

// The codes.
const (
	CodeIllegal Code = "illegal" // the move is illegal or not a move
	CodeStale   Code = "stale"   // the game is at another ply or position
	CodeTurn    Code = "turn"    // it is the other side's turn
	CodeTaken   Code = "taken"   // the seat is taken
	CodeOver    Code = "over"    // the game is over
	CodeNothing Code = "nothing" // there is nothing to accept, decline, claim or take back
	CodeTime    Code = "time"    // the side had run out of time
	CodeInvalid Code = "invalid" // the command or its fields are invalid
	CodeMany    Code = "many"    // the game is at a limit, see MaxEvents, MaxBytes and MaxRequests
	CodeLimited Code = "limited" // it would open a game, which is not allowed now
)

// Error is a refusal. Text is for people. Reason is a stable name that is more precise
// than Code ("draw.engine"), or the code itself. Field is the wrong field of the input
// ("clock"), if it is one.
type Error struct {
	Code   Code
	Reason string
	Field  string
	Text   string
	Ply    int // the current ply
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// refuse returns a refusal whose reason is its code.
func (t *Table) refuse(c Code, format string, args ...any) error {
	return t.refuseAs(c, string(c), format, args...)
}

// refuseAs returns a refusal with a reason more precise than its code.
func (t *Table) refuseAs(c Code, reason, format string, args ...any) error {
	return &Error{Code: c, Reason: reason, Text: fmt.Sprintf(format, args...), Ply: t.Ply()}
}

// KeyUsed returns the error for an idempotency key that was used with another request.
func KeyUsed() *Error {
	return &Error{Code: CodeTaken, Reason: "key.used", Field: "key", Text: "the Idempotency-Key was used for another request: use a new one"}
}

// invalid returns the error for an invalid field.
func invalid(field, reason string, why error) error {
	return &Error{Code: CodeInvalid, Reason: reason, Field: field, Text: why.Error()}
}

// OpenTable decides the first event of a table.
func OpenTable(id string, s Settings, key string, now Stamp) (Event, error) {
	if err := s.Check(); err != nil {
		return Event{}, err
	}
	e := Event{Envelope: Envelope{Kind: Opened, At: now.Service, Wall: now.Wall}, Settings: &s, Ply: len(s.Moves), Key: key}
	t := New(id)
	if err := t.open(e); err != nil {
		return Event{}, invalid("", "invalid", err)
	}
	return t.withClocks(e), nil
}

// Decide returns the event that a command causes at a time. It does not change the
// table. The error is an *Error. A command of the side to move that was sent after its
// time ran out causes Flagged.
func (t *Table) Decide(c Command, now Stamp) (Event, error) {
	if err := t.admit(c); err != nil {
		return Event{}, err
	}
	at := max(now.Service, t.at)
	e := Event{Envelope: Envelope{Number: t.number, Prev: t.hash, At: at, Wall: now.Wall}, Side: (*Seat)(&c.Side), Ply: t.Ply(), Key: c.Key, Grace: t.grace(c.Grace, at)}
	if err := t.decide(c, &e); err != nil {
		return Event{}, err
	}
	if e.Kind == Offered || e.Kind == Declined {
		e.At = t.inTime(at, e.Grace)
		e.Grace = t.grace(e.Grace, e.At)
	}
	if end := t.ends(e); end.Reason != "" {
		e.Result, e.Reason = end.Result.String(), end.Reason
	}
	if err := t.checkLimits(e); err != nil {
		return Event{}, err
	}
	return t.withClocks(e), nil
}

// ends returns how the game stands after an event of an unfinished game.
func (t *Table) ends(e Event) Ending {
	switch e.Kind {
	case Moved:
		return e.played.ends
	case Resigned:
		return Ending{game.Win(e.By().Other()), Reason(game.Resigned)}
	case Flagged:
		return Ending{game.Win(e.By().Other()), ReasonTime}
	case Drawn:
		return Ending{game.Draw, ReasonAgreement}
	case CalledOff:
		if e.Reason == ReasonDamaged {
			return Ending{game.Ongoing, ReasonDamaged}
		}
		return Ending{game.Ongoing, ReasonAborted}
	case Abandoned:
		return Ending{game.Win(e.By()), ReasonAbandonment}
	case Halted:
		return Ending{game.StoppedResult(t.match.Position()), Reason(game.Halted)}
	}
	return Ending{}
}

// withClocks adds the clocks after the event.
func (t *Table) withClocks(e Event) Event {
	c, turn := t.clock, t.Turn()
	if c.control.none() {
		return e
	}
	c.charge(turn, e.At, e.credit())
	switch e.Kind {
	case Moved:
		if e.played.passes {
			c.pass(turn)
		}
	case Berserked:
		c.goBerserk(e.By(), turn)
	case TakenBack:
		c = t.clocks[e.Ply]
	}
	e.Clocks = &c.left
	return e
}

// admit refuses commands that the table takes from nobody now.
func (t *Table) admit(c Command) error {
	switch {
	case t.match == nil:
		return t.refuse(CodeInvalid, "the table has not been opened")
	case t.keyReused(c.Key):
		return KeyUsed()
	case t.Over() && c.Do != AskRematch && c.Do != Accept && c.Do != Decline:
		return t.refuse(CodeOver, "the game is over: ask for a rematch, or open a new game")
	case c.PositionID > 0 && c.PositionID != t.positionID:
		return t.refuse(CodeStale, "the position has changed")
	}
	return nil
}

// decide decides a command. Those that offer or claim something have no effect if the side
// to move has run out of time.
func (t *Table) decide(c Command, e *Event) error {
	switch c.Do {
	case Offer, Accept, Decline, Claim, GoBack, Berserk:
		if t.expired(c, e) {
			return nil
		}
	}
	switch c.Do {
	case Sit:
		return t.decideSit(c, e)
	case Move:
		return t.decideMove(c, e)
	case Resign:
		e.Kind = Resigned
		if !t.players[c.Side.Other()].Joined() {
			e.Kind = CalledOff
		}
		return nil
	case Offer:
		return t.decideOffer(c, e)
	case Accept:
		return t.decideAccept(c, e)
	case Decline:
		return t.decideDecline(c, e)
	case Claim:
		return t.decideClaim(c, e)
	case GoBack:
		return t.decideBack(c, e)
	case AskRematch:
		return t.decideRematch(c, e)
	case Berserk:
		return t.decideBerserk(c, e)
	case ClaimWin, CallOff:
		return t.decideAbsence(c, e)
	case Flag:
		return t.decideFlag(e)
	case Expire:
		return t.decideExpire(e)
	case MissGame:
		return t.decideMiss(e)
	case EndDamaged:
		e.Kind, e.Reason = CalledOff, ReasonDamaged
		return nil
	}
	return t.refuse(CodeInvalid, "unknown command %q", c.Do)
}

func (t *Table) decideSit(c Command, e *Event) error {
	if err := c.Player.check(); err != nil {
		return err
	}
	if p := t.players[c.Side]; p.Joined() {
		return t.refuse(CodeTaken, "the %s seat is taken by %s", c.Side, t.names.Show(p).Name)
	}
	e.Kind, e.Player = Sat, &c.Player
	return nil
}

func (t *Table) decideMove(c Command, e *Event) error {
	switch {
	case c.Ply >= 0 && c.Ply != t.Ply():
		return t.refuse(CodeStale, "the move is meant for ply %d, but the game is at ply %d", c.Ply, t.Ply())
	case c.Side != t.Turn():
		return t.refuse(CodeTurn, "it is the %s side's turn", t.Turn())
	}
	if t.expired(c, e) {
		return nil
	}
	e.Lag = lagCredit(c.Lag)
	p := t.match.Position()
	mv, err := p.Parse(c.Move)
	if err != nil {
		return t.refuse(CodeIllegal, "%v", err)
	}
	if !game.Legal(p, mv) {
		return t.refuse(CodeIllegal, "%q: %v", c.Move, game.Illegal(p, mv))
	}
	after, outcome := t.match.Preview(mv)
	e.Kind, e.Move, e.Ply = Moved, p.Format(mv), t.Ply()+1
	e.played = &played{move: mv, passes: after.Turn() != c.Side, ends: Ending{outcome.Result, Reason(outcome.Reason)}}
	if e.played.passes {
		e.Pause = t.pauseAfter(c.Side, e.At)
	}
	return nil
}

// outOfTime reports whether the side to move has no time left for a command that
// arrives at a service time, with so much credit for lag and vacation.
func (t *Table) outOfTime(at, credit int64) bool {
	c := t.clock
	if !c.running {
		return false
	}
	c.charge(t.Turn(), at, credit)
	return c.left[t.Turn()] == 0
}

// expired turns a command of the side to move into Flagged if its time had run out
// when it was sent, and reports whether it had.
func (t *Table) expired(c Command, e *Event) bool {
	if c.Side != t.Turn() || !t.outOfTime(e.At, lagCredit(c.Lag)+e.Grace) {
		return false
	}
	e.Kind, e.Key = Flagged, "" // the command had no effect: a repetition must not find its key
	return true
}

// decideFlag waits until no move that was sent in time can still arrive.
func (t *Table) decideFlag(e *Event) error {
	turn := t.Turn()
	if !t.outOfTime(e.At, t.maxLag()+e.Grace) {
		return t.refuse(CodeInvalid, "the %s side has time left, or its move may still arrive", turn)
	}
	e.Kind, e.Side = Flagged, (*Seat)(&turn)
	return nil
}

func (t *Table) decideClaim(c Command, e *Event) error {
	p := t.match.Position()
	rule := t.settings.halt(t.match.Game())
	_, stops := p.(game.Stopper)
	switch {
	case !stops:
		return t.refuseAs(CodeNothing, "claim.never", "%s cannot be halted: play a move, offer a draw or resign", t.Game().Title)
	case rule == game.HaltNone:
		return t.refuseAs(CodeNothing, "claim.off", "halting is switched off in this game")
	case !t.seated():
		return t.refuseAs(CodeNothing, "claim.nobody", "you have no opponent yet: wait for one, or cancel the game (resign)")
	case rule == game.HaltClaim && t.Turn() != c.Side:
		return t.refuseAs(CodeTurn, "claim.turn", "halt the game on your own turn: it is the %s side's turn", t.Turn())
	case rule == game.HaltAgreed && t.asked.halt[c.Side]:
		return t.refuseAs(CodeNothing, "claim.asked", "you have asked the other side already")
	case rule == game.HaltAgreed && !t.asked.halt[c.Side.Other()]:
		e.Kind, e.Request = Offered, Halt
		return nil
	}
	e.Kind = Halted
	return nil
}

// IsCode reports whether an error is an Error of that code.
func IsCode(err error, c Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == c
}
