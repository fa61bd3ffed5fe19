package tui

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/tui/grid"
	"quintet/tui/sitting"
)

// play is the screen on which a game is played.
type play struct {
	*Common
	sit     *sitting.Sitting
	turn    int // counts positions shown, so that late answers are known as such
	seats   [2]*seat
	thinker *thinker

	cursor  game.Cell
	choice  chooser
	view    grid.View
	typing  *input
	message string
	bad     bool // the message is an error
	hint    game.Move

	evaluate, values, groups, threats bool

	ticking bool
	start   game.Board // to know what has been captured
}

// tickMsg lets a screen look at clocks and at what an engine has found.
type tickMsg struct{ to *play }

// hintMsg is what the engine would play.
type hintMsg struct {
	to   *play
	turn int
	line engine.Line
	err  error
}

// beat is the time between two looks.
const beat = 100 * time.Millisecond

func newPlay(c *Common, s *sitting.Sitting) *play {
	p := &play{
		Common: c, sit: s, thinker: &thinker{common: c, game: s.Record.Game},
		start: s.Record.Start.Board(),
	}
	p.cursor = game.Cell(len(p.start.Rows)/2*len(p.start.Cols) + len(p.start.Cols)/2)
	return p
}

// Init implements Screen.
func (p *play) Init() tea.Cmd {
	if p.sit.Paused() {
		p.say("Paused: p goes on")
	}
	return p.changed()
}

// say shows a message until the next one.
func (p *play) say(format string, args ...any) {
	p.message, p.bad = fmt.Sprintf(format, args...), false
}

// complain shows an error.
func (p *play) complain(err error) {
	if err != nil {
		p.message, p.bad = err.Error(), true
	}
}

// changed is called whenever another position is on the board, or another player
// at it: it keeps the game and lets whose turn it is think.
func (p *play) changed() tea.Cmd {
	p.turn++
	p.hint = 0
	p.choice = chooser{legal: p.sit.Legal()}
	p.complain(p.keep())
	p.fit()
	cmds := []tea.Cmd{p.seated(), p.move(), p.analyse(), p.beat()}
	if p.choice.pass() && p.person() {
		p.say("%s has no move and must pass: press enter", p.side(p.sit.Turn()))
	}
	return tea.Batch(cmds...)
}

// keep saves the game in progress.
func (p *play) keep() error { return p.Store.SaveCurrent(p.sit.Record) }

// seated makes the seats those of the terms.
func (p *play) seated() tea.Cmd {
	var cmds []tea.Cmd
	for i, name := range p.sit.Terms.Seats {
		s := p.seats[i]
		if s != nil && s.name == name {
			s.cancel()
			continue
		}
		if s != nil {
			cmds = append(cmds, s.leave(p.Common))
		}
		p.seats[i] = nil
		if name != sitting.Person {
			p.seats[i] = &seat{name: name}
		}
	}
	return tea.Batch(cmds...)
}

// person reports whether a person is to move.
func (p *play) person() bool {
	return p.seats[p.sit.Turn()] == nil
}

// show is the least time between two moves when no person plays.
const show = 400 * time.Millisecond

// move lets an engine move whose turn it is.
func (p *play) move() tea.Cmd {
	s := p.seats[p.sit.Turn()]
	if s == nil || !p.sit.Running() {
		return nil
	}
	var pause time.Duration
	if p.seats[p.sit.Turn().Other()] != nil {
		pause = show
	}
	return s.think(p.Common, p, p.Seed+uint64(p.sit.Turn()), p.limit(), pause)
}

// limit is how long an engine may think.
func (p *play) limit() engine.Limit {
	if p.sit.Terms.Clock.Base > 0 {
		left := max(p.sit.Left(p.sit.Turn(), p.Now()), time.Millisecond)
		return engine.Limit{Clock: engine.Clock{Left: left, Increment: p.sit.Terms.Clock.Increment}}
	}
	return engine.Limit{Time: p.sit.Terms.MoveTime}
}

// analyse begins to think about the position, if that is asked for.
func (p *play) analyse() tea.Cmd {
	if !p.evaluate && !p.values || len(p.choice.legal) == 0 {
		p.thinker.halt()
		return nil
	}
	return p.thinker.start(p.position(), p.turn, p.values)
}

