package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// offerMsg is what an engine thinks of a draw.
type offerMsg struct {
	to    *play
	turn  int
	side  game.Side // that is asked
	score int       // from its view
	err   error
}

// The engine agrees to a draw from this ply on, if it thinks that it is not
// better by so much; it thinks about that for so many positions.
const (
	drawPly   = 20
	drawScore = 20
	drawNodes = 20_000
)

// offer claims the end of the game where its rules have a claim, or offers a
// draw.
func (p *play) offer() tea.Cmd {
	if r, _ := p.sit.Result(); r.Over() {
		return nil
	}
	switch p.sit.HaltRule() {
	case game.HaltClaim, game.HaltAgreed:
		return Push(newConfirm(p.Common, "Halt the game?", "The game ends here, and the pieces are counted: "+p.sit.Position().Board().Note+".", "Yes, halt", p.halt))
	}
	return Push(newConfirm(p.Common, "Offer a draw?", "The game ends as a draw if the other side agrees.", "Yes, offer", p.draw))
}

// halt claims or offers that the game is halted.
func (p *play) halt() tea.Cmd {
	side := p.me()
	over, err := p.sit.Halt(side)
	switch {
	case err != nil:
		p.complain(err)
		return nil
	case over:
		return p.finished(p.changed())
	}
	return p.ask(side)
}

// draw offers a draw.
func (p *play) draw() tea.Cmd {
	side := p.me()
	agreed, err := p.sit.Draw(side)
	switch {
	case err != nil:
		p.complain(err)
		return nil
	case agreed:
		return p.finished(p.changed())
	}
	return p.ask(side)
}

// ask puts the offer of a side to the other: to a person here, or to an engine.
func (p *play) ask(side game.Side) tea.Cmd {
	other := side.Other()
	if p.seats[other] != nil {
		p.say("%s thinks about the offer...", p.side(other))
		return p.consider(other)
	}
	return Push(newConfirm(p.Common, p.side(other)+": agree?", p.side(side)+" offers to end the game here.", "Yes, agree", func() tea.Cmd { return p.agree(other) }))
}

// consider lets the engine look at the position.
func (p *play) consider(side game.Side) tea.Cmd {
	at, turn, g := p.position(), p.turn, p.sit.Record.Game
	cmd, _ := p.Background(func(ctx context.Context) tea.Msg {
		s, err := bots.Searcher(g, bots.Options{})
		if err != nil {
			return offerMsg{p, turn, side, 0, err}
		}
		score := s.Search(ctx, at, engine.Limit{Nodes: drawNodes}, nil).Score
		if at.Turn() != side {
			score = -score
		}
		return offerMsg{p, turn, side, score, nil}
	})
	return cmd
}

// offered is the engine's answer. It takes an end that is no worse for it than
// the game that is left.
func (p *play) offered(msg offerMsg) tea.Cmd {
	if msg.to != p || msg.turn != p.turn {
		return nil
	}
	if msg.err != nil {
		p.complain(msg.err)
		return nil
	}
	worth := drawScore
	if p.sit.HaltRule() == game.HaltAgreed {
		switch w, ok := game.StoppedResult(p.sit.Position()).Winner(); {
		case ok && w == msg.side:
			worth = engine.MaxEval
		case ok:
			worth = -engine.MaxEval
		}
	} else if p.sit.Ply() < drawPly && msg.score > -engine.MaxEval {
		worth = -engine.MaxEval
	}
	if msg.score <= worth {
		return p.agree(msg.side)
	}
	p.sit.Decline()
	p.say("%s declines and wants to play on", p.side(msg.side))
	return nil
}

// agree ends the game as was offered.
func (p *play) agree(side game.Side) tea.Cmd {
	var err error
	if p.sit.HaltRule() == game.HaltAgreed {
		_, err = p.sit.Halt(side)
	} else {
		_, err = p.sit.Draw(side)
	}
	p.complain(err)
	return p.finished(p.changed())
}
