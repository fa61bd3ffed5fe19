package live

import (
	"slices"

	"quintet/game"
)

func (t *Table) decideOffer(c Command, e *Event) error {
	other := c.Side.Other()
	switch {
	case !t.seated():
		return t.refuseAs(CodeNothing, "draw.nobody", "you have no opponent yet to offer a draw to")
	case t.players[other].Engine != "":
		return t.refuseAs(CodeNothing, "draw.engine", "engines play to the end: play a move or resign")
	case t.asked.draw[other]:
		e.Kind = Drawn
		return nil
	case t.asked.draw[c.Side]:
		return t.refuseAs(CodeNothing, "draw.asked", "you have offered a draw already")
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
	case t.settings.Rated || t.settings.Tournament != "":
		return t.refuseAs(CodeNothing, "takeback.rated", "moves cannot be taken back in rated games and tournaments")
	case t.Ply() == first:
		return t.refuseAs(CodeNothing, "takeback.none", "there is no move to take back")
	case back < 0:
		return t.refuseAs(CodeNothing, "takeback.none", "the %s side has no move to take back", c.Side)
	case back < first || back >= t.Ply():
		return t.refuseAs(CodeNothing, "takeback.ply", "the game can go back to plies %d to %d, not to %d", first, t.Ply()-1, back)
	}
	if t.players[c.Side.Other()].Engine != "" || !t.players[c.Side.Other()].Joined() {
		e.Kind, e.Ply = TakenBack, back
		return nil
	}
	if t.asked.takeback[c.Side] > 0 {
		return t.refuseAs(CodeNothing, "takeback.asked", "you have asked for a takeback already")
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
		return t.refuseAs(CodeNothing, "rematch.aborted", "the game was called off: open a new one")
	case !t.Over():
		return t.refuseAs(CodeNothing, "rematch.early", "finish the game first")
	case !t.seated():
		return t.refuseAs(CodeNothing, "rematch.nobody", "you had no opponent to offer a rematch to: open a new game")
	case t.next != "":
		return t.refuseAs(CodeNothing, "rematch.done", "the rematch is game %s", t.next)
	case t.asked.rematch[other] || t.players[other].Engine != "":
		if c.Next == "" {
			return t.refuse(CodeLimited, "you cannot open another game now: try again later")
		}
		e.Kind, e.Next = Rematched, c.Next
		return nil
	case t.asked.rematch[c.Side]:
		return t.refuseAs(CodeNothing, "rematch.asked", "you have offered a rematch already")
	}
	e.Kind, e.Request = Offered, Rematch
	return nil
}

// answered returns the request of the other side that a command answers.
func (t *Table) answered(c Command) (Request, error) {
	asked := t.Asked(c.Side.Other())
	switch {
	case slices.Contains(asked, c.Request):
		return c.Request, nil
	case len(asked) == 0 || c.Request != "":
		return "", t.refuseAs(CodeNothing, "answer.nothing", "the other side has not asked for that")
	case len(asked) > 1:
		return "", t.refuseAs(CodeInvalid, "answer.several", "the other side has asked for several things, %v: say which one you answer", asked)
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
		return t.refuseAs(CodeNothing, "decline.halt", "decline an offer to halt by moving")
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
	s.RematchOf, s.Tournament, s.Berserk = t.id, "", false
	return s
}
