package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/tui/sitting"
)

// Actions implements Screen.
func (p *play) Actions() []Action {
	list := []Action{
		{Keys: []string{"up", "k"}, Label: "arrows hjkl", Long: "move over the board", Do: p.mover(-1, 0)},
		{Keys: []string{"down", "j"}, Label: "down", Long: "one row down", Do: p.mover(1, 0)},
		{Keys: []string{"left", "h"}, Label: "left", Long: "one column to the left", Do: p.mover(0, -1)},
		{Keys: []string{"right", "l"}, Label: "right", Long: "one column to the right", Do: p.mover(0, 1)},
		{Keys: []string{"tab"}, Long: "go to the next cell that can be chosen (shift+tab: back)", Do: p.jumper(1)},
		{Keys: []string{"shift+tab"}, Long: "go to the cell before", Do: p.jumper(-1)},
		{Keys: []string{"enter", "space"}, Label: "enter", Short: "choose", Long: "choose the cell; pass, if there is no move", Do: p.enter},
		{Keys: []string{"t", ":"}, Label: "t", Short: "type", Long: "type a move (: does, too)", Do: p.beginTyping},
		{Keys: []string{"u"}, Short: "undo", Long: "take a move back, and the engine's before it", Do: p.undo},
		{Keys: []string{"r"}, Short: "redo", Long: "play what was taken back", Do: p.redo},
		{Keys: []string{"i"}, Short: "hint", Long: "ask the engine for an idea", Do: p.askHint},
		{Keys: []string{"e"}, Short: "eval", Long: "evaluation, depth and line of the engine", Do: p.toggle(&p.evaluate)},
		{Keys: []string{"v"}, Short: "values", Long: "the value of every legal move", Do: p.toggle(&p.values)},
		{Keys: []string{"!"}, Long: "threats of the opponent", Do: p.toggle(&p.threats)},
		{Keys: []string{"g"}, Long: "connected groups", Do: p.toggle(&p.groups)},
		{Keys: []string{"x"}, Long: "swap sides", Do: p.swap},
		{Keys: []string{"a"}, Long: "hand the side to move to an engine, or take it back", Do: p.hand},
		{Keys: []string{"A"}, Long: "choose who plays a side", Do: p.chooseSeat},
		{Keys: []string{"p"}, Long: "pause, or go on", Do: p.pause},
		{Keys: []string{"o"}, Long: "offer a draw, or claim the end of the game where its rules have a claim", Do: p.offer},
		{Keys: []string{"R"}, Long: "resign", Do: p.resign},
		{Keys: []string{"s"}, Short: "save", Long: "save the game", Do: func() tea.Cmd { return Push(newSave(p.Common, p.sit.Record)) }},
		{Keys: []string{"+", "="}, Label: "+", Long: "larger cells", Do: p.zoom(1)},
		{Keys: []string{"-"}, Long: "smaller cells", Do: p.zoom(-1)},
		{Keys: []string{"n"}, Long: "a new game of the same kind", Do: p.again},
		{Keys: []string{"esc"}, Long: "give back the chosen piece; leave, if there is none", Do: p.escape},
		{Keys: []string{"q"}, Short: "leave", Long: "go home; the game is kept", Do: Pop},
	}
	return list
}

// mover moves the cursor.
func (p *play) mover(rows, cols int) func() tea.Cmd {
	return func() tea.Cmd {
		b := p.start
		row, col := int(p.cursor)/len(b.Cols)+rows, int(p.cursor)%len(b.Cols)+cols
		if row >= 0 && row < len(b.Rows) && col >= 0 && col < len(b.Cols) {
			p.cursor = game.Cell(row*len(b.Cols) + col)
		}
		p.fit()
		return nil
	}
}

// jumper moves the cursor to the next cell that can be chosen.
func (p *play) jumper(by int) func() tea.Cmd {
	return func() tea.Cmd {
		var cells []game.Cell
		for c := range p.choice.targets() {
			cells = append(cells, c)
		}
		if len(cells) == 0 {
			return nil
		}
		slices.Sort(cells)
		i, found := slices.BinarySearch(cells, p.cursor)
		switch {
		case by < 0:
			i--
		case found:
			i++
		}
		p.cursor = cells[(i+len(cells))%len(cells)]
		p.fit()
		return nil
	}
}

