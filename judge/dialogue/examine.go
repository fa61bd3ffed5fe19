package dialogue

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"quintet/judge/marks"
)

// Observation is a check of one turn against a right program, which continues from the board that
// the judged program showed. So an earlier mistake does not count again.
type Observation struct {
	Feature string
	Case    marks.Case
	OK      bool
	Turn    int // answers so far, that one included

	Excuse func([]Fault) bool // whether wrong rules of other features explain that it is not right; may be nil
}

// examination checks the output for some lines of input.
type examination struct {
	*Examiner
	parts    []heard
	lines    []string
	found    []Observation
	at       position
	digging  bool // pits of Othello
	pits     int  // to dig
	dug      int
	round    int
	refusal  string // the message after a wrong answer to the last prompt
	expected int    // the player to move, or -1 if unknown
	because  string // why
	turn     int
}

// Examine checks every turn of an output for some lines of input, each of which is one answer.
func (e *Examiner) Examine(lines []string, output string) []Observation {
	x := &examination{Examiner: e, parts: e.listen(output), lines: lines}
	if e.Machines(lines) {
		return nil
	}
	x.at.cells, x.at.first, x.digging = e.start(), true, e.Game == "othello"
	x.opening(x.take())
	for x.turn < len(lines) && len(x.parts) > 0 {
		prompt := x.parts[0]
		x.parts = x.parts[1:]
		x.turn++
		if prompt.asks == pitCount || prompt.asks == pitPlace {
			x.dig(prompt, lines[x.turn-1])
		} else if prompt.asks == PromptText {
			x.move(prompt, lines[x.turn-1])
		} else if x.opening(x.take()); x.turn < len(lines) && len(x.parts) == 0 {
			x.note("turns", marks.Case{Answer: "asks"}, false)
		}
	}
	return x.found
}

func (x *examination) note(feature string, c marks.Case, ok bool) {
	x.found = append(x.found, Observation{Feature: feature, Case: c, OK: ok, Turn: x.turn})
}

// take returns the parts before the next prompt.
func (x *examination) take() (list []heard) {
	i := slices.IndexFunc(x.parts, func(h heard) bool { return h.kind == PromptText })
	if i < 0 {
		i = len(x.parts)
	}
	list, x.parts = x.parts[:i], x.parts[i:]
	return list
}

// opening checks the first board, which follows the pits in Othello, and any passes after it.
func (x *examination) opening(parts []heard) {
	board := x.board(parts)
	if x.digging || board == nil && x.Game == "chess" && x.turn == 0 {
		return
	}
	right := board != nil && same(board, x.at.cells)
	x.note("set-up", marks.Case{}, right)
	if !right && x.pits == 0 {
		x.Begins = board
	}
	if board != nil {
		x.at.cells = board
	}
	x.texts(parts)
	r := reply{cells: x.at.cells, winner: -1}
	if x.Game == "othello" {
		r.afterDisc(&othello{talk: x.table(x.at.cells, 0)})
	}
	x.next(r.player, "starts")
	x.flow(parts, r, position{cells: x.at.cells, player: 1})
}

// board returns the last board of some parts, or nil.
func (x *examination) board(parts []heard) (board [][]byte) {
	for _, h := range parts {
		if h.kind == BoardText {
			board = h.cells
		}
	}
	return board
}

func same(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// has reports whether some parts have one of a kind.
func has(parts []heard, kind Kind) bool {
	return slices.ContainsFunc(parts, func(h heard) bool { return h.kind == kind })
}

// dig checks an answer about the pits.
func (x *examination) dig(prompt heard, line string) {
	parts := x.take()
	refused, why := has(parts, Refusal), ""
	x.wording(prompt, x.pitPrompt(prompt))
	if prompt.asks == pitCount {
		if _, err := fmt.Sscan(line, &x.pits); err != nil {
			return
		}
		if x.pits > x.Size*x.Size/2 {
			why = "asks for too many pits"
		}
		if x.dug = 0; refused {
			x.pits = 0
		}
	} else {
		why = x.digAt(line, refused)
	}
	if small := prompt.asks == pitPlace && why == "" && strings.ToUpper(line) != line; small {
		x.note("robustness", marks.Case{Answer: "reads", Shared: true}, !refused)
	} else {
		x.accepts("pits", why, !refused)
	}
	if refused && len(x.parts) > 0 {
		x.note("pits", marks.Case{Answer: "asks again"}, x.parts[0].asks == prompt.asks && (prompt.asks == pitCount || x.parts[0].number == prompt.number))
	}
	if x.digging = prompt.asks == pitCount && refused || x.dug < x.pits; !x.digging && len(x.parts) > 0 && x.parts[0].kind == PromptText && x.parts[0].asks == pitPlace {
		x.digging = true // the program asks for more
	}
	if x.digging {
		x.texts(parts)
		return
	}
	x.opening(parts)
}

func (x *examination) pitPrompt(prompt heard) string {
	if prompt.asks == pitCount {
		return x.Words.PitCount
	}
	return fmt.Sprintf(x.Words.PitPlace, x.dug+1)
}

// digAt returns why a right program refuses a pit, and digs it if the judged one accepted it.
func (x *examination) digAt(line string, refused bool) (why string) {
	t := x.table(x.at.cells, 0)
	t.firstRow = 1
	var letter byte
	var number int
	if _, err := fmt.Sscanf(line, "%c%d", &letter, &number); err != nil {
		return garbled
	}
	row, col, why := t.locate(letter, number, true)
	if why == "" {
		why = (&othello{talk: t}).notPit(row, col)
	}
	if !refused {
		if x.dug++; inside(x.Size, number-1, column(letter)) {
			t.cells[number-1][column(letter)] = '#'
		}
		x.at.cells = t.cells
	}
	return why
}

// accepts notes whether an answer is rightly accepted or refused. why is the reason to refuse it.
func (x *examination) accepts(feature, why string, accepted bool) {
	if why == "" {
		x.note(feature, marks.Case{Answer: "accepts"}, accepted)
		return
	}
	x.note(feature, marks.Case{Answer: "refuses", Reason: why}, !accepted)
}

// move checks the answer to a prompt for a move.
func (x *examination) move(prompt heard, line string) {
	if prompt.player < 0 {
		prompt.player = max(x.expected, 0)
	}
	if x.expected >= 0 {
		x.note("turns", marks.Case{Answer: x.because}, prompt.player == x.expected)
	}
	if prompt.player != x.at.player {
		x.at.placed = 0
	}
	x.at.player = prompt.player
	x.wording(prompt, fmt.Sprintf(x.Words.Prompt, x.Words.Players[prompt.player]))
	r, parts := x.reply(x.at, line), x.take()
	shown := x.shown(parts)
	changed := shown != nil && !same(shown, x.at.cells)
	refused := has(parts, Refusal) && !changed
	switch {
	case r.why != "":
		x.invalid(r, line, parts, changed)
	case refused:
		x.legal(r, line, false)
		x.next(x.at.player, "asks again")
	default:
		x.valid(r, line, parts, shown, changed)
	}
	x.texts(parts)
	if has(parts, ResultText) {
		x.parts = nil
	}
}
