// Package suite generates the games that a judge plays with a program: short games that
// each show a known mistake, complete random games, and every kind of invalid answer named
// by the specification.
//
// [Games] returns the games for a program. The same game, size and seed give the same
// games. Input whose answer the specification does not define is optional.
package suite

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"quintet/judge/dialogue"
)

// Game is the input of one run of a program.
type Game struct {
	Name  string // its purpose
	Lines []string
}

// Options configure Games.
type Options struct {
	Seed        uint64
	Unspecified bool // also send input whose answer the specification does not define
	AnySpace    bool // also send answers over several lines, and several in one line (D-32)
}

// Games returns the games for a program, shortest first. Games with unusual white space
// come last, because a program that fails there may have other mistakes too.
func Games(p dialogue.Program, o Options) []Game {
	list := slices.Concat(embedded(p), byHand[p.Game], sized(p), outside(p))
	random := Random(p, o.Seed)
	list = append(list, random...)
	list = slices.DeleteFunc(list, func(g Game) bool { return p.Play(g.Lines, "").Open })
	if o.Unspecified {
		list = append(list, unspecified(p)...)
	}
	if p.Game == "chess" && !o.AnySpace {
		for i, g := range list {
			list[i].Lines = apart(g.Lines)
		}
		list = slices.CompactFunc(list, func(a, b Game) bool { return slices.Equal(a.Lines, b.Lines) })
	}
	byWeight := func(a, b Game) int { return cmp.Compare(weight(p, a), weight(p, b)) }
	slices.SortStableFunc(list, byWeight)
	if !o.AnySpace {
		return list
	}
	atWill := whitespaceGames(p, random[:min(len(random), maxWhitespaceGames)], rand.New(rand.NewPCG(o.Seed, 3)))
	slices.SortStableFunc(atWill, byWeight)
	return append(list, atWill...)
}

// Random returns random games of every style. They suit a program with faults, too.
func Random(p dialogue.Program, seed uint64) (list []Game) {
	r := rand.New(rand.NewPCG(seed, 1))
	for _, k := range kinds(p) {
		list = append(list, k.play(p, r))
	}
	return list
}

// apart writes chess moves that share a line on lines of their own, for programs that read lines.
func apart(lines []string) (list []string) {
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			list = append(list, line)
		}
		for pair := range slices.Chunk(strings.Fields(line), 2) {
			list = append(list, strings.Join(pair, " "))
		}
	}
	return list
}

// maxWhitespaceGames limits the random games that are repeated with unusual white space.
const maxWhitespaceGames = 4

// weight orders games by length, those with machines last.
func weight(p dialogue.Program, g Game) int {
	if p.Game == "chess" && len(g.Lines) > 0 && g.Lines[0] != "1" {
		return 10_000 + len(g.Lines)
	}
	return len(g.Lines)
}
