package dialogue

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Words are the texts of a program. In prompts and messages %s is the player,
// as the game names it there; lines contain their own ends.
type Words struct {
	Prompt      string // for a move
	Invalid     string // after an invalid move
	Pass        string
	Wins        string
	Draw        string
	Round       string // %d is the number
	Over        string // before the last board
	PitCount    string
	TooMany     string
	PitPlace    string // %d is the number of the pit
	BadPit      string
	Mode        string
	BeforeBoard string // blank lines between boards, in programs that have them
	AfterBoard  string
	BeforeEnd   string // and before the result
	Winners     [2]string
	Players     [2]string // as prompts name them
}

var (
	neighborsLOAWords = Words{ //nolint:gosec // a pass is a move, not a password
		Prompt: "%s's move: ", Invalid: "Invalid move. Try again!\n", Pass: "%s has to pass!\n",
		Wins: "%s wins!\n", Draw: "Draw game!\n", Winners: [2]string{"B", "W"}, Players: [2]string{"B", "W"},
	}
	othelloWords = Words{ //nolint:gosec // a pass is a move, not a password
		Prompt: "Player %s's turn: ", Invalid: "Invalid move!\n", Pass: "Player %s has no valid moves! Pass!\n",
		Wins: "Player %s wins!\n", Draw: "Draw game!\n", Round: "Round %d:\n", Over: "Game over:\n",
		PitCount: "Enter number of pits: ", TooMany: "Too many pits!\n",
		PitPlace: "Enter position for pit %d: ", BadPit: "Invalid position!\n",
		Winners: [2]string{"X", "O"}, Players: [2]string{"X", "O"},
	}
	connect6Words = Words{
		Prompt: "%s's turn: ", Invalid: "Invalid move. Enter again!\n", Wins: "%s wins!\n", Draw: "Draw game!\n",
		Winners: [2]string{"Black", "White"}, Players: [2]string{"B", "W"},
	}
	chessWords = Words{
		Prompt: "%s's turn: ", Invalid: "invalid input!\n", Wins: "%s wins!\n", Draw: "Draw game!\n", Round: "Round %d:\n",
		Mode: "Choose game mode (1, 2, 3): ", Winners: [2]string{"White", "Black"}, Players: [2]string{"White", "Black"},
	}
)

// Refusals are the messages after an invalid move.
func Refusals() []string {
	return []string{neighborsLOAWords.Invalid, othelloWords.Invalid, connect6Words.Invalid, chessWords.Invalid}
}

// Passes are the messages of a pass, after the name of the player.
func Passes() []string {
	var list []string
	for _, text := range []string{neighborsLOAWords.Pass, othelloWords.Pass} {
		_, says, _ := strings.Cut(text, "%s ")
		list = append(list, says)
	}
	return list
}

// Layout describes how a board is printed.
type Layout struct {
	Label     int    // width of a row label; the header is indented as far
	LabelLeft bool   // labels stand at the left of that width
	Row       int    // number of the first row
	Col       byte   // letter of the first column
	ColLead   string // before every letter of the header
	ColEnd    string // after the last
	CellLead  string // before every cell
	CellEnd   string // after the last
	Rule      string // a line before the first row and after every row
	NoHeader  bool
	Empty     byte
}

var (
	smallBoard  = Layout{Label: 1, Row: 0, Col: 'a', ColLead: " ", CellLead: " ", Empty: '.'}
	stoneBoard  = Layout{Label: 2, Row: 0, Col: 'A', ColLead: " ", CellLead: " ", Empty: '.'}
	pitBoard    = Layout{Label: 2, Row: 1, Col: 'A', ColLead: " ", CellLead: " ", CellEnd: " ", Empty: '.'}
	framedBoard = Layout{
		Label: 1, Row: 1, Col: 'A', ColLead: "   ", ColEnd: "  ", CellLead: " | ", CellEnd: " | ",
		Rule: "  " + strings.Repeat("-", 33) + "\n", Empty: ' ',
	}
)

// begin sets up the board, the player who begins and the number of the first round.
func (t *talk) begin(cells [][]byte) {
	t.cells, t.round = cells, 1
	if t.Has("second-first") {
		t.player = 1
	}
	if t.Has("rounds-from-zero") {
		t.round = 0
	}
}

// show prints the board.
func (t *talk) show() {
	swap := byte(0)
	if t.Has("cases-swapped") {
		swap = 'a' - 'A'
	}
	t.print(BoardText, t.Words.BeforeBoard+t.Layout.draw(t.cells, swap)+t.Words.AfterBoard)
}