// position is what a search begins with.
func (p *play) position() engine.Position {
	m := p.sit.Match()
	keys := m.Keys()
	return engine.Position{Position: m.Position(), History: keys[:len(keys)-1], Repeat: m.Game().Repeat}
}

// beat asks for the next look, if something is to be looked at.
func (p *play) beat() tea.Cmd {
	if p.ticking || !p.live() {
		return nil
	}
	p.ticking = true
	return p.after(beat, tickMsg{p})
}

// live reports whether the screen changes by itself.
func (p *play) live() bool {
	return p.sit.Running() && (p.sit.Terms.Clock.Base > 0 || p.evaluate || p.values || !p.person())
}

// Update implements Screen.
func (p *play) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.fit()
	case tickMsg:
		return p.ticked(msg)
	case movedMsg:
		return p.moved(msg)
	case hintMsg:
		p.hinted(msg)
	case offerMsg:
		return p.offered(msg)
	case tea.KeyPressMsg:
		return p.typed(msg)
	case tea.PasteMsg:
		if p.typing != nil {
			p.typing.update(msg)
		}
	case tea.MouseClickMsg:
		return p.click(msg)
	case tea.MouseWheelMsg:
		p.wheel(msg)
	}
	return nil
}

// ticked looks at the clocks.
func (p *play) ticked(msg tickMsg) tea.Cmd {
	if msg.to != p {
		return nil
	}
	p.ticking = false
	if p.sit.Flag(p.Now()) {
		return p.finished(p.changed())
	}
	return p.beat()
}

// moved plays the move that an engine has chosen.
func (p *play) moved(msg movedMsg) tea.Cmd {
	if msg.to != p || msg.ply != p.turn || !p.sit.Running() {
		return nil
	}
	if p.sit.Flag(p.Now()) {
		return p.finished(p.changed())
	}
	if msg.err == nil {
		return p.play(msg.move)
	}
	// The engine is gone: a person takes its place, so that the game can go on.
	p.sit.Seat(msg.side, sitting.Person)
	cmd := p.changed()
	p.complain(fmt.Errorf("%w; you play %s now", msg.err, p.side(msg.side)))
	return cmd
}

// play plays a move and says what is worth saying of it.
func (p *play) play(mv game.Move) tea.Cmd {
	side, text := p.sit.Turn(), p.sit.Position().Format(mv)
	if err := p.sit.Play(mv, p.Now()); err != nil {
		p.complain(err)
		return nil
	}
	p.say("")
	if mv == game.Pass {
		p.say("%s passes", p.side(side))
	} else if p.seats[side] != nil {
		p.say("%s plays %s", p.side(side), text)
	}
	return p.finished(p.changed())
}

// finished says how the game ended, if it has.
func (p *play) finished(cmd tea.Cmd) tea.Cmd {
	if r, why := p.sit.Result(); r.Over() {
		p.say("%s", p.outcome(r, why))
	}
	return cmd
}

// side is the name of a side.
func (p *play) side(s game.Side) string { return p.sit.Record.Game.Sides[s] }

// reasons says why games end.
func reasons() map[record.End]string {
	return map[record.End]string{
		record.ByRules: "", record.Repetition: "the position has occurred too often", record.Resigned: "resignation",
		record.Halted: "the game was halted", record.OnTime: "time", record.Agreed: "agreement", record.Adjudged: "adjudication",
		record.Forfeit: "forfeit",
	}
}

// outcome says how a game ended.
func (p *play) outcome(r game.Result, why record.End) string {
	text := "The game is drawn"
	if s, ok := r.Winner(); ok {
		text = p.side(s) + " wins"
	}
	if reason := reasons()[why]; reason != "" {
		text += " (" + reason + ")"
	}
	return text
}

// Close implements Screen.
func (p *play) Close() {
	p.thinker.halt()
	for _, s := range p.seats {
		if s == nil {
			continue
		}
		s.cancel()
		if p.tasks.begin() {
			go func() { // the engine ends its thought first; the program waits for that
				defer p.tasks.end()
				s.close()
			}()
		}
	}
}

// errNotYours says that another player is to move.
var errNotYours = errors.New("the engine is to move: a takes its side back, u takes a move back")
