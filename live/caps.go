package live

// Caps on what one game keeps. Players cannot make it grow without end, and every game
// can still be ended: by resignation, a claim, an agreement to what is offered, or time.
const (
	// MaxEvents is how many events a game may have until moves that do not end it are
	// refused. Games have a few hundred moves; the longest possible game of chess under
	// the fifty-move rule has 11,797.
	MaxEvents = 20_000

	// MaxRequests is how many offers, refusals and take-backs a game may have.
	MaxRequests = 400

	// RematchRequests is how many of them may come after that when the game is over.
	RematchRequests = 20
)

// isRequest reports whether a kind of event counts against MaxRequests.
func isRequest(k Kind) bool { return k == Offered || k == Declined || k == TakenBack }

// decideExpire calls off a game that never began: a seat is open, or nobody has moved and
// no clock runs.
func (t *Table) decideExpire(e *Event) error {
	if t.State() != Open && (t.since > 1 || t.clock.running) {
		return t.refuse(CodeInvalid, "the game has begun")
	}
	e.Kind = CalledOff
	return nil
}

// capped refuses an event that a game has no room for.
func (t *Table) capped(e Event) error {
	most := MaxRequests
	if t.Over() {
		most += RematchRequests
	}
	switch {
	case e.Kind == Moved && e.Reason == "" && t.number >= MaxEvents:
		return t.refuseAs(CodeMany, "many.moves", "the game has %d events: want it ended, by a move that wins, a claim, a draw or a resignation", t.number)
	case isRequest(e.Kind) && t.requests >= most:
		return t.refuseAs(CodeMany, "many.requests", "the game has %d offers, refusals and take-backs: want a move, or an end of the game", t.requests)
	}
	return nil
}
