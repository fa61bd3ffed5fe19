// Package mutant is a gallery of wrong variants of the five console programs,
// each one small change of a rule or a text, and named: the mistakes that
// students make. The judge compares a failing program with them to say what it
// does, and they measure the judge.
//
// [Gallery] lists those of a game.
package mutant

import (
	"slices"

	"quintet/judge/dialogue"
)

// Kind says what a mutant gets wrong.
type Kind string

// The kinds of mistakes.
const (
	Rule  Kind = "rule"        // a rule of the game or of its course of events
	Text  Kind = "text"        // words, or what is printed when
	Space Kind = "white space" // blanks, tabs and line ends
)

// Mutant is a program with one mistake.
type Mutant struct {
	Name   string // short, unique in its game
	Kind   Kind
	Says   string // what it does wrong: "counts pits as discs"
	change func(*dialogue.Program)
}

// Of returns the mutant of a program.
func (m Mutant) Of(p dialogue.Program) dialogue.Program {
	q := p.Clone()
	m.change(&q)
	return q
}

// Gallery lists the mutants of a game, rules first; nil for an unknown game.
func Gallery(name string) []Mutant {
	var list []Mutant
	for _, r := range rules {
		if r.game == name {
			list = append(list, rule(r.fault, r.says))
		}
	}
	for _, r := range reading {
		if r.games == "" || hasWord(r.games, name) {
			list = append(list, rule(r.fault, r.says))
		}
	}
	for _, t := range texts {
		if t.games == "" || hasWord(t.games, name) {
			list = append(list, t.Mutant)
		}
	}
	return list
}

// For lists the mutants that can differ from a program on a board of its size:
// what happens after six in a row does not show where six have no room.
func For(p dialogue.Program) []Mutant {
	return slices.DeleteFunc(Gallery(p.Game), func(m Mutant) bool {
		return p.Game == "connect6" && (p.Size < room[m.Name] || m.Name == string(dialogue.FullAtTurnEnd) && p.Size%2 == 1)
	})
}

// room is how many rows a board of Connect6 has at least on which a mutant
// differs. On boards with an odd number the last turn is complete, so that a
// program is right that looks for a full board only then.
var room = map[string]int{
	"first-two": 2, "one-each": 2, "three-each": 2, "on-stones": 2, "board-at-turn-end": 2, "full-at-turn-end": 2, "both-colours": 6, "lines-wrap": 4,
	"five-wins": 5, "seven-wins": 6, "exactly-six": 7, "no-vertical": 6, "no-horizontal": 6, "no-falling": 6, "no-rising": 6, "only-ends": 6,
	"win-at-turn-end": 6, "full-first": 6, "winner-swapped": 6, "win-spelling": 6, "result-letters": 6,
}

// rule makes the mutant of a fault.
func rule(f dialogue.Fault, says string) Mutant {
	return Mutant{Name: string(f), Kind: Rule, Says: says, change: func(p *dialogue.Program) { *p = p.With(f) }}
}
