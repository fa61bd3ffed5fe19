package live

import "quintet/game"

func (t *Table) decideOffer(c Command, e *Event) error {
	other := c.Side.Other()
	switch {
	case !t.seated():
		return t.refuseAs(CodeNothing, "draw.nobody", "nobody is there to be offered a draw")
	case t.players[other].Engine != "":
		return t.refuseAs(CodeNothing, "draw.engine", "engines play to the end: expected a move or a resignation")
	case t.asked.draw[other]:
		e.Kind = Drawn
		return nil
	case t.asked.draw[c.Side]:
		return t.refuseAs(CodeNothing, "draw.asked", "a draw has been offered already")
	}
	e.Kind, e.Request = Offered, Draw
	return nil
}

func (t *Table) decideBack(c Command, e *Event) error {
	back := c.Ply
	if back < 0 {
		back = t.lastPlyOf(c.Side)
	}
	switch first := len(t.settings.Moves); {
	case t.Ply() == first:
		return t.refuseAs(CodeNothing, "takeback.none", "no move has been played that could be taken back")
	case back < 0:
		return t.refuseAs(CodeNothing, "takeback.none", "the %s side has no move to take back", c.Side)
	case back < first || back >= t.Ply():
		return t.refuseAs(CodeNothing, "takeback.ply", "the game cannot go back to ply %d: it is at ply %d: expected %d to %d", back, t.Ply(), first, t.Ply()-1)
	}
	if t.players[c.Side.Other()].Engine != "" || !t.players[c.Side.Other()].Joined() {
		e.Kind, e.Ply = TakenBack, back
		return nil
	}
	if t.asked.takeback[c.Side] > 0 {
		return t.refuseAs(CodeNothing, "takeback.asked", "a take-back has been asked for already")
	}
	e.Kind, e.Request, e.Back = Offered, Takeback, back
	return nil
}

// lastPlyOf returns the ply of the last move that a side has made since the table was
// opened, or -1.
func (t *Table) lastPlyOf(s game.Side) int {
	ply, last := 0, -1
	for p := range t.match.Replay() {
		if p.Turn() == s && ply >= len(t.settings.Moves) {
			last = ply
		}
		ply++
	}
	return last
}

// decideRematch offers a rematch, or accepts the other side's offer. Engines always
// accept.
func (t *Table) decideRematch(c Command, e *Event) error {
	other := c.Side.Other()
	switch {
	case t.ending.Reason == ReasonAborted:
		return t.refuseAs(CodeNothing, "rematch.aborted", "the game was called off: expected a new one in place of a rematch")
	case !t.Over():
		return t.refuseAs(CodeNothing, "rematch.early", "a rematch is offered when the game is over")
	case !t.seated():
		return t.refuseAs(CodeNothing, "rematch.nobody", "nobody has played against you who could be offered a rematch: open a new game")
	case t.next != "":
		return t.refuseAs(CodeNothing, "rematch.done", "the rematch is game %s", t.next)
	case t.asked.rematch[other] || t.players[other].Engine != "":
		if c.Next == "" {
			return t.refuse(CodeLimited, "no rematch may be opened now")
		}
		e.Kind, e.Next = Rematched, c.Next
		return nil
	case t.asked.rematch[c.Side]:
		return t.refuseAs(CodeNothing, "rematch.asked", "a rematch has been offered already")
	}
	e.Kind, e.Request = Offered, Rematch
	return nil
}

// answered returns the request of the other side that a command answers.
func (t *Table) answered(c Command) (Request, error) {
	asked := t.Asked(c.Side.Other())
	for _, r := range asked {
		if r == c.Request {
			return r, nil
		}
	}
	switch {
	case len(asked) == 0 || c.Request != "":
		return "", t.refuseAs(CodeNothing, "answer.nothing", "the other side has not asked for that")
	case len(asked) > 1:
		return "", t.refuseAs(CodeInvalid, "answer.several", "the other side has asked for several things, %v: expected one of them named", asked)
	}
	return asked[0], nil
}

func (t *Table) decideAccept(c Command, e *Event) error {
	r, err := t.answered(c)
	if err != nil {
		return err
	}
	switch r {
	case Draw:
		e.Kind = Drawn
	case Takeback:
		e.Kind, e.Ply = TakenBack, t.asked.takeback[c.Side.Other()]-1
	case Rematch:
		return t.decideRematch(c, e)
	case Halt:
		return t.decideClaim(c, e)
	}
	return nil
}

func (t *Table) decideDecline(c Command, e *Event) error {
	r, err := t.answered(c)
	if err != nil {
		return err
	}
	if r == Halt {
		return t.refuseAs(CodeNothing, "decline.halt", "an offer to halt is declined by the next move")
	}
	e.Kind, e.Request = Declined, r
	return nil
}

// RematchSettings returns the settings of the rematch: the same game with the seats swapped, from
// its start position.
func (t *Table) RematchSettings() Settings {
	s := t.settings
	s.Seats = [2]Player{t.players[1], t.players[0]}
	s.Moves = nil
	s.RematchOf = t.id
	return s
}
