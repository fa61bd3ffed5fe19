package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/tui/table"
)

func (p *play) keys() []binding {
	now := p.c.env.Now
	list := p.cursorKeys(p.play)
	list = append(list,
		binding{"u backspace", "undo", "take back to your last move", func() tea.Cmd { return p.positionChanged(p.t.Back(now())) }},
		binding{"r ctrl+r", "redo", "play again what was taken back", func() tea.Cmd { return p.positionChanged(p.t.Forward(now())) }},
		binding{"t", "hint", "a hint: what the engine would play", p.askHint},
		binding{"e", "eval", "evaluation: bar, best line and depth", func() tea.Cmd { return p.analysis.toggle(&p.analysis.on) }},
		binding{"v", "values", "the value of every legal move", func() tea.Cmd { return p.analysis.toggle(&p.analysis.all) }},
		binding{"a", "review", "review: step, variations, graph, worst moves", p.review},
		binding{"R", "resign", "resign", p.resign},
		binding{"o", "offer", "offer a draw", p.offerDraw},
	)
	if rule := p.t.HaltRule(); rule != game.HaltNone {
		list = append(list, binding{"c", "claim", "halt the game and count the pieces (" + string(rule) + ")", p.halt})
	}
	list = append(list,
		binding{"p", "pause", "pause, or resume", func() tea.Cmd { p.t.Pause(now()); return p.proceed() }},
		binding{"s", "swap", "swap sides", func() tea.Cmd {
			p.t.Swap()
			p.engines[0], p.engines[1] = p.engines[1], p.engines[0]
			return p.proceed()
		}},
		binding{"1", "", "hand the first side to an engine, or back", func() tea.Cmd { return p.toggleSeat(game.First) }},
		binding{"2", "", "hand the second side to an engine, or back", func() tea.Cmd { return p.toggleSeat(game.Second) }},
	)
	list = append(list, p.showKeys()...)
	return append(list,
		binding{"w", "save", "save the game under a name", func() tea.Cmd { return saveAs(p.c, p.t) }},
		binding{"n", "", "another game of this kind", p.rematch},
		binding{"esc", "", "forget the piece that is chosen", command(func() { p.picked = nil })},
		binding{"q", "leave", "leave; the game is kept and can be continued", command(p.c.home)},
	)
}

// positionChanged updates the screen after an undo or redo.
func (p *play) positionChanged(ok bool) tea.Cmd {
	if !ok {
		p.c.notify("There is no move to go to.")
	}
	return p.proceed()
}

// toggleSeat gives a side to an engine or to a person.
func (p *play) toggleSeat(s game.Side) tea.Cmd {
	if p.t.Seats[s] != table.Person {
		p.t.Sit(s, table.Person)
		p.c.notify("%s is yours.", p.t.Game().Sides[s])
		return p.proceed()
	}
	return p.c.choosePlayer(p.t.Game().Sides[s], p.t.Game(), func(name string) tea.Cmd {
		p.t.Sit(s, name)
		return p.proceed()
	})
}

// searchOnce searches the current position in the background and passes the result to
// then.
func (p *play) searchOnce(then func(engine.Line) tea.Cmd) tea.Cmd {
	search, err := p.c.env.Searcher(p.t.Game())
	if err != nil {
		return p.c.notifyError(err)
	}
	at, pos := p.t.At(), engine.At(p.t.Match())
	p.query = p.c.start(p.query, func(ctx context.Context, send func(call)) {
		line := search.Search(ctx, pos, engine.Limit{Time: time.Second}, nil)
		send(func() tea.Cmd {
			if p.t.At() != at || p.t.Over() {
				return nil
			}
			return then(line)
		})
	})
	return p.query.next
}

func (p *play) askHint() tea.Cmd {
	if p.t.Over() {
		return p.c.notifyError(table.ErrOver)
	}
	p.c.notify("Looking for a good move...")
	return p.searchOnce(func(l engine.Line) tea.Cmd {
		p.hint, p.hintAt = l.Best(), p.t.At()
		return p.c.notify("Hint: %s (%s, depth %d)", p.t.Position().Format(l.Best()), longScore(l.Score), l.Depth)
	})
}

// asker returns the side for which a person resigns or makes an offer, and notifies
// the user if there is none.
func (p *play) asker() (s game.Side, ok bool) {
	s, err := p.t.Asker()
	if err == nil && p.t.Over() {
		err = table.ErrOver
	}
	p.c.notifyError(err)
	return s, err == nil
}

