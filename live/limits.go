package live

// Limits on the size of a game's log. At a limit every game can still be ended: by
// resignation, a claim, agreement to an offer, or time.
const (
	// MaxEvents is the number of events from which only commands that end the game are
	// accepted. Games have a few hundred moves; the longest possible game of chess under
	// the fifty-move rule has 11,797.
	MaxEvents = 20_000

	// MaxBytes is the same limit for the size of all events, in bytes.
	MaxBytes = 8 << 20

	// MaxRequests is how many offers, refusals and take-backs a game may have.
	MaxRequests = 400

	// RematchRequests is how many more it may have when it is over.
	RematchRequests = 20
)

// isRequest reports whether a kind of event counts against MaxRequests.
func isRequest(k Kind) bool { return k == Offered || k == Declined || k == TakenBack }

// decideExpire ends a game that its players have left. One that never began is called off:
// a seat is open, or no side has moved and no clock runs. In one without a clock the side to
// move loses by abandonment, once its turn has lasted for as long as the other side needed
// to claim the win.
func (t *Table) decideExpire(e *Event) error {
	turn := t.Turn()
	switch {
	case t.State() == Open || t.positionID <= 1 && !t.clock.running:
		e.Kind = CalledOff
	case !t.settings.Clock.none() || e.At-t.turned < UntimedTurn:
		return t.refuse(CodeInvalid, "the game has begun, and its players may come back")
	case t.players[turn].Engine != "": // it does not go away: something is wrong with it
		e.Kind = CalledOff
	default:
		winner := turn.Other()
		e.Kind, e.Side = Abandoned, (*Seat)(&winner)
	}
	return nil
}

// checkLimits refuses an event beyond the limits.
func (t *Table) checkLimits(e Event) error {
	most := MaxRequests
	if t.Over() {
		most += RematchRequests
	}
	switch {
	case e.Kind == Moved && e.Reason == "" && (t.number >= MaxEvents || t.bytes >= MaxBytes):
		return t.refuseAs(CodeMany, "many.moves", "the game is at its limit of %d events or %d MB: end it by a winning move, a claim, a draw or a resignation", MaxEvents, MaxBytes>>20)
	case isRequest(e.Kind) && t.requests >= most:
		return t.refuseAs(CodeMany, "many.requests", "the game is at its limit of %d offers, refusals and take-backs: move, or end the game", most)
	}
	return nil
}