// enter chooses the cell of the cursor.
func (p *play) enter() tea.Cmd {
	if r, _ := p.sit.Result(); r.Over() {
		return Push(p.overDialog())
	}
	switch {
	case !p.person():
		p.complain(errNotYours)
		return nil
	case p.sit.Paused():
		return p.pause()
	case p.choice.pass():
		return p.play(game.Pass)
	}
	complete, ok := p.choice.choose(p.cursor)
	switch {
	case !ok:
		p.complain(p.whyNot())
	case len(complete) == 1:
		return p.play(complete[0])
	case len(complete) > 1:
		return Push(p.several(complete))
	case len(p.choice.cells) > 0:
		p.say("From %s: choose where to, tab goes through the cells", p.cell(p.cursor))
	default:
		p.say("")
	}
	return nil
}

// cell is the name of a cell.
func (p *play) cell(c game.Cell) string {
	return p.start.Cols[int(c)%len(p.start.Cols)] + p.start.Rows[int(c)/len(p.start.Cols)]
}

// whyNot says why the cell cannot be chosen.
func (p *play) whyNot() error {
	return fmt.Errorf("%s: no legal move there, tab goes to those that there are", p.cell(p.cursor))
}

// several asks which of the moves of the same cells is meant.
func (p *play) several(moves []game.Move) Screen {
	var list []entry
	for _, mv := range moves {
		list = append(list, entry{text: p.sit.Position().Format(mv), do: func() tea.Cmd { return tea.Sequence(Pop(), p.play(mv)) }})
	}
	return newDialog(p.Common, "Which move?", "These cells belong to several moves.", list...)
}

func (p *play) undo() tea.Cmd {
	if !p.sit.Undo(p.Now()) {
		p.say("There is no move to take back")
		return nil
	}
	p.say("Taken back: r plays it again")
	return p.changed()
}

func (p *play) redo() tea.Cmd {
	if !p.sit.Redo(p.Now()) {
		p.say("There is nothing to play again")
		return nil
	}
	p.say("")
	return p.finished(p.changed())
}

// hintTime is what a hint may take.
const hintTime = time.Second

func (p *play) askHint() tea.Cmd {
	if len(p.choice.legal) == 0 {
		return nil
	}
	p.say("Looking for an idea...")
	at, turn, g := p.position(), p.turn, p.sit.Record.Game
	cmd, _ := p.Background(func(ctx context.Context) tea.Msg {
		s, err := bots.Searcher(g, bots.Options{})
		if err != nil {
			return hintMsg{p, turn, engine.Line{}, err}
		}
		return hintMsg{p, turn, s.Search(ctx, at, engine.Limit{Time: hintTime}, nil), nil}
	})
	return cmd
}

func (p *play) hinted(msg hintMsg) {
	if msg.to != p || msg.turn != p.turn {
		return
	}
	if msg.err != nil {
		p.complain(msg.err)
		return
	}
	p.hint = msg.line.Best()
	p.say("The engine would play %s (%s for %s, depth %d)", p.sit.Position().Format(p.hint),
		scoreText(msg.line.Score, game.First), p.side(p.sit.Turn()), msg.line.Depth)
}

// toggle turns something that is shown on and off.
func (p *play) toggle(what *bool) func() tea.Cmd {
	return func() tea.Cmd {
		*what = !*what
		return tea.Batch(p.analyse(), p.beat())
	}
}

func (p *play) swap() tea.Cmd {
	p.sit.Swap()
	p.say("Sides are swapped: %s is %s, %s is %s", p.side(0), p.sit.Terms.Seats[0], p.side(1), p.sit.Terms.Seats[1])
	return p.changed()
}

// helper is who plays for a person that hands over a side.
const helper = "level:8"