func (p *play) resign() tea.Cmd {
	s, ok := p.asker()
	if !ok {
		return nil
	}
	return p.c.openQuestion(p.t.Game().Sides[s]+" resigns?", func() tea.Cmd {
		p.c.notifyError(p.t.Resign(s, p.c.env.Now()))
		return p.proceed()
	})
}

// offerDraw offers a draw to the other side; an engine accepts unless its score is
// better.
func (p *play) offerDraw() tea.Cmd {
	agree := func() tea.Cmd {
		p.c.notifyError(p.t.Agree(p.c.env.Now()))
		return p.proceed()
	}
	return p.offer("a draw", agree, func(score int) bool {
		const even, plies = 30, 20 // a third of a pawn; only after the opening
		return score < -even || score <= even && p.t.Ply() >= plies
	})
}

// offer makes an offer to the other side. An engine accepts it if wants returns true
// for its score.
func (p *play) offer(what string, agreed func() tea.Cmd, wants func(score int) bool) tea.Cmd {
	s, ok := p.asker()
	if !ok {
		return nil
	}
	names := p.t.Game().Sides
	other := s.Other()
	if p.t.Seats[other] == table.Person {
		return p.c.openQuestion(fmt.Sprintf("%s offers %s. Does %s agree?", names[s], what, names[other]), agreed)
	}
	p.c.notify("%s thinks about %s...", names[other], what)
	return p.searchOnce(func(l engine.Line) tea.Cmd {
		score := l.Score
		if p.t.Turn() != other {
			score = -score
		}
		if !wants(score) {
			return p.c.notify("%s (%s) wants to play on.", names[other], p.t.Seats[other])
		}
		cmd := agreed()
		p.c.notify("%s (%s) agrees.", names[other], p.t.Seats[other])
		return cmd
	})
}

// halt claims or offers a halt, depending on the rule.
func (p *play) halt() tea.Cmd {
	s, ok := p.asker()
	if !ok {
		return nil
	}
	halt := func(agreed bool) func() tea.Cmd {
		return func() tea.Cmd {
			p.c.notifyError(p.t.Halt(s, agreed, p.c.env.Now()))
			return p.proceed()
		}
	}
	if p.t.HaltRule() == game.HaltClaim {
		return p.c.openQuestion(fmt.Sprintf("%s halts the game? Now: %s", p.t.Game().Sides[s], p.t.Position().Board().Note), halt(true))
	}
	stopped := game.StoppedResult(p.t.Position())
	return p.offer("to halt", halt(true), func(score int) bool {
		winner, won := stopped.Winner()
		return won && winner == s.Other() || !won && score <= 0 || score < -300
	})
}

// rematch starts another game with the same set-up and players.
func (p *play) rematch() tea.Cmd {
	begin := func() tea.Cmd {
		c, r := p.c, p.t.Record
		t, err := table.Begin(record.From(r.Game, r.Setup, r.Start), p.t.Seats, p.t.Clock.Control)
		if err != nil {
			return c.notifyError(err)
		}
		c.back()
		return c.openNew(t)
	}
	if p.t.Over() || p.t.Ply() == 0 {
		return begin()
	}
	return p.c.openQuestion("Begin another game? This one is kept.", begin)
}

// review opens the game on the study screen.
func (p *play) review() tea.Cmd {
	if !p.t.Over() && p.t.Clock.Control.On() && !p.t.Paused {
		p.t.Pause(p.c.env.Now())
	}
	p.thinking.stop()
	p.thinks = nil
	r := newStudy(p.c, p.t.Record, p.path)
	r.owner = p
	_ = r.t.Go(p.t.At())
	return p.c.open(r)
}

// saveAs opens a prompt for a name and saves the game.
func saveAs(c *shared, t *table.Table) tea.Cmd {
	name := t.Game().Name + "-" + c.env.Now().Format("2006-01-02-1504")
	return c.openPrompt("Save the game", "a name, or a file with its folder", name, func(text string) (tea.Cmd, error) {
		path, err := c.env.Store.Path(text)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); err == nil {
			return nil, fmt.Errorf("%s exists: choose another name", filepath.Base(path))
		}
		if err := c.env.Store.Save(path, t.Record); err != nil {
			return nil, err
		}
		c.notify("Saved as %s", path)
		return nil, nil
	})
}