// showRound prints the number of the round and the board.
func (t *talk) showRound() {
	round := t.round
	if t.Has("rounds-in-pairs") {
		round = (round + 1) / 2
	}
	t.say(roundText, t.Words.Round, round)
	t.show()
}

// conclude prints the result, a win of a player or -1 for a draw, and ends the game.
func (t *talk) conclude(winner int) {
	names := t.Words.Winners
	if t.Has("winner-swapped") {
		names[0], names[1] = names[1], names[0]
	}
	if winner < 0 && t.Has("no-draw") {
		winner = 0
	}
	t.print(ResultText, t.Words.BeforeEnd)
	if winner < 0 {
		t.print(ResultText, t.Words.Draw)
	} else {
		t.say(ResultText, t.Words.Wins, names[winner])
	}
	t.Over = !t.stopped()
}

// leader returns the player with the higher count, -1 if both are equal.
func leader(counts [2]int) int {
	switch {
	case counts[0] > counts[1]:
		return 0
	case counts[1] > counts[0]:
		return 1
	}
	return -1
}

// draw returns the text of a board. swap is flipped in the symbols of pieces.
func (l Layout) draw(cells [][]byte, swap byte) string {
	n := len(cells)
	w := make([]byte, 0, (n+1)*(l.Label+n*(len(l.CellLead)+1)+len(l.CellEnd)+len(l.Rule)+1)+n*len(l.ColLead)+len(l.ColEnd))
	if !l.NoHeader {
		w = append(w, strings.Repeat(" ", l.Label)...)
		for col := range cells {
			w = append(append(w, l.ColLead...), l.Col+byte(col))
		}
		w = append(append(w, l.ColEnd...), '\n')
	}
	w = append(w, l.Rule...)
	for row, line := range cells {
		w = l.label(w, row)
		for _, c := range line {
			if c == '.' {
				c = l.Empty
			} else {
				c ^= swap
			}
			w = append(append(w, l.CellLead...), c)
		}
		w = append(append(append(w, l.CellEnd...), '\n'), l.Rule...)
	}
	return string(w)
}

// label appends the number of a row.
func (l Layout) label(w []byte, row int) []byte {
	number := strconv.Itoa(l.Row + row)
	blanks := strings.Repeat(" ", max(l.Label-len(number), 0))
	if l.LabelLeft {
		return append(append(w, number...), blanks...)
	}
	return append(append(w, blanks...), number...)
}

// asked is a prompt with its error message.
type asked struct {
	prompt  string
	refused string
	again   func() // for programs that print the board before they repeat the prompt
}

// question asks the player for a move.
func (t *talk) question(again func()) asked {
	return asked{fmt.Sprintf(t.Words.Prompt, t.Words.Players[t.player]), t.Words.Invalid, again}
}

// garbled is why an answer without an expected number is refused.
const garbled = "has no number"

// insist asks until an answer is accepted, and reports whether one was. answer returns why
// an answer is refused, or "". With the fault LosesTurn it asks only once.
func (t *talk) insist(q asked, answer func() (why string)) (accepted bool) {
	for !t.stopped() {
		t.print(PromptText, q.prompt)
		why := t.read(answer)
		switch {
		case t.ended:
			return false
		case why == "":
			return true
		}
		t.because(why)
		if why == garbled {
			t.Open = true
			t.discardLine()
			if t.Game != "othello" { // whose program says nothing about it
				t.print(Refusal, q.refused)
			}
			continue
		}
		t.print(Refusal, q.refused)
		if t.Has(LosesTurn) {
			return false
		}
		if q.again != nil && t.Has("reprints") {
			q.again()
		}
	}
	return false
}

// askOnce is insist for answers that use up the question even if they are refused.
func (t *talk) askOnce(q asked, answer func() (why string)) (accepted bool) {
	t.print(PromptText, q.prompt)
	why := t.read(answer)
	if why != "" && !t.ended {
		t.because(why)
		t.print(Refusal, q.refused)
	}
	return why == "" && !t.ended
}

func grid(n int) [][]byte {
	cells := make([][]byte, n)
	for i := range cells {
		cells[i] = []byte(strings.Repeat(".", n))
	}
	return cells
}

func (t *talk) at(c [2]int) byte { return t.cells[c[0]][c[1]] }

// count returns how many cells have a symbol.
func (t *talk) count(symbol byte) (n int) {
	for _, row := range t.cells {
		n += bytes.Count(row, []byte{symbol})
	}
	return n
}

func inside(n, row, col int) bool { return row >= 0 && row < n && col >= 0 && col < n }

// eight are the directions of a queen.
var eight = [8][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}