func (p *play) hand() tea.Cmd {
	side, to := p.sit.Turn(), helper
	if !p.person() {
		to = sitting.Person
	}
	p.sit.Seat(side, to)
	cmd := p.changed()
	p.say("%s is played by %s now", p.side(side), to)
	return cmd
}

// chooseSeat asks who is to play which side.
func (p *play) chooseSeat() tea.Cmd {
	var list []entry
	for i, side := range p.sit.Record.Game.Sides {
		list = append(list, entry{strings.ToLower(side[:1]), side, "played by " + p.sit.Terms.Seats[i], func() tea.Cmd {
			return Replace(p.playerDialog(game.Side(i)))
		}})
	}
	return Push(newDialog(p.Common, "Who plays?", "Which side is to be played by somebody else?", list...))
}

func (p *play) playerDialog(side game.Side) Screen {
	var list []entry
	for _, name := range append([]string{sitting.Person}, playerNames()...) {
		list = append(list, entry{text: name, do: func() tea.Cmd {
			p.sit.Seat(side, name)
			p.say("%s is played by %s now", p.side(side), name)
			return tea.Sequence(Pop(), p.changed())
		}})
	}
	return newDialog(p.Common, "Who plays "+p.side(side)+"?", "The game goes on from here.", list...)
}

func (p *play) pause() tea.Cmd {
	if r, _ := p.sit.Result(); r.Over() {
		return nil
	}
	p.sit.Pause(!p.sit.Paused(), p.Now())
	if p.sit.Paused() {
		p.say("Paused: p goes on")
	} else {
		p.say("")
	}
	return p.changed()
}

func (p *play) resign() tea.Cmd {
	if r, _ := p.sit.Result(); r.Over() {
		return nil
	}
	side := p.me()
	return Push(newConfirm(p.Common, "Resign?", p.side(side)+" loses the game then.", "Yes, resign", func() tea.Cmd {
		p.complain(p.sit.Resign(side))
		return p.finished(p.changed())
	}))
}

// me is the side of the person at the terminal: the one to move, if both are.
func (p *play) me() game.Side {
	side := p.sit.Turn()
	if p.seats[side] != nil && p.seats[side.Other()] == nil {
		return side.Other()
	}
	return side
}

func (p *play) zoom(by int) func() tea.Cmd {
	return func() tea.Cmd {
		now := int(p.view.Scale)
		p.Choices.Zoom = max(0, min(now+by, 2))
		p.fit()
		_ = p.Store.SaveChoices(p.Choices) // what is seen has changed, kept or not
		return nil
	}
}

// again begins another game with the same terms.
func (p *play) again() tea.Cmd {
	begin := func() tea.Cmd {
		s, err := sitting.New(p.sit.Record.Game, p.sit.Record.Setup, p.sit.Terms, p.Now())
		if err == nil {
			err = p.Store.Shelve(p.Now())
		}
		if err != nil {
			p.complain(err)
			return nil
		}
		return Replace(newPlay(p.Common, s))
	}
	if r, _ := p.sit.Result(); r.Over() || p.sit.Ply() == 0 {
		return begin()
	}
	return Push(newConfirm(p.Common, "A new game?", "The game on the board goes to the saved games.", "Yes, a new game", begin))
}

func (p *play) escape() tea.Cmd {
	if len(p.choice.cells) > 0 {
		p.choice.cells = nil
		return nil
	}
	return Pop()
}

// overDialog offers what can be done after a game.
func (p *play) overDialog() Screen {
	r, why := p.sit.Result()
	return newDialog(p.Common, p.outcome(r, why), "What now?",
		entry{"n", "New game", "with the same players", func() tea.Cmd { return tea.Sequence(Pop(), p.again()) }},
		entry{"s", "Save", "keep this one", func() tea.Cmd { return Replace(newSave(p.Common, p.sit.Record)) }},
		entry{"u", "Undo", "take the last move back", func() tea.Cmd { return tea.Sequence(Pop(), p.undo()) }},
		entry{"q", "Home", "", Home},
	)
}
