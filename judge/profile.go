package judge

import (
	"fmt"
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
	ID      string // in section 7 of the specification: "D-07"
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
}

// Follows is a choice that a program makes.
type Follows struct {
	ID          string `json:"id"`
	Decision    string `json:"decision"`
	Choice      string `json:"choice"`
	Description string `json:"says"`
	Default     bool   `json:"usual"` // our choice
}

// variants returns the programs that the profile accepts, starting with those closest to
// our choices.
func (p Profile) variants(right dialogue.Program) []variant {
	list := []variant{{Program: right}}
	for _, d := range decisionsOf(right.Game) {
		var next []variant
		for _, v := range list {
			for i, c := range d.Choices {
				if allowed := p[d.Name]; allowed != nil && !slices.Contains(allowed, c.Name) {
					continue
				}
				q := v.Program.Clone()
				if c.change != nil {
					c.change(&q)
				}
				next = append(next, variant{q, append(slices.Clip(v.Follows), Follows{d.ID, d.Name, c.Name, c.Description, i == 0})})
			}
		}
		list = next
	}
	slices.SortStableFunc(list, func(a, b variant) int { return a.departures() - b.departures() })
	return list
}

func (v variant) departures() (n int) {
	for _, f := range v.Follows {
		if !f.Default {
			n++
		}
	}
	return n
}

// set sets a decision.
func (p Profile) set(key, value, name string) error {
	i := slices.IndexFunc(decisionsOf(name), func(d decision) bool { return d.Name == key || d.ID == key })
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
	switch name {
	case "neighbors":
		return []decision{
			lineEnds, longCells,
			{"D-07", "pass-board", []choice{
				{"printed", "prints the board before a pass", nil},
				{"not-printed", "prints no board before a pass", withFault(dialogue.PassNoBoard)},
			}},
			{"D-08", "stuck", stuck},
		}
	case "othello":
		return []decision{
			{"D-03b", "line-ends", []choice{
				{"rows", "prints a blank at the end of the rows of the board", nil},
				{"all", "prints a trailing blank at the end of the rows and of the header of the board", func(p *dialogue.Program) { p.Layout.ColEnd = " " }},
				{"none", "prints no blank at the end of the rows of the board", func(p *dialogue.Program) { p.Layout.CellEnd = "" }},
			}},
		}
	case "loa":
		return []decision{lineEnds, blankLines, longCells, {"D-10", "stuck", stuck}}
	case "connect6":
		return []decision{
			lineEnds, blankLines,
			{"D-12", "prompt", []choice{
				{"turn", `prompts with "B's turn: "`, nil},
				{"move", `prompts with "B's move: "`, func(p *dialogue.Program) { p.Words.Prompt = "%s's move: " }},
				{"player", `prompts with "Player B, make your move: "`, func(p *dialogue.Program) { p.Words.Prompt = "Player %s, make your move: " }},
			}},
		}
	}
	return nil
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
	}}
	longCells = decision{"D-04", "long-cells", []choice{
		{"invalid", "refuses cells of more than two characters", nil},
		{"prefix", "looks only at the first two characters of a cell", withFault(dialogue.LengthPrefix)},
	}}
	stuck = []choice{
		{"pass", "passes for every player without a legal move", nil},
		{"ask", "asks a player without a legal move, because the document does not mention it", withFault(dialogue.StuckAsks)},
	}
)

func withFault(f dialogue.Fault) func(*dialogue.Program) {
	return func(p *dialogue.Program) { *p = p.With(f) }
}
