package dialogue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Tolerance is a set of accepted differences from a program's output. The zero value accepts none.
type Tolerance uint8

// The accepted differences.
const (
	BlankLines Tolerance = 1 << iota // blank lines, and line ends after prompts
	LetterCase                       // letter case of texts, but not of cells on boards
	ExtraLines                       // lines that are neither a text of the game nor part of a board, such as a greeting
)

// Hearer removes accepted differences from the output of judged programs. It knows the texts of the right
// program.
type Hearer struct {
	listener
	texts   []string // %d stands for a number
	folded  *regexp.Regexp
	prompts *regexp.Regexp // without trailing white space
}

// Hearer returns a hearer for the program's texts.
func (p Program) Hearer() *Hearer {
	h := Hearer{listener: listener{Examiner: p.Examiner("")}}
	w := p.Words
	prompts := []string{w.PitCount, w.PitPlace, w.Mode}
	all := []string{w.Invalid, w.Draw, w.Round, w.Over, w.TooMany, w.BadPit}
	for i := range 2 {
		prompts = append(prompts, fill(w.Prompt, w.Players[i]))
		all = append(all, fill(w.Pass, w.Players[i]), fill(w.Wins, w.Winners[i]))
	}
	for _, text := range append(all, prompts...) {
		if text = strings.TrimSpace(text); text != "" {
			h.texts = append(h.texts, text)
		}
	}
	h.folded = oneOf("(?i)", h.texts)
	h.prompts = oneOf("", prompts)
	return &h
}

// fill puts a player into a text that names one.
func fill(text, player string) string { return strings.Replace(text, "%s", player, 1) }

// oneOf returns an expression that matches any of the texts, without white space around it.
func oneOf(flags string, texts []string) *regexp.Regexp {
	var list []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, strings.ReplaceAll(regexp.QuoteMeta(text), "%d", `\d+`))
		}
	}
	return regexp.MustCompile(flags + "(?:" + strings.Join(list, "|") + ")")
}

// blank matches lines without text.
var blank = regexp.MustCompile(`(?m)^[ \t\r]*\n`)

// WithoutBlankLines returns an output without lines that have no text.
func WithoutBlankLines(text string) string { return blank.ReplaceAllString(text, "") }

// Hear returns an output without the accepted differences.
func (h *Hearer) Hear(text string, t Tolerance) string {
	if t&LetterCase != 0 {
		text = h.folded.ReplaceAllStringFunc(text, h.spelled)
	}
	if t&BlankLines != 0 {
		text = h.joined(WithoutBlankLines(text))
	}
	if t&ExtraLines != 0 {
		text = h.known(text)
	}
	return text
}

// spelled returns a text in the letter case of the specification.
func (h *Hearer) spelled(said string) string {
	number := strings.TrimFunc(said, func(r rune) bool { return r < '0' || r > '9' })
	for _, text := range h.texts {
		if text = strings.Replace(text, "%d", number, 1); strings.EqualFold(text, said) {
			return text
		}
	}
	return said
}

// joined removes the line ends after prompts.
func (h *Hearer) joined(text string) string {
	var w strings.Builder
	for _, part := range h.segments(text) {
		if rest := strings.TrimLeft(part, " \t\r"); rest == "\n" && w.Len() > 0 && !strings.HasSuffix(w.String(), "\n") {
			w.WriteString(" ")
			continue
		}
		w.WriteString(part)
	}
	return w.String()
}

// segments splits a text after line ends and prompts. The answer to a prompt is not in the output, so the
// next text follows the prompt on the same line.
func (h *Hearer) segments(text string) (list []string) {
	for line := range strings.SplitAfterSeq(text, "\n") {
		from := 0
		for _, m := range h.prompts.FindAllStringIndex(line, -1) {
			end := m[1]
			if rest := line[end:]; strings.HasPrefix(rest, " ") && strings.TrimSpace(rest) != "" {
				end++
			}
			list, from = append(list, line[from:end]), end
		}
		list = append(list, line[from:])
	}
	return list
}

// known keeps the lines with texts of the game or parts of boards.
func (h *Hearer) known(text string) string {
	parts := h.segments(text)
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool {
		letters := strings.ToLower(squeeze(part))
		return strings.HasSuffix(part, "\n") && letters != "" && h.row(part) == nil && !h.frames(letters) && !columns(letters) && !h.phrases.MatchString(part)
	}), "")
}

// columns reports whether a line, without its blanks, names the columns of a board of any size.
func columns(letters string) bool { return len(letters) > 2 && strings.HasPrefix(columnNames, letters) }

// String formats the set for messages of tests.
func (t Tolerance) String() string { return fmt.Sprintf("%03b", uint8(t)) }
