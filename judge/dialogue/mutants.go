package dialogue

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
