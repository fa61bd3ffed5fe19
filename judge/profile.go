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
