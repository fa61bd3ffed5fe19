package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quintet/game"
	"quintet/judge/dialogue"
)

// choice is one of the alternatives of a decision.
type choice struct {
	Name        string // in profile files
	Description string // what a program that follows it does
	change      func(*dialogue.Program)
}

// decision is a question about a game that the documents leave open.
type decision struct {
	ID      string // in section 7 of the specification: "D-07"; "" if it is not there
	Name    string // in profile files: "pass-board"
	Choices []choice
}

// Profile maps decisions to accepted choices. A decision without an entry accepts all
// choices, so the nil Profile accepts every alternative.
type Profile map[string][]string

// Strict accepts only our choice of every decision of a game.
func Strict(name string) Profile {
	p := Profile{}
	for _, d := range decisionsOf(name) {
		p[d.Name] = []string{d.Choices[0].Name}
	}
	return p
}

// variant is a program that a profile accepts.
type variant struct {
	Program dialogue.Program
	Follows []Follows
	chosen  map[string]int // choices by the names of decisions
}

// Follows is a choice that a program makes.
type Follows struct {
	ID          string `json:"id"`
	Decision    string `json:"decision"`
	Choice      string `json:"choice"`
	Description string `json:"says"`
	Default     bool   `json:"usual"` // our choice
}

// variant returns a program with some choices; of the other decisions it takes the first
// accepted choice.
func (p Profile) variant(right dialogue.Program, chosen map[string]int) variant {
	v := variant{right.Clone(), nil, map[string]int{}}
	for _, d := range decisionsOf(right.Game) {
		if d.Name == cells {
			continue // it changes what is sent
		}
		i, ok := chosen[d.Name]
		if !ok {
			i = max(0, slices.IndexFunc(d.Choices, func(c choice) bool { return p.accepts(d, c) }))
		}
		c := d.Choices[i]
		if c.change != nil {
			c.change(&v.Program)
		}
		v.chosen[d.Name] = i
		v.Follows = append(v.Follows, Follows{d.ID, d.Name, c.Name, c.Description, i == 0})
	}
	return v
}

// near returns the accepted variants that differ from another in one decision.
func (p Profile) near(right dialogue.Program, v variant) (list []variant) {
	for _, d := range decisionsOf(right.Game) {
		for i, c := range d.Choices {
			if now, ok := v.chosen[d.Name]; ok && i != now && p.accepts(d, c) {
				chosen := maps.Clone(v.chosen)
				chosen[d.Name] = i
				list = append(list, p.variant(right, chosen))
			}
		}
	}
	return list
}

func (p Profile) accepts(d decision, c choice) bool {
	return p[d.Name] == nil || slices.Contains(p[d.Name], c.Name)
}

// cells is the decision about how the judge sends answers: with any white space, as C++ streams
// read it, or one answer a line with a cell as one word, which every program should read.
const cells = "cells"

// anySpace reports whether programs must read answers with any white space.
func (p Profile) anySpace() bool { return len(p[cells]) == 1 && p[cells][0] == "any" }

// Tidy removes from the printed boards of a class what accepted alternatives add: blanks at
// the ends of lines, and blank lines.
func (p Profile) Tidy(printed string) string {
	other := func(d decision) bool {
		return slices.ContainsFunc(d.Choices[1:], func(c choice) bool { return p.accepts(d, c) })
	}
	if other(lineEnds) {
		printed = strings.ReplaceAll(printed, " \n", "\n")
	}
	if other(blankLines) {
		printed = dialogue.WithoutBlankLines(printed)
	}
	return printed
}

// set sets a decision.
func (p Profile) set(key, value, name string) error {
	i := slices.IndexFunc(decisionsOf(name), func(d decision) bool { return d.Name == key || d.ID == key && key != "" })
	if i < 0 {
		return fmt.Errorf("%q is not a decision of %s or a setting: use %s", key, name, game.Alternatives(keys(name)))
	}
	d := decisionsOf(name)[i]
	p[d.Name] = nil
	for word := range strings.SplitSeq(value, ",") {
		word = strings.TrimSpace(word)
		if !slices.ContainsFunc(d.Choices, func(c choice) bool { return c.Name == word }) {
			return fmt.Errorf("%s %q: expected %s", d.Name, word, game.Alternatives(d.names()))
		}
		p[d.Name] = append(p[d.Name], word)
	}
	return nil
}

