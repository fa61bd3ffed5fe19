package dialogue

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// columnNames are the names of the columns of a board.
const columnNames = "abcdefghijklmnopqrstuvwxyz"

// heard is a part of a program's output, understood as far as possible: the wording and the
// white space may be wrong.
type heard struct {
	kind   Kind
	asks   Kind     // of a prompt: for a move, or one of the kinds below
	player int      // named in it, or -1
	number int      // in it, or -1
	cells  [][]byte // of a board
	start  int
	text   string // up to the next part
}

// What prompts ask for, besides a move.
const (
	pitCount Kind = "number of pits"
	pitPlace Kind = "position of a pit"
	gameMode Kind = "mode"
	overText Kind = "end line"
)

// phrases are the texts of the five programs, in any wording that a student may choose.
const phrases = `(?i)(?P<count>(?:enter )?(?:the )?number of pits:? ?)` +
	`|(?P<place>(?:enter )?(?:the )?position (?:for|of) (?:the )?pit *(\d*):? ?)` +
	`|(?P<mode>(?:choose )?(?:the )?game mode(?: \(1, 2, 3\))?:? ?)` +
	`|(?P<move>(?:player )?\b(black|white|[bwxo])(?:'s? (?:turn|move)|, make your move)\b:? ?%s)` +
	`|(?P<refusal>(?:invalid|illegal|too many pits))` +
	`|(?P<pass>(?:player )?\b(black|white|[bwxo]) has (?:to pass|no )[^\n]*|\bpass(?:es)?\b[^\n]*)` +
	`|(?P<round>round *(\d+))` +
	`|(?P<over>game over)` +
	`|(?P<result>(?:it's a )?\b(?:draw|tie)\b|(?:player )?\b(black|white|[bwxo]) wins?\b)`

// kinds maps the groups of phrases to what they are.
var kinds = map[string]heard{
	"count": {kind: PromptText, asks: pitCount}, "place": {kind: PromptText, asks: pitPlace}, "mode": {kind: PromptText, asks: gameMode},
	"move": {kind: PromptText, asks: PromptText}, "refusal": {kind: Refusal}, "pass": {kind: PassText},
	"round": {kind: roundText}, "over": {kind: overText}, "result": {kind: ResultText},
}

// Examiner checks every turn of a program on its own.
type Examiner struct {
	Program
	witness
	phrases *regexp.Regexp
	Begins  [][]byte // a wrong board that the program starts with, or nil
}

// Examiner returns an examiner that compares with a right program. prompt is how the judged
// program asks for a move, perhaps in other words; "" if that is unknown.
func (p Program) Examiner(prompt string) *Examiner {
	return &Examiner{Program: p, witness: witness{misplaced: map[string]bool{}, decisions: map[string]decisions{}}, phrases: regexp.MustCompile(strings.Replace(phrases, "%s", other(prompt), 1))}
}

// listener splits the output of a program into parts.
type listener struct {
	*Examiner
	list  []heard
	rows  [][]byte // of a board so far
	start int      // of this board, or -1
}

// listen returns the parts of an output.
func (e *Examiner) listen(text string) []heard {
	l := listener{Examiner: e, start: -1}
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		l.line(at, line)
		at += len(line)
	}
	for i := range l.list {
		end := len(text)
		if i+1 < len(l.list) {
			end = l.list[i+1].start
		}
		l.list[i].text = text[l.list[i].start:end]
	}
	return l.list
}

// playerName matches a player's name in a prompt.
var playerName = regexp.MustCompile(`(?i)\b(black|white|[bwxo])\b`)

// other returns an alternative of a regular expression that matches a prompt for either player.
func other(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" {
		return ""
	}
	at := playerName.FindStringIndex(prompt)
	if at == nil {
		return "|" + regexp.QuoteMeta(prompt) + ":? ?"
	}
	return "|" + regexp.QuoteMeta(prompt[:at[0]]) + strings.TrimPrefix(playerName.String(), "(?i)") + regexp.QuoteMeta(prompt[at[1]:]) + ":? ?"
}

// line adds the parts of a line: phrases, then perhaps a row of a board.
func (l *listener) line(at int, line string) {
	tail, row := 0, l.row(line)
	if row == nil && !l.frames(strings.ToLower(squeeze(line))) { // boards have no phrases
		for _, m := range l.phrases.FindAllStringSubmatchIndex(line, -1) {
			l.list = append(l.list, l.phrase(at, line, m))
			tail, l.start, l.rows = m[1], -1, nil
		}
	}
	rest := line[tail:]
	if row == nil && tail > 0 {
		row = l.row(rest)
	}
	if row != nil {
		if l.start < 0 {
			l.start = at + tail
		}
		if l.rows = append(l.rows, row); len(l.rows) == l.Size {
			l.list = append(l.list, heard{kind: BoardText, player: -1, cells: l.rows, start: l.start})
			l.rows, l.start = nil, -1
		}
		return
	}
	switch letters := strings.ToLower(squeeze(rest)); {
	case letters != "" && !l.frames(letters):
		l.start, l.rows = -1, nil
	case strings.Trim(letters, "-+|") != "":
		l.start, l.rows = at+tail, nil
	}
}

// frames reports whether a line, without its blanks, is the header of a board or a separator between rows.
func (l *listener) frames(letters string) bool {
	return strings.Trim(letters, "-+|") == "" || letters == columnNames[:min(l.Size, len(columnNames))]
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// phrase returns the part for a match.
func (l *listener) phrase(at int, line string, m []int) heard {
	h := heard{}
	for i, name := range l.phrases.SubexpNames() {
		switch {
		case i == 0 || m[2*i] < 0:
		case name != "":
			h = kinds[name]
			h.start, h.player, h.number = at+m[0], -1, -1
		default:
			word := line[m[2*i]:m[2*i+1]]
			if n, err := strconv.Atoi(word); err == nil {
				h.number = n
			} else {
				h.player = l.playerNamed(word)
			}
		}
	}
	return h
}

// playerNamed returns the player with a name, or -1.
func (l *listener) playerNamed(word string) int {
	if word == "" {
		return -1
	}
	first := strings.IndexByte("bxwo", strings.ToLower(word)[0]) / 2
	if l.Game == "chess" {
		first = 1 - first
	}
	return first
}

// row returns the cells of a row of the board, or nil.
func (l *listener) row(text string) []byte {
	var cells []byte
	if parts := strings.Split(text, "|"); l.Game == "chess" && len(parts) == l.Size+2 {
		for _, cell := range parts[1 : l.Size+1] {
			cells = append(cells, (strings.TrimSpace(cell) + ".")[0])
		}
	} else {
		cells = []byte(strings.TrimLeft(squeeze(text), "0123456789"))
	}
	symbols := map[string]string{"othello": "XO#", "chess": "KQBNRPkqbnrp"}[l.Game]
	if symbols == "" {
		symbols = stones
	}
	for i, c := range cells {
		switch {
		case bytes.IndexByte([]byte(symbols), c) >= 0:
		case c == '*' && l.Game == "othello":
			cells[i] = '#'
		case c == '.', c == '_', c == '-', c == '*':
			cells[i] = '.'
		default:
			return nil
		}
	}
	if len(cells) != l.Size || l.Size > 1 && strings.Trim(squeeze(text), "-") == "" {
		return nil
	}
	return slices.Clip(cells)
}
