// Package mutant is a gallery of wrong variants of the five console programs,
// each one small change of a rule or a text, and named: the mistakes that
// students make. The judge compares a failing program with them to say what it
// does, and they measure the judge.
//
// [Gallery] lists those of a game.
package mutant

import "quintet/judge/dialogue"

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
	for _, t := range texts {
		if t.games == "" || hasWord(t.games, name) {
			list = append(list, t.Mutant)
		}
	}
	return list
}

// rule makes the mutant of a fault.
func rule(f dialogue.Fault, says string) Mutant {
	return Mutant{Name: string(f), Kind: Rule, Says: says, change: func(p *dialogue.Program) { *p = p.With(f) }}
}
