// Package suite makes the games that a judge plays with a program: short ones
// that show a known mistake each, random ones to their ends, and invalid
// answers of every kind that the specification names.
//
// [Games] returns those of a game. The same game, size and seed give the same
// games. What the specification leaves open is only typed if it is asked for.
package suite

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"quintet/judge/dialogue"
)

// Game is what is typed in one run of a program.
type Game struct {
	Name  string // what it is for
	Lines []string
}

// Options are the choices that Games leaves open.
type Options struct {
	Seed        uint64
	Unspecified bool // type what the specification leaves open, too
	Random      int  // random games; 0 is 12
}

// Games returns the games for a program, the shortest first; behind them those
// with white space at will, as a program that is wrong there may have other
// mistakes, too.
func Games(p dialogue.Program, o Options) []Game {
	list := slices.Concat(embedded(p), byHand[p.Game], sized(p), outside(p))
	r := rand.New(rand.NewPCG(o.Seed, 1))
	var random []Game
	for _, k := range kinds(p)[:cmp.Or(o.Random, 12)] {
		random = append(random, k.play(p, r))
	}
	list = append(list, random...)
	list = slices.DeleteFunc(list, func(g Game) bool { return p.Play(g.Lines, "").Open })
	if o.Unspecified {
		list = append(list, unspecified(p)...)
	}
	byWeight := func(a, b Game) int { return cmp.Compare(weight(p, a), weight(p, b)) }
	slices.SortStableFunc(list, byWeight)
	atWill := whitespaceGames(p, random[:min(len(random), maxWhitespaceGames)], rand.New(rand.NewPCG(o.Seed, 3)))
	slices.SortStableFunc(atWill, byWeight)
	return append(list, atWill...)
}

// maxWhitespaceGames is how many of the random games are played with white space at will,
// too.
const maxWhitespaceGames = 4

// weight is what games are ordered by: their length, machines last.
func weight(p dialogue.Program, g Game) int {
	if p.Game == "chess" && len(g.Lines) > 0 && g.Lines[0] != "1" {
		return 10_000 + len(g.Lines)
	}
	return len(g.Lines)
}

// Search looks for a short game for each mutant of a program, in so many random
// games. Mutants that behave as the program does in all of them get none.
func Search(p dialogue.Program, seed uint64, games int) (list []Game) {
	r := rand.New(rand.NewPCG(seed, 2))
	ks := kinds(p)
	var pool []Game
	for i := range games {
		pool = append(pool, ks[i%len(ks)].play(p, r))
	}
	pool = append(pool, rareGames(p, r)...)
	s := &searcher{right: p, pool: pool}
	for _, m := range dialogue.Mutants(p.Game) {
		if g, ok := s.shortest(m); ok {
			list = append(list, g)
		}
	}
	return append(list, s.distinguishing(list)...)
}
