package dialogue

import (
	"slices"
)

// MutantKind is the kind of mistake of a mutant.
type MutantKind string

// The kinds of mistakes.
const (
	RuleMutant  MutantKind = "rule"        // a rule of the game or the dialogue
	TextMutant  MutantKind = "text"        // texts, or when they are printed
	spaceMutant MutantKind = "white space" // blanks, tabs and line ends
)

// Mutant is a program with one mistake.
type Mutant struct {
	Name        string // short, unique in its game
	Kind        MutantKind
	Description string // what it does wrong: "counts pits as discs"
	change      func(*Program)
}

// Of returns the program with the mistake.
func (m Mutant) Of(p Program) Program {
	q := p.Clone()
	m.change(&q)
	return q
}

// Mutants lists the mutants of a game, rules first; nil for an unknown game.
func Mutants(name string) []Mutant {
	var list []Mutant
	for _, r := range ruleMutants {
		if r.games == "" || hasWord(r.games, name) {
			with := func(p *Program) { *p = p.With(r.fault) }
			list = append(list, Mutant{string(r.fault), RuleMutant, r.says, with})
		}
	}
	for _, t := range textMutants {
		if t.games == "" || hasWord(t.games, name) {
			list = append(list, t.Mutant)
		}
	}
	return list
}

// MutantsFor lists the mutants that can differ from a program on a board of its
// size: a wrong rule about six in a row does not show where six do not fit.
func MutantsFor(p Program) []Mutant {
	return slices.DeleteFunc(Mutants(p.Game), func(m Mutant) bool {
		return p.Game == "connect6" && (p.Size < minRows[m.Name] || m.Name == string(fullAtTurnEnd) && p.Size%2 == 1)
	})
}

// minRows is the smallest board of Connect6 on which a mutant differs. On boards
// with an odd number of rows the last turn is complete, so a program may look for a
// full board only at the end of a turn.
var minRows = map[string]int{
	"first-two": 2, "one-each": 2, "three-each": 2, "on-stones": 2, "board-at-turn-end": 2, "full-at-turn-end": 2, "both-colours": 6, "lines-wrap": 4,
	"five-wins": 5, "seven-wins": 6, "exactly-six": 7, "no-vertical": 6, "no-horizontal": 6, "no-falling": 6, "no-rising": 6, "only-ends": 6,
	"win-at-turn-end": 6, "full-first": 6, "winner-swapped": 6, "win-spelling": 6, "result-letters": 6,
}
