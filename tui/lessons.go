package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/learn/lesson"
	"quintet/tui/paint"
)

// lessons is the screen of the lessons of a game.
type lessons struct {
	*exercise
	c     *shared
	game  game.Game
	steps []lesson.Step
	at    int
	turns [][]string // that reach the goal; nil if every turn does
}

// newLessons opens the first step.
func newLessons(c *shared, g game.Game) (screen, error) {
	steps, err := lesson.For(g.Name)
	if err != nil {
		return nil, fmt.Errorf("opening lessons: %w", err)
	}
	if len(steps) == 0 {
		return nil, errors.New(g.Title + " has no lessons")
	}
	l := &lessons{c: c, game: g, steps: steps}
	return l, l.load(0)
}

func (l *lessons) load(at int) error {
	s := &l.steps[at]
	checker, err := lesson.NewChecker(l.game.Name, s)
	if err != nil {
		return fmt.Errorf("opening a step: %w", err)
	}
	e, err := newExercise(l.c, l.game, checker.Start())
	if err != nil {
		return err
	}
	l.exercise, l.at, l.turns = e, at, nil
	if s.Goal == (lesson.Goal{}) {
		return nil
	}
	turns, err := checker.Turns(l.c.ctx)
	if err != nil {
		return fmt.Errorf("opening a step: %w", err)
	}
	for _, turn := range turns {
		l.turns = append(l.turns, game.FormatMoves(checker.Start(), turn))
	}
	return nil
}

func (l *lessons) title() string {
	return fmt.Sprintf("%s · step %d of %d: %s", l.game.Title, l.at+1, len(l.steps), l.steps[l.at].Title)
}

func (l *lessons) keys() []binding {
	return append([]binding{
		{"n", "next", "the next step", command(func() { l.step(1) })},
		{"b", "", "the step before", command(func() { l.step(-1) })},
	}, l.exerciseKeys(l.play)...)
}

// step goes to another step; after the last to the menu.
func (l *lessons) step(by int) {
	switch to := l.at + by; {
	case to < 0:
	case to == len(l.steps):
		l.c.home()
	default:
		l.c.notifyError(l.load(to))
	}
}

// play tries a move.
func (l *lessons) play(m game.Move) tea.Cmd {
	side := l.t.Turn()
	if !l.try(m) {
		return nil
	}
	if !l.t.Over() && l.t.Turn() == side && len(l.part) < 2 {
		return nil // the turn continues
	}
	if l.turns == nil || slices.ContainsFunc(l.turns, l.reaches) {
		l.phase, l.news = solved, l.steps[l.at].Done
	} else {
		l.phase, l.news = missed, l.steps[l.at].Hint
	}
	return nil
}

// reaches reports whether the moves played are a turn, in any order, or as much of it as
// ends the game.
func (l *lessons) reaches(turn []string) bool {
	for _, m := range l.part {
		if !slices.ContainsFunc(turn, func(w string) bool { return strings.EqualFold(w, m) }) {
			return false
		}
	}
	return len(l.part) == len(turn) || l.t.Over()
}

func (l *lessons) update(msg tea.Msg) tea.Cmd { return l.clicked(msg, l.play) }

func (l *lessons) draw(canvas *paint.Canvas, r paint.Rect) {
	s := &l.steps[l.at]
	l.drawWith(canvas, r, []paragraph{{s.Text, paint.Style{}}, {s.Task, paint.Style{FG: paint.Accent, Bold: true}}, {l.news, l.newsStyle()}})
}
