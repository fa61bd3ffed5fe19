package live

import (
	"errors"
	"fmt"

	"quintet/game"
)

// Command is what somebody wants to happen at a table. Who may give it for which
// side is settled before: see Table.SeatOf.
type Command struct {
	Do   Verb
	Side game.Side

	Move    string  // Move: in notation
	Ply     int     // Move: the ply at which the player means it, or -1; GoBack: the ply to go back to, or -1
	Lag     int64   // milliseconds that it was on its way
	Player  Player  // Sit
	Request Request // Accept, Decline; "" for the only one that stands
	Next    string  // AskRematch, Accept: the identifier that the new game would get; "" if none may be opened
	Key     string  // hash of the idempotency key, if there is one; and after a dot, hash of what was asked for with it
	Since   int     // it is meant for the position that came about then, see Table.Since; 0 for any
}

// Verb is what a command wants to be done.
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
	Flag       Verb = "flag"   // the server's own, when a clock has run down
	Expire     Verb = "expire" // the server's own, when a game has not begun for long
)

// Stamp is when something is decided: the service time, by which clocks run, and
// the time of day, which people read.
type Stamp struct{ Service, Wall int64 }

// Code says what is wrong with a command, for programs.
type Code string

// The codes.
const (
	CodeIllegal Code = "illegal" // the move is not legal, or no move at all
	CodeStale   Code = "stale"   // it was meant for another ply than the current one
	CodeTurn    Code = "turn"    // it is the other side's turn
	CodeTaken   Code = "taken"   // somebody has the seat
	CodeOver    Code = "over"    // the game is over
	CodeNothing Code = "nothing" // there is nothing to accept, decline, claim or take back
	CodeTime    Code = "time"    // the time of the side had run out before
	CodeInvalid Code = "invalid" // it cannot be meant
	CodeMany    Code = "many"    // the game has as many events of that kind as one may have
	CodeLimited Code = "limited" // it would open a game, and the command has no identifier for one
)

