// Package oracle plays the games by a second, plain implementation of their
// rules, so that tests can compare the fast rules with it. It shares no code with
// the packages that play for real.
//
// The oracle of the course's games is the judge's dialogue without faults:
// package judge/dialogue is written from the specification and imports no rules.
// A game without a console brings a [Game] of its own; see own.go. Only tests
// import this package.
package oracle

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"quintet/judge/dialogue"
)

// The values of Game.Result.
const (
	Ongoing    = -1
	FirstWins  = 0
	SecondWins = 1
	Drawn      = 2
)

// Pass is the move of a side that has no other.
const Pass = "pass"

// Game is a game that is being played. It keeps no history, so it knows no
// repetition.
type Game interface {
	// Turn is 0 for the side that moves first in the game, 1 for the other. It
	// means nothing when the game is over.
	Turn() int
	// Moves are the legal moves in library notation, sorted: Pass alone when the
	// side must pass, none when the game is over, and none either where the course
	// leaves a position open: its chess has no pass.
	Moves() []string
	// Play makes one of Moves and panics on anything else.
	Play(move string)
	// Result is one of the constants above.
	Result() int
	// Cells are all cells row by row from the top left, one byte each, as in the
	// text of a position, with "." for empty ones.
	Cells() string
	// Left is the number of moves that the side to move still makes in this turn:
	// 1 or 2 in Connect6, 1 elsewhere.
	Left() int
}

// New starts a game. Size 0 is the usual size; pits are cells of Othello, such as
// "c4". The caller calls stop when it is done with the game.
func New(name string, size int, pits []string) (g Game, stop func(), err error) {
	if start, ok := own(name); ok {
		return start(), func() {}, nil
	}
	p, err := dialogue.New(name, size)
	if err != nil {
		return nil, nil, fmt.Errorf("oracle: %w", err)
	}
	c := &console{name: name, left: 1}
	setup := map[string][]string{"chess": {"1"}, "othello": append([]string{fmt.Sprint(len(pits))}, pits...)}[name]
	c.next, stop = iter.Pull(c.questions(p, setup))
	c.advance()
	c.passed = c.choice.Turn != 0
	if strings.Count(c.Cells(), "#") != len(pits) {
		stop()
		return nil, nil, fmt.Errorf("oracle: %s has no pits %v", name, pits)
	}
	return c, stop, nil
}

// console is a game of the course, played by answering its console program.
type console struct {
	name   string
	next   func() (dialogue.Choice, bool) // runs the program until it asks again
	choice dialogue.Choice                // what it asks
	lines  []string                       // the answers that are valid
	moves  []string                       // the same in library notation
	cells  [][]byte
	answer string
	passed bool // the program has passed the other side, which counts as a move here
	left   int
	over   bool
	talk   dialogue.Conversation // when it is over
}

// questions runs the program, first on the lines of the setup, and yields what it
// asks then; the reply is c.answer.
func (c *console) questions(p dialogue.Program, setup []string) iter.Seq[dialogue.Choice] {
	return func(yield func(dialogue.Choice) bool) {
		c.talk = p.Lead(func(choice dialogue.Choice) (line string, ok bool) {
			c.cells = choice.Cells
			if len(setup) > 0 {
				line, setup = setup[0], setup[1:]
				return line, true
			}
			ok = yield(choice) // Play sets the answer meanwhile
			return c.answer, ok
		})
	}
}

// advance runs the program until it asks for a move.
func (c *console) advance() {
	choice, ok := c.next()
	c.choice, c.over, c.moves = choice, !ok, nil
	if ok {
		c.lines = choice.Legal()
		for _, line := range c.lines {
			c.moves = append(c.moves, c.move(line))
		}
	}
}

func (c *console) Turn() int {
	if c.passed {
		return 1 - c.choice.Turn
	}
	return c.choice.Turn
}

func (c *console) Moves() []string {
	if c.passed {
		return []string{Pass}
	}
	return slices.Sorted(slices.Values(c.moves))
}

func (c *console) Play(move string) {
	i := slices.Index(c.moves, move)
	switch {
	case c.passed && move == Pass:
		c.passed = false
		return
	case c.passed, i < 0:
		panic(fmt.Sprintf("oracle: %q is not a legal move", move))
	}
	turn := c.choice.Turn
	c.answer = c.lines[i]
	c.advance()
	again := !c.over && c.choice.Turn == turn
	c.passed = again && c.name != "connect6"
	if c.left = 1; c.name == "connect6" && !again {
		c.left = 2
	}
}

func (c *console) Result() int {
	if !c.over {
		return Ongoing
	}
	end := c.talk.Output()
	for i, result := range []int{Drawn, FirstWins, SecondWins} {
		if strings.HasSuffix(end, c.talk.Results[i]) {
			return result
		}
	}
	panic("oracle: the game is over without a result")
}

func (c *console) Cells() string {
	text := ""
	for _, row := range c.cells {
		text += string(row)
	}
	if c.name == "chess" { // where the console has White in small letters
		text = strings.Map(swapCase, text)
	}
	return text
}

func (c *console) Left() int { return c.left }

// move returns a typed line in library notation.
func (c *console) move(line string) string {
	switch c.name {
	case "othello":
		return strings.ToLower(line)
	case "connect6":
		return line
	case "chess":
		line = strings.ToLower(line)
		return fmt.Sprintf("%c%d%c%d", line[0], 9-int(line[1]-'0'), line[3], 9-int(line[4]-'0'))
	}
	return strings.ReplaceAll(line, " ", "")
}

func swapCase(r rune) rune {
	if r == '.' {
		return r
	}
	return r ^ ('a' - 'A')
}
