package dialogue

import (
	"slices"
	"strings"
)

// mobility are wrong rules of moves, those about their length first. They also change when a player has
// to pass and which moves a game needs.
var mobility = map[string][2][]Fault{
	"neighbors": {
		{"counts-own", "counts-enemy", "counts-one-more", "counts-one-less", "counts-beside", "counts-slanted", "shorter", "longer", "any-length"},
		{"any-direction", "no-diagonals", "only-diagonals", "no-jump-enemy", "no-jump-own", "own-target", "no-capture", "enemy-piece"},
	},
	"loa": {
		{"counts-own", "counts-enemy", "counts-one-less", "counts-one-more", "counts-ahead", "counts-around", "wrong-diagonal", "row-for-column", "shorter", "longer", "any-length"},
		{"any-direction", "no-diagonals", "jumps-enemy", "no-jump-own", "own-target", "no-capture", "enemy-piece"},
	},
	"othello": {nil, {
		"on-pits", "no-diagonals", "no-vertical", "no-horizontal", "no-upward", "no-leftward", "no-downward", "no-rightward", "no-up-left", "no-up-right",
		"no-down-left", "no-down-right", "lines-of-one", "open-lines", "edges-wrap", "needs-no-flip", "any-empty", "pits-as-enemy", "pits-as-own",
	}},
	"chess": {nil, {
		"king-two", "king-straight", "knight-tall", "knight-wide", "rook-jumps", "bishop-jumps", "queen-jumps", "queen-as-rook", "queen-as-bishop", "knight-blocked",
		"pawn-takes-ahead", "pawn-slants", "pawn-double-ever", "pawn-leaps", "pawn-no-double", "pawn-back", "pawn-no-take", "own-target", "no-capture", "enemy-piece",
	}},
}

// trial is a move that the judged program accepted or refused.
type trial struct {
	at       position
	line     string
	accepted bool
}

// witness is the evidence about wrong rules of moves.
type witness struct {
	wrong, right []trial // a sample
	seen         int     // right ones
	known        []Fault // the rules that explain what was wrong
	sure         bool    // they explain nearly all of it
	decisions    map[string]decisions
	misplaced    map[string]bool // how boards were wrong
	plays        int             // players that may move, and do
}

// Limits of the samples.
const (
	mostTrials = 200
	everyTrial = 16 // right ones, of which there are many
)

// try records whether a right program would accept or refuse the move, too.
func (w *witness) try(t trial, right bool) {
	switch {
	case !right && len(w.wrong) < mostTrials:
		w.wrong = append(w.wrong, t)
	case right:
		if w.seen++; w.seen%everyTrial == 0 && len(w.right) < mostTrials {
			w.right = append(w.right, t)
		}
	}
}

// Conclude decides which few wrong rules of moves explain most of the moves that were wrongly accepted or
// refused, and returns them. It leaves out moves that skip reports.
func (e *Examiner) Conclude(skip func(line string) bool) []Fault {
	e.known = nil
	rest := slices.DeleteFunc(slices.Clone(e.wrong), func(t trial) bool { return skip(t.line) })
	const most = 3
	all := len(rest)
	defer func() { e.sure = 10*len(rest) <= all }()
	for len(e.known) < most {
		best, count := Fault(""), max(1, len(rest)/10)
		for _, f := range slices.Concat(mobility[e.Game][0], mobility[e.Game][1]) {
			p := e.having(e.known).With(f)
			if n := agreeing(p, rest); n > count && 20*agreeing(p, e.right) >= 19*len(e.right) {
				best, count = f, n
			}
		}
		if best == "" {
			break
		}
		e.known = append(e.known, best)
		p := e.having(e.known)
		rest = slices.DeleteFunc(rest, func(t trial) bool { return agreeing(p, []trial{t}) == 1 })
	}
	return e.known
}

// agreeing counts the moves that a program accepts or refuses as the judged one does.
func agreeing(p Program, list []trial) (n int) {
	for _, t := range list {
		if (p.made(t.at, t.line).why == "") == t.accepted {
			n++
		}
	}
	return n
}

// having returns the program with wrong rules.
func (p Program) having(list []Fault) Program {
	for _, f := range list {
		p = p.With(f)
	}
	return p
}

// Excused reports whether the wrong rules of moves, which cost points elsewhere, explain an observation.
func (e *Examiner) Excused(o Observation) bool {
	return o.Excuse != nil && len(e.known) > 0 && o.Excuse(e.known)
}

// ofMoves reports whether a wrong rule is one of moves, which Conclude decides about.
func (e *Examiner) ofMoves(f Fault) bool {
	return slices.Contains(mobility[e.Game][0], f) || slices.Contains(mobility[e.Game][1], f)
}

// onlyRule reports whether a move is invalid by one rule only, as all are in games without rules of moves here.
func (e *Examiner) onlyRule(at position, line string) bool {
	return mobility[e.Game][1] == nil || slices.ContainsFunc(slices.Concat(mobility[e.Game][0], mobility[e.Game][1]), func(f Fault) bool { return e.With(f).made(at, line).why == "" })
}

// Blame returns the one wrong rule, besides those of moves, that explains all of some checks, wrong and right ones.
func (e *Examiner) Blame(checks []Observation) (m Mutant, ok bool) {
	if !slices.ContainsFunc(checks, func(o Observation) bool { return !o.OK }) {
		return m, false
	}
	for _, m := range Mutants(e.Game) {
		fault := []Fault{Fault(m.Name)}
		if m.Kind == RuleMutant && !e.ofMoves(fault[0]) && !slices.ContainsFunc(checks, func(o Observation) bool { return !o.Excuse(fault) }) {
			return m, true
		}
	}
	return m, false
}

// Concluded describes the concluded wrong rules that cost points of a feature. It returns "" unless they explain
// nearly all wrong moves.
func (e *Examiner) Concluded(feature string) string {
	var says []string
	if !e.sure {
		return ""
	}
	for _, m := range Mutants(e.Game) {
		own := "moves"
		switch f := Fault(m.Name); {
		case !slices.Contains(e.known, f):
			continue
		case slices.Contains(mobility[e.Game][0], f):
			own = "distance"
		case f == "on-pits":
			own = "pits"
		case e.Game == "chess" && f != "own-target" && f != "no-capture" && f != "enemy-piece":
			own = "pieces"
		}
		if own == feature {
			says = append(says, m.Description)
		}
	}
	return strings.Join(says, ", and ")
}
