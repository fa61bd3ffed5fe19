// Package similar finds similar programs in a course. It compares tokens by winnowing (Schleimer,
// Wilkerson, Aiken: Winnowing, SIGMOD 2003), treating all names and literals alike, and mistakes that
// the judge found in few programs. Similar programs need not be copies: a teacher decides.
package similar

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Source is a file of a program.
type Source struct {
	Name, Text string
}

// Program is what a student handed in.
type Program struct {
	Name     string
	Sources  []Source
	Mistakes []string // names of its mistakes, from a verdict
}

// Pair is two programs.
type Pair struct {
	A, B       int     // indices of the programs
	Similarity float64 // from 0 to 1, of tokens and mistakes
	Tokens     float64 // from 0 to 1
	Rarity     float64 // from 0 to 1, of the mistakes
	Mistakes   []string
	LinesA     []Line // lines that the programs share
	LinesB     []Line
}

// Line is a line of a program.
type Line struct {
	Source int // index
	Line   int // from 1
}

// Winnowing hashes grams of gram tokens and chooses one hash in each window, so it finds every common
// run of gram+window-1 tokens.
const (
	gram   = 9
	window = 4
)

// maxTokens is how many tokens of a program are compared, which bounds the memory of a comparison.
const maxTokens = 12_000

// prints maps the chosen hashes of a program to the lines where they begin and end.
type prints map[uint64][2]Line

// fingerprints returns the chosen hashes of a program, from its first tokens.
func fingerprints(p Program, most int) prints {
	all, count := prints{}, 0
	for i, s := range p.Sources {
		list := tokens(s.Text, strings.HasSuffix(strings.ToLower(s.Name), ".py"))
		list = list[:min(len(list), most-count)]
		count += len(list)
		var hashes []uint64
		for k := 0; k+gram <= len(list); k++ {
			h := uint64(0)
			for _, t := range list[k : k+gram] {
				h = mix(h ^ t.kind)
			}
			hashes = append(hashes, h)
		}
		for _, k := range winnow(hashes) {
			if _, known := all[hashes[k]]; !known {
				all[hashes[k]] = [2]Line{{i, list[k].line}, {i, list[k+gram-1].line}}
			}
		}
	}
	return all
}

// mix spreads the bits of a number: the finalizer of SplitMix64.
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// winnow returns the index of the smallest hash of each window, the last one of equal hashes.
func winnow(hashes []uint64) (chosen []int) {
	for i := 0; i+window <= len(hashes); i++ {
		least := i
		for k := i; k < i+window; k++ {
			if hashes[k] <= hashes[least] {
				least = k
			}
		}
		if len(chosen) == 0 || chosen[len(chosen)-1] != least {
			chosen = append(chosen, least)
		}
	}
	return chosen
}

// Compare returns all pairs of programs that share something, the most similar first. The
// base, which is code that the course gave out, does not count.
func Compare(list []Program, base []Source) []Pair {
	given := fingerprints(Program{Sources: base}, math.MaxInt)
	all := make([]prints, len(list))
	owners := map[uint64][]int{}
	for i, p := range list {
		all[i] = fingerprints(p, maxTokens)
		for h := range all[i] {
			if _, ok := given[h]; ok {
				delete(all[i], h)
				continue
			}
			owners[h] = append(owners[h], i)
		}
	}
	total := make([]float64, len(list))
	for h, who := range owners {
		for _, i := range who {
			total[i] += weight(len(owners[h]), len(list))
		}
	}
	shared := sharedWeights(owners, len(list))
	rare := mistakes(list)
	var pairs []Pair
	for a := range list {
		for b := a + 1; b < len(list); b++ {
			p := Pair{A: a, B: b, Mistakes: both(list[a].Mistakes, list[b].Mistakes)}
			if s := shared[a*len(list)+b]; s > 0 {
				p.Tokens = 2 * s / (total[a] + total[b])
			}
			for _, m := range p.Mistakes {
				p.Rarity = 1 - (1-p.Rarity)*(1-rare[m])
			}
			p.Similarity = 1 - (1-p.Tokens)*(1-p.Rarity)
			if p.Similarity > 0 {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int { return cmp.Compare(b.Similarity, a.Similarity) })
	for i := range pairs[:min(len(pairs), shownPairs)] {
		pairs[i].mark(all)
	}
	return pairs
}

// shownPairs is the maximum number of pairs whose common lines are marked.
const shownPairs = 100

// sharedWeights adds up the weights of common hashes for each pair of n programs.
func sharedWeights(owners map[uint64][]int, n int) []float64 {
	shared := make([]float64, n*n)
	for _, who := range owners {
		w := weight(len(who), n)
		for i, a := range who {
			for _, b := range who[i+1:] {
				shared[a*n+b] += w
			}
		}
	}
	return shared
}

// weight returns the weight of a hash that some of n programs have. One that most have says little.
func weight(some, n int) float64 { return math.Log(float64(n+1) / float64(some)) }

// mistakes returns how much each mistake raises a similarity: 0 if all programs have it, at most rarest.
func mistakes(list []Program) map[string]float64 {
	const rarest = 0.3
	counts, rare := map[string]int{}, map[string]float64{}
	for _, p := range list {
		for _, m := range both(p.Mistakes, p.Mistakes) {
			counts[m]++
		}
	}
	for m, n := range counts {
		if n > 1 && len(list) > 2 {
			rare[m] = rarest * math.Log(float64(len(list))/float64(n)) / math.Log(float64(len(list))/2)
		}
	}
	return rare
}

// both returns the words that two lists share, once each.
func both(a, b []string) (list []string) {
	for _, word := range a {
		if slices.Contains(b, word) && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// mark lists the lines that the programs of a pair share.
func (p *Pair) mark(all []prints) {
	for h, a := range all[p.A] {
		if b, ok := all[p.B][h]; ok {
			p.LinesA, p.LinesB = append(p.LinesA, lines(a)...), append(p.LinesB, lines(b)...)
		}
	}
	p.LinesA, p.LinesB = sorted(p.LinesA), sorted(p.LinesB)
}

// lines lists the lines from one to another.
func lines(at [2]Line) (list []Line) {
	for n := at[0].Line; n <= at[1].Line; n++ {
		list = append(list, Line{at[0].Source, n})
	}
	return list
}

func sorted(list []Line) []Line {
	slices.SortFunc(list, func(a, b Line) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line)) })
	return slices.Compact(list)
}
