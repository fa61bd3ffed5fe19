package dialogue

import "regexp"

// announced matches a machine's move as the specification prints it.
var announced = regexp.MustCompile(`[A-H][1-8] [A-H][1-8]\n`)

// MachinePlays reports whether the machines in a game of chess move in turn and print their moves. Other
// features count white space and wording, which may be wrong, and how pieces move: if that is wrong in games between
// people, so it may be here.
func (e *Examiner) MachinePlays(lines []string, output string) bool {
	human, player := len(lines) > 0 && lines[0] == "2", 1 // White
	var board [][]byte
	said, boards := "", 0
	for _, h := range e.listen(output) {
		switch {
		case h.kind == PromptText && h.asks == PromptText && (h.player == player || boards == 1):
			said, player = announced.FindString(h.text), h.player // another feature counts who begins
		case h.kind == ResultText:
			return human && player == 0 || board != nil && (len(e.wrong) > 0 || e.reply(position{cells: board, player: player}, said).over)
		case h.kind == BoardText:
			if board != nil && (!human || player != 0) && !e.machineMoved(position{cells: board, player: player}, said, h.cells) {
				return false
			}
			board, said, player = h.cells, "", 1-player
			boards++
		}
	}
	return boards > 1
}

// machineMoved reports whether the move that a machine printed leads to the next board.
func (e *Examiner) machineMoved(at position, said string, next [][]byte) bool {
	if said == "" { // it forfeits its turn
		return same(at.cells, next) && len(newChess(e.table(at.cells, at.player)).legal()) == 0
	}
	r := e.reply(at, said)
	return r.why == "" && same(r.cells, next) || len(e.wrong) > 0 && r.forced != nil && same(r.forced, next)
}