func (d decision) names() (list []string) {
	for _, c := range d.Choices {
		list = append(list, c.Name)
	}
	return list
}

// decisionsOf lists the decisions of a game, numbered as in section 7 of the specification.
func decisionsOf(name string) []decision {
	common := []decision{blankLines, lastLineEnd, reading, letterCase, extraOutput}
	switch name {
	case "neighbors":
		return append([]decision{lineEnds, longCells, passBoard, {"D-08", "stuck", stuck}}, common...)
	case "othello":
		return append([]decision{paddedRows}, common...)
	case "loa":
		return append([]decision{lineEnds, longCells, {"D-10", "stuck", stuck}}, common...)
	case "connect6":
		return append([]decision{lineEnds, stonePrompt}, common...)
	}
	return common
}

var (
	lineEnds = decision{"D-03", "line-ends", []choice{
		{"none", "prints no blanks at the ends of lines of the board", nil},
		{"rows", "prints a trailing blank at the end of every row of the board", func(p *dialogue.Program) { p.Layout.CellEnd = " " }},
		{"all", "prints a trailing blank at the end of every line of the board", func(p *dialogue.Program) { p.Layout.CellEnd, p.Layout.ColEnd = " ", " " }},
	}}
	blankLines = decision{"D-01", "blank-lines", []choice{
		{"none", "prints no blank lines", nil},
		{"after-board", "prints a blank line after every board", func(p *dialogue.Program) { p.Words.AfterBoard = "\n" }},
		{"before-result", "prints a blank line before the result", func(p *dialogue.Program) { p.Words.BeforeEnd = "\n" }},
		{"any", "prints blank lines, or ends lines after prompts", tolerating(dialogue.BlankLines)},
	}}
	letterCase = decision{"", "letter-case", []choice{
		{"exact", "prints texts in the letter case of the specification", nil},
		{"any", "prints texts in another letter case", tolerating(dialogue.LetterCase)},
	}}
	extraOutput = decision{"", "extra-output", []choice{
		{"none", "prints no lines of its own", nil},
		{"lines", "prints lines of its own, such as a greeting", tolerating(dialogue.ExtraLines)},
	}}
	longCells = decision{"D-04", "long-cells", []choice{
		{"invalid", "refuses cells of more than two characters", nil},
		{"prefix", "looks only at the first two characters of a cell", withFault(dialogue.LengthPrefix)},
	}}
	passBoard = decision{"D-07", "pass-board", []choice{
		{"printed", "prints the board before a pass", nil},
		{"not-printed", "prints no board before a pass", withFault(dialogue.PassNoBoard)},
	}}
	paddedRows = decision{"D-03b", "line-ends", []choice{
		{"rows", "prints a blank at the end of the rows of the board", nil},
		{"all", "prints a trailing blank at the end of the rows and of the header of the board", func(p *dialogue.Program) { p.Layout.ColEnd = " " }},
		{"none", "prints no blank at the end of the rows of the board", func(p *dialogue.Program) { p.Layout.CellEnd = "" }},
	}}
	stonePrompt = decision{"D-12", "prompt", []choice{
		{"turn", `prompts with "B's turn: "`, nil},
		{"move", `prompts with "B's move: "`, func(p *dialogue.Program) { p.Words.Prompt = "%s's move: " }},
		{"player", `prompts with "Player B, make your move: "`, func(p *dialogue.Program) { p.Words.Prompt = "Player %s, make your move: " }},
	}}
	lastLineEnd = decision{"D-30", "last-line", []choice{
		{"ended", "ends its last line", nil},
		{"open", "prints no line end after the result", func(p *dialogue.Program) { p.NoFinalLine = true }},
	}}
	reading = decision{"D-32", cells, []choice{
		{"any", "reads answers with any white space", nil},
		{"line", "reads one answer a line, with a cell as one word", nil},
	}}
	stuck = []choice{
		{"pass", "passes for every player without a legal move", nil},
		{"ask", "asks a player without a legal move, because the document does not mention it", withFault(dialogue.StuckAsks)},
	}
)

func tolerating(t dialogue.Tolerance) func(*dialogue.Program) {
	return func(p *dialogue.Program) { p.Tolerates |= t }
}

func withFault(f dialogue.Fault) func(*dialogue.Program) {
	return func(p *dialogue.Program) { *p = p.With(f) }
}
