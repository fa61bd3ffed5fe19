package mutant

import (
	"slices"
	"strings"

	d "quintet/judge/dialogue"
)

func hasWord(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

// texts are the wrong texts of the games; no games means all.
var texts = []struct {
	games string
	Mutant
}{
	{"", Mutant{"crlf", Space, `ends lines with \r\n instead of \n`, func(p *d.Program) { p.LineEnd = "\r\n" }}},
	{"", Mutant{"trailing-blank", Space, "prints a blank at the end of every line", func(p *d.Program) { p.LineTail = " " }}},
	{"", Mutant{"no-final-newline", Space, "prints no line end after the result", func(p *d.Program) { p.NoFinalLine = true }}},
	{"", Mutant{"prompt-no-blank", Space, "prints no blank after the colon of the prompt", func(p *d.Program) {
		p.Words.Prompt = strings.TrimSuffix(p.Words.Prompt, " ")
	}}},
	{"", Mutant{"prompt-line", Space, "ends the line after the prompt", func(p *d.Program) { p.Words.Prompt = strings.TrimSuffix(p.Words.Prompt, " ") + "\n" }}},
	{"", Mutant{"no-colon", Text, "prints no colon in the prompt", func(p *d.Program) { p.Words.Prompt = strings.Replace(p.Words.Prompt, ":", "", 1) }}},
	{"", Mutant{"blank-lines", Space, "prints a blank line before every board and the result", func(p *d.Program) {
		p.Words.BeforeBoard, p.Words.BeforeEnd = "\n", "\n"
	}}},
	{"", Mutant{"draw-spelling", Text, `prints "Draw!" instead of "Draw game!"`, func(p *d.Program) { p.Words.Draw = "Draw!\n" }}},
	{"", Mutant{"win-spelling", Text, `prints "win!" instead of "wins!"`, func(p *d.Program) { p.Words.Wins = strings.Replace(p.Words.Wins, "wins", "win", 1) }}},
	{"", Mutant{"invalid-spelling", Text, "prints another message after an invalid move", func(p *d.Program) { p.Words.Invalid = "Invalid move, try again.\n" }}},
	{"", Mutant{"invalid-silent", Text, "prints no message after an invalid move", func(p *d.Program) { p.Words.Invalid = "" }}},
	{"", Mutant{"invalid-case", Text, "prints the message after an invalid move in the wrong letter case", func(p *d.Program) {
		p.Words.Invalid = swapCase(p.Words.Invalid)
	}}},
	{"", Mutant{"no-header", Text, "prints no column letters above the board", func(p *d.Program) { p.Layout.NoHeader = true }}},
	{"", Mutant{"tabs", Space, "prints tabs in the header of the board", func(p *d.Program) { p.Layout.ColLead = "\t" }}},
	{"", Mutant{"header-case", Text, "prints the column letters in the wrong letter case", func(p *d.Program) { p.Layout.Col ^= 'a' - 'A' }}},
	{"", Mutant{"row-labels", Text, "numbers the rows of the board from the wrong number", func(p *d.Program) { p.Layout.Row = 1 - p.Layout.Row }}},
	{"neighbors loa othello connect6", Mutant{"cells-close", Space, "prints no blanks between cells", func(p *d.Program) {
		p.Layout.CellLead = ""
		if p.Layout.CellEnd != "" {
			p.Layout.CellEnd = ""
		}
	}}},
	{"neighbors loa othello connect6", Mutant{"empty-cells", Text, "prints empty cells as something else than a dot", func(p *d.Program) { p.Layout.Empty = '_' }}},
	{"othello connect6", Mutant{"labels-left", Space, "prints row numbers at the left instead of the right", func(p *d.Program) { p.Layout.LabelLeft = true }}},
	{"", Mutant{"reprints", Text, "prints the board again after an invalid move", func(p *d.Program) { *p = p.With(d.Reprints) }}},
	{"neighbors loa othello", Mutant{"no-last-board", Text, "does not print the board after the last move", func(p *d.Program) { *p = p.With(d.NoLastBoard) }}},
	{"chess", Mutant{"last-board", Text, "prints the board after the last move", func(p *d.Program) { *p = p.With(d.LastBoard) }}},
	{"chess", Mutant{"empty-dots", Text, "prints empty cells as dots", func(p *d.Program) { p.Layout.Empty = '.' }}},
	{"connect6", Mutant{"result-letters", Text, `prints "B wins!" instead of "Black wins!"`, func(p *d.Program) { p.Words.Winners = [2]string{"B", "W"} }}},
	{"connect6", Mutant{"prompt-names", Text, "names the players Black and White in prompts, instead of B and W", func(p *d.Program) {
		p.Words.Players = [2]string{"Black", "White"}
	}}},
	{"neighbors loa", Mutant{"prompt-turn", Text, `prompts with "turn" instead of "move"`, func(p *d.Program) { p.Words.Prompt = "%s's turn: " }}},
	{"othello", Mutant{"no-game-over", Text, `does not print "Game over:"`, func(p *d.Program) { p.Words.Over = "" }}},
	{"othello", Mutant{"too-many-spelling", Text, `prints another message than "Too many pits!"`, func(p *d.Program) { p.Words.TooMany = "Too many pits.\n" }}},
	{"othello chess", Mutant{"no-rounds", Text, "does not print round numbers", func(p *d.Program) { p.Words.Round = "" }}},
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