// Error is why a command was not done. Text is for people. Reason says the same as
// Code more precisely ("draw.engine"), by a name that stays as it is; it is the
// code where that says all. Field is what was wrong of what was given ("clock"), if
// it was one thing.
type Error struct {
	Code   Code
	Reason string
	Field  string
	Text   string
	Ply    int // the current ply
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// refuse refuses with a code that says all.
func (t *Table) refuse(c Code, format string, args ...any) error {
	return t.refuseAs(c, string(c), format, args...)
}

// refuseAs refuses with a reason that is more precise than the code.
func (t *Table) refuseAs(c Code, reason, format string, args ...any) error {
	return &Error{Code: c, Reason: reason, Text: fmt.Sprintf(format, args...), Ply: t.Ply()}
}

// KeyUsed returns the error of a request whose idempotency key came with another
// request before: it was not done, though that one was.
func KeyUsed() *Error {
	return &Error{Code: CodeTaken, Reason: "key.used", Field: "key", Text: "the Idempotency-Key was used for another request: want a new one"}
}

// invalid returns the error of something that cannot be meant: a field and its
// reason.
func invalid(field, reason string, why error) error {
	return &Error{Code: CodeInvalid, Reason: reason, Field: field, Text: why.Error()}
}

// OpenTable decides the first event of a table.
func OpenTable(id string, s Settings, key string, now Stamp) (Event, error) {
	if err := s.Check(); err != nil {
		return Event{}, err
	}
	e := Event{Kind: Opened, Settings: &s, At: now.Service, Wall: now.Wall, Ply: len(s.Moves), Key: key}
	t := New(id)
	if err := t.begin(e); err != nil {
		return Event{}, invalid("", "invalid", err)
	}
	return t.stamped(e), nil
}

// Decide returns the event that a command comes to, at a time. It changes
// nothing. The error is an *Error. What the side to move wants after its time has
// run out comes to the event that says so; it counts when it was sent.
func (t *Table) Decide(c Command, now Stamp) (Event, error) {
	if t.match == nil {
		return Event{}, t.refuse(CodeInvalid, "the table has not been opened")
	}
	if t.used(c.Key) {
		return Event{}, KeyUsed()
	}
	at := max(now.Service, t.at)
	e := Event{Side: &c.Side, Number: t.number, Prev: t.hash, At: at, Wall: now.Wall, Ply: t.Ply(), Key: c.Key}
	if err := t.decide(c, &e); err != nil {
		return Event{}, err
	}
	if e.Kind == Offered || e.Kind == Declined {
		e.At = t.inTime(at)
	}
	if end := t.ends(e); end.Reason != "" {
		e.Result, e.Reason = end.Result.String(), end.Reason
	}
	if err := t.capped(e); err != nil {
		return Event{}, err
	}
	return t.stamped(e), nil
}

// ends returns how the game stands after an event of an unfinished game.
func (t *Table) ends(e Event) Ending {
	switch e.Kind {
	case Moved:
		return t.endsBy(e.Move)
	case Resigned:
		return Ending{game.Win(e.Side.Other()), Reason(game.Resigned)}
	case OutOfTime:
		return Ending{game.Win(e.Side.Other()), Flagged}
	case Drawn:
		return Ending{game.Draw, Agreed}
	case CalledOff:
		return Ending{game.Ongoing, Aborted}
	case Halted:
		return Ending{game.StoppedResult(t.match.Position()), Reason(game.Halted)}
	}
	return Ending{}
}

// endsBy returns how the game stands after a legal move.
func (t *Table) endsBy(text string) Ending {
	p := t.match.Position()
	mv, err := p.Parse(text)
	if err != nil {
		return Ending{}
	}
	p.Play(mv)
	if r := p.Result(); r.Over() {
		return Ending{r, Reason(game.ByRules)}
	}
	seen := 1
	for _, k := range t.match.Keys() {
		if k == p.Key() {
			seen++
		}
	}
	if n := t.Game().Repeat; n > 0 && seen >= n {
		return Ending{game.StoppedResult(p), Reason(game.Repetition)}
	}
	return Ending{}
}

// stamped adds the clocks as they will be after the event.
func (t *Table) stamped(e Event) Event {
	c, turn := t.clock, t.Turn()
	if c.control.none() {
		return e
	}
	c.charge(turn, e.At, e.Lag)
	switch e.Kind {
	case Moved:
		if t.passes(e.Move) {
			c.pass(turn)
		}
	case TakenBack:
		c = t.before[e.Ply]
	}
	e.Clocks = &c.left
	return e
}

// passes reports whether a legal move gives the turn to the other side.
func (t *Table) passes(text string) bool {
	p := t.match.Position()
	mv, err := p.Parse(text)
	if err != nil {
		return false
	}
	turn := p.Turn()
	p.Play(mv)
	return p.Turn() != turn
}

func (t *Table) decide(c Command, e *Event) error {
	if t.Over() && c.Do != AskRematch && c.Do != Accept && c.Do != Decline {
		return t.refuse(CodeOver, "the game is over: want a rematch, or a new game")
	}
	if c.Since > 0 && c.Since != t.since {
		return t.refuse(CodeStale, "it is meant for a position that is on the board no more")
	}
	switch c.Do {
	case Offer, Accept, Decline, Claim, GoBack: // a move is asked for its ply first
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
		return t.decideResign(c, e)
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
	case Flag:
		return t.decideFlag(c, e)
	case Expire:
		return t.decideExpire(e)
	}
	return t.refuse(CodeInvalid, "command %q", c.Do)
}

func (t *Table) decideSit(c Command, e *Event) error {
	if err := CheckName(c.Player.Name); err != nil {
		return err
	}
	if p := t.players[c.Side]; p.Here() {
		return t.refuse(CodeTaken, "the %s seat is taken by %s", c.Side, t.masked(p).Name)
	}
	e.Kind, e.Player = Sat, &c.Player
	return nil
}

func (t *Table) decideMove(c Command, e *Event) error {
	switch {
	case c.Ply >= 0 && c.Ply != t.Ply():
		return t.refuse(CodeStale, "the move is meant for ply %d, but the game is at ply %d", c.Ply, t.Ply())
	case c.Side != t.Turn():
		return t.refuse(CodeTurn, "it is the turn of the %s side", t.Turn())
	}
	if t.expired(c, e) {
		return nil
	}
	e.Lag = credit(c.Lag)
	p := t.match.Position()
	mv, err := p.Parse(c.Move)
	if err != nil {
		return t.refuse(CodeIllegal, "%v", err)
	}
	if !game.Legal(p, mv) {
		return t.refuse(CodeIllegal, "%q: %v", c.Move, game.Illegal(p, mv))
	}
	e.Kind, e.Move, e.Ply = Moved, p.Format(mv), t.Ply()+1
	return nil
}

// late reports whether the side to move has no time left for what comes at a service
// time and was so long on its way.
func (t *Table) late(at, lag int64) bool {
	c := t.clock
	if !c.running {
		return false
	}
	c.charge(t.Turn(), at, lag)
	return c.left[t.Turn()] == 0
}

// expired makes of what the side to move wants the event that its time has run out,
// if it had when that was sent, and reports whether it had.
func (t *Table) expired(c Command, e *Event) bool {
	if c.Side != t.Turn() || !t.late(e.At, credit(c.Lag)) {
		return false
	}
	e.Kind, e.Key = OutOfTime, "" // it was not done: who sends it again is told so
	return true
}

// decideFlag takes a flag only when no move can be on its way any more that was sent
// in time.
func (t *Table) decideFlag(_ Command, e *Event) error {
	turn := t.Turn()
	if !t.late(e.At, t.way()) {
		return t.refuse(CodeInvalid, "the %s side has time left, or a move on its way", turn)
	}
	e.Kind, e.Side = OutOfTime, &turn
	return nil
}

func (t *Table) decideResign(c Command, e *Event) error {
	e.Kind = Resigned
	if !t.players[c.Side.Other()].Here() {
		e.Kind = CalledOff
	}
	return nil
}

func (t *Table) decideClaim(c Command, e *Event) error {
	p := t.match.Position()
	rule := t.settings.halt(t.match.Game())
	_, stops := p.(game.Stopper)
	switch {
	case !stops:
		return t.refuseAs(CodeNothing, "claim.never", "%s cannot be halted: want a move, a draw offer or a resignation", t.Game().Title)
	case rule == game.HaltNone:
		return t.refuseAs(CodeNothing, "claim.off", "halting is switched off in this game")
	case !t.seated():
		return t.refuseAs(CodeNothing, "claim.nobody", "nobody has come to play against yet: want an opponent first, or the game called off (resign)")
	case rule == game.HaltClaim && t.Turn() != c.Side:
		return t.refuseAs(CodeTurn, "claim.turn", "the game can be halted on one's own turn: it is the turn of the %s side", t.Turn())
	case rule == game.HaltAgreed && t.asked.halt[c.Side]:
		return t.refuseAs(CodeNothing, "claim.asked", "the other side has been asked already")
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
