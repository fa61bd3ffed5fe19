package suite

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"quintet/judge/dialogue"
)

// whitespaceGames returns games with unusual white space: answers over several lines, and
// several answers in one line. A program that reads input as specified answers as if each
// answer had its own line. The first games are named after the mistakes that they show.
func whitespaceGames(p dialogue.Program, games []Game, r *rand.Rand) []Game {
	start, valid, invalid := opening(p)
	apart := strings.Join(parts(p, valid), " ")
	list := []Game{
		{string(dialogue.DropsLine), append(slices.Clone(start), invalid+" "+valid)},
		{string(dialogue.DropsRest), append(slices.Clone(start), valid+" "+invalid)},
		{string(dialogue.ReadsLines), slices.Concat(start, strings.Fields(apart))},
		{string(dialogue.ReadsWords), append(slices.Clone(start), apart)},
	}
	for _, g := range games {
		if !p.Machines(g.Lines) && !p.Play(g.Lines, "").Open {
			list = append(list, Game{g.Name, respace(p, g.Lines, r)})
		}
	}
	return list
}

// opening returns the input before the first move, a first move, and a move that is never
// legal.
func opening(p dialogue.Program) (start []string, valid, invalid string) {
	switch p.Game {
	case "othello":
		return []string{"0"}, fmt.Sprintf("%c%d", 'B'+p.Size/2, p.Size/2), "A1"
	case "connect6":
		return nil, "A0", "a0"
	case "chess":
		return []string{"1"}, "E7 E5", "E7 E7"
	case "loa":
		return nil, "a1 c1", "d8 d4"
	}
	return nil, "d0 d2", "d8 d4"
}

// word matches a part of an answer: a letter or a number.
var word = regexp.MustCompile(`[A-Za-z]|[+-]?[0-9]+`)

// parts splits an answer where white space is allowed.
func parts(p dialogue.Program, line string) []string {
	if p.Game == "neighbors" || p.Game == "loa" {
		return strings.Fields(line)
	}
	return word.FindAllString(line, -1)
}

// respace changes the white space of lines at random.
func respace(p dialogue.Program, lines []string, r *rand.Rand) []string {
	var w strings.Builder
	for i, line := range lines {
		if i > 0 {
			w.WriteString([]string{" ", "\n", "\n", "\n", "\n"}[r.IntN(5)])
		}
		if r.IntN(5) > 0 {
			w.WriteString(line)
			continue
		}
		for k, part := range parts(p, line) {
			if k > 0 {
				w.WriteString([]string{" ", "\n", "\t", "  "}[r.IntN(4)])
			}
			w.WriteString(part)
		}
	}
	return strings.Split(w.String(), "\n")
}
