package dialogue

import (
	"slices"
	"strings"
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

func hasWord(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

// textMutants are the wrong texts of the games; no games means all.
var textMutants = []struct {
	games string
	Mutant
}{
	{"", Mutant{"crlf", spaceMutant, `ends lines with \r\n instead of \n`, func(p *Program) { p.LineEnd = "\r\n" }}},
	{"", Mutant{"trailing-blank", spaceMutant, "prints a blank at the end of every line", func(p *Program) { p.LineTail = " " }}},
	{"", Mutant{"no-final-newline", spaceMutant, "prints no line end after the result", func(p *Program) { p.NoFinalLine = true }}},
	{"", Mutant{"prompt-no-blank", spaceMutant, "prints no blank after the colon of the prompt", func(p *Program) {
		p.Words.Prompt = strings.TrimSuffix(p.Words.Prompt, " ")
	}}},
	{"", Mutant{"prompt-line", spaceMutant, "ends the line after the prompt", func(p *Program) { p.Words.Prompt = strings.TrimSuffix(p.Words.Prompt, " ") + "\n" }}},
	{"", Mutant{"no-colon", TextMutant, "prints no colon in the prompt", func(p *Program) { p.Words.Prompt = strings.Replace(p.Words.Prompt, ":", "", 1) }}},
	{"", Mutant{"blank-lines", spaceMutant, "prints a blank line before every board and the result", func(p *Program) {
		p.Words.BeforeBoard, p.Words.BeforeEnd = "\n", "\n"
	}}},
	{"", Mutant{"draw-spelling", TextMutant, `prints "Draw!" instead of "Draw game!"`, func(p *Program) { p.Words.Draw = "Draw!\n" }}},
	{"", Mutant{"win-spelling", TextMutant, `prints "win!" instead of "wins!"`, func(p *Program) { p.Words.Wins = strings.Replace(p.Words.Wins, "wins", "win", 1) }}},
	{"", Mutant{"invalid-spelling", TextMutant, "prints another message after an invalid move", func(p *Program) { p.Words.Invalid = "Invalid move, try again.\n" }}},
	{"", Mutant{"invalid-silent", TextMutant, "prints no message after an invalid move", func(p *Program) { p.Words.Invalid = "" }}},
	{"", Mutant{"invalid-case", TextMutant, "prints the message after an invalid move in the wrong letter case", func(p *Program) {
		p.Words.Invalid = swapCase(p.Words.Invalid)
	}}},
	{"", Mutant{"no-header", TextMutant, "prints no column letters above the board", func(p *Program) { p.Layout.NoHeader = true }}},
	{"", Mutant{"tabs", spaceMutant, "prints tabs in the header of the board", func(p *Program) { p.Layout.ColLead = "\t" }}},
	{"", Mutant{"header-case", TextMutant, "prints the column letters in the wrong letter case", func(p *Program) { p.Layout.Col ^= 'a' - 'A' }}},
	{"", Mutant{"row-labels", TextMutant, "numbers the rows of the board from the wrong number", func(p *Program) { p.Layout.Row = 1 - p.Layout.Row }}},
	{"neighbors loa othello connect6", Mutant{"cells-close", spaceMutant, "prints no blanks between cells", func(p *Program) {
		p.Layout.CellLead = ""
		if p.Layout.CellEnd != "" {
			p.Layout.CellEnd = ""
		}
	}}},
	{"neighbors loa othello connect6", Mutant{"empty-cells", TextMutant, "prints empty cells as something else than a dot", func(p *Program) { p.Layout.Empty = '_' }}},
	{"othello connect6", Mutant{"labels-left", spaceMutant, "prints row numbers at the left instead of the right", func(p *Program) { p.Layout.LabelLeft = true }}},
	{"", Mutant{"reprints", TextMutant, "prints the board again after an invalid move", func(p *Program) { *p = p.With("reprints") }}},
	{"neighbors loa othello", Mutant{"no-last-board", TextMutant, "does not print the board after the last move", func(p *Program) { *p = p.With("no-last-board") }}},
	{"chess", Mutant{"last-board", TextMutant, "prints the board after the last move", func(p *Program) { *p = p.With("last-board") }}},
	{"chess", Mutant{"empty-dots", TextMutant, "prints empty cells as dots", func(p *Program) { p.Layout.Empty = '.' }}},
	{"connect6", Mutant{"result-letters", TextMutant, `prints "B wins!" instead of "Black wins!"`, func(p *Program) { p.Words.Winners = [2]string{"B", "W"} }}},
	{"connect6", Mutant{"prompt-names", TextMutant, "names the players Black and White in prompts, instead of B and W", func(p *Program) {
		p.Words.Players = [2]string{"Black", "White"}
	}}},
	{"neighbors loa", Mutant{"prompt-turn", TextMutant, `prompts with "turn" instead of "move"`, func(p *Program) { p.Words.Prompt = "%s's turn: " }}},
	{"othello", Mutant{"no-game-over", TextMutant, `does not print "Game over:"`, func(p *Program) { p.Words.Over = "" }}},
	{"othello", Mutant{"too-many-spelling", TextMutant, `prints another message than "Too many pits!"`, func(p *Program) { p.Words.TooMany = "Too many pits.\n" }}},
	{"neighbors loa connect6 chess", Mutant{"game-over", TextMutant, `prints "Game over:" before the result`, func(p *Program) { p.Words.BeforeEnd = "Game over:\n" }}},
	{"othello chess", Mutant{"no-rounds", TextMutant, "does not print round numbers", func(p *Program) { p.Words.Round = "" }}},
}

func swapCase(s string) string {
	if s == "" {
		return ""
	}
	first := s[:1]
	if upper := strings.ToUpper(first); upper != first {
		return upper + s[1:]
	}
	return strings.ToLower(first) + s[1:]
}
