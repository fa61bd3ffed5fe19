package dialogue

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quintet/judge/marks"
)

// next says whose turn it is, and why.
func (x *examination) next(player int, because string) { x.expected, x.because = player, because }

// shown returns the first board of some parts, the one right after a move, or nil.
func (x *examination) shown(parts []heard) [][]byte {
	for _, h := range parts {
		if h.kind == BoardText {
			return h.cells
		}
	}
	return nil
}

// invalid checks the reply to an answer that must be refused.
func (x *examination) invalid(r reply, line string, parts []heard, changed bool) {
	feature, reason := x.subject(r.why)
	accepted := changed || !has(parts, Refusal) && has(parts, BoardText) && x.movedOn(parts)
	if feature != "robustness" && !x.onlyRule(x.at, line) { // a program without this rule may refuse it, too
		reason = strings.TrimPrefix(reason+", among other things", ", ")
	}
	x.note(feature, marks.Case{Answer: "refuses", Reason: reason}, !accepted)
	x.try(trial{x.at, line, accepted}, !accepted)
	if accepted {
		if r.forced != nil {
			x.note("board", marks.Case{Reason: "refused"}, same(x.shown(parts), r.forced))
		}
		x.note("responds", marks.Case{}, true)
		x.at.cells = x.board(parts)
		x.next(-1, "")
		return
	}
	x.note("texts", marks.Case{Reason: string(Refusal)}, has(parts, Refusal))
	if len(x.parts) > 0 && x.parts[0].player == x.at.player && !has(parts, PassText) {
		x.note("texts", marks.Case{Reason: "no board after an invalid move"}, !has(parts, BoardText))
	}
	x.note("result", marks.Case{Answer: "goes on"}, !has(parts, ResultText))
	x.next(x.at.player, "asks again")
}

// movedOn reports whether the turn went on after a reply that leaves the board as it was. A program that refuses a move in
// its own words may show the board again, and ask the same player. In Connect6 the player may have another stone.
func (x *examination) movedOn(parts []heard) bool {
	return x.Game == "connect6" || has(parts, PassText) || len(x.parts) > 0 && x.parts[0].player != x.at.player
}

// subject returns the feature that a reason to refuse an answer belongs to.
func (x *examination) subject(why string) (feature, reason string) {
	switch {
	case strings.HasPrefix(why, "goes ") && strings.Contains(why, " step"):
		return "distance", ""
	case strings.HasSuffix(why, "disc on a pit"):
		return "pits", why
	case strings.Contains(why, "not on the board"), strings.HasPrefix(why, "names a "), strings.HasPrefix(why, "has "):
		return "robustness", why
	case x.Game == "chess" && strings.Contains(why, "with a "), strings.HasPrefix(why, "moves a pawn"), strings.HasPrefix(why, "moves a ") && !strings.Contains(why, "side"):
		return "pieces", why
	}
	return "moves", why
}

// legal notes whether a valid move is accepted. Every feature of moves counts it, so that
// a program that refuses everything has none of them.
func (x *examination) legal(r reply, line string, accepted bool) {
	small := x.Words.Round != "" && strings.ToUpper(line) != line
	switch {
	case r.stop:
		x.note("result", marks.Case{Answer: "stops"}, accepted)
		return
	case small: // Othello and chess accept letters of either case
		x.note("robustness", marks.Case{Answer: "reads", Reason: r.kind, Shared: true}, accepted)
		return
	}
	x.try(trial{x.at, line, accepted}, accepted)
	shared := []string{"distance", "robustness"}
	own := "moves"
	if x.Game == "chess" {
		own, shared = "pieces", append(shared, "moves")
	}
	x.note(own, marks.Case{Answer: "accepts", Reason: r.kind}, accepted)
	x.decided(Refusing, x.traits(x.at, line), accepted)
	if at := x.at; !accepted && x.Game != "chess" {
		x.excuse(func(known []Fault) bool {
			length := slices.DeleteFunc(slices.Clone(known), func(f Fault) bool { return !slices.Contains(mobility[x.Game][0], f) })
			return x.having(length).made(at, line).why != ""
		})
	}
	for _, feature := range shared {
		x.note(feature, marks.Case{Answer: "accepts", Shared: true}, accepted)
	}
}

// excuse says which wrong rules explain the last observation.
func (x *examination) excuse(by func([]Fault) bool) { x.found[len(x.found)-1].Excuse = by }

// valid checks the reply to a valid move that is not refused.
func (x *examination) valid(r reply, line string, parts []heard, shown [][]byte, changed bool) {
	over := has(parts, ResultText)
	later := x.Game == "connect6" && shown == nil && !over // perhaps it shows the board later
	passed := len(x.parts) > 0 && x.parts[0].player != x.at.player
	switch {
	case r.over && !r.stop && len(parts) == 0: // it has made the move, and stops or goes on for ever at the end
		x.note("result", marks.Case{Answer: fmt.Sprint("ends ", r.winner), Reason: x.ending(r)}, false)
		x.next(-1, "")
		return
	case r.stop:
		x.legal(r, line, over)
	case !later:
		x.legal(r, line, changed || over || passed)
		if shown != nil || !over || x.Game != "chess" { // chess shows no last board
			right := shown != nil && same(shown, r.cells)
			x.note("board", marks.Case{Reason: r.kind}, right)
			at, cells := x.at, shown
			x.excuse(func(known []Fault) bool {
				q := x.having(known).made(at, line)
				return q.why == "" && cells != nil && same(cells, q.cells)
			})
			x.decided(Showing, x.traits(x.at, line), right)
			if shown != nil && !right {
				x.misplaced[misplaced(r.cells, shown, x.at.cells, r.last)] = true
			}
		}
	}
	if !changed && !over && !passed && !later {
		x.next(-1, "")
		return
	}
	if changed {
		x.note("responds", marks.Case{}, true)
		r.last = x.changed(shown, r.last)
		r.cells = shown
	}
	before := x.at
	x.at.cells = r.cells
	r.passes, r.over, r.winner, r.player = 0, false, -1, before.player
	x.goOn(&r, before)
	x.at.placed, x.at.first = r.placed, false
	x.next(r.player, map[bool]string{true: "goes on", false: "swaps"}[r.player == before.player])
	x.flow(parts, r, before)
	if board := x.board(parts); board != nil {
		x.at.cells = board
	}
}

// changed returns the cell in which two boards differ, if that is only one.
func (x *examination) changed(shown [][]byte, cell [2]int) [2]int {
	var list [][2]int
	for row := range shown {
		for col := range shown[row] {
			if shown[row][col] != x.at.cells[row][col] {
				list = append(list, [2]int{row, col})
			}
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return cell
}

// noResult stands for the winner of a game that goes on. A draw is -1.
const noResult = -2

// after returns a reply with what follows a move in a program with wrong rules.
func (x *examination) after(known []Fault, r reply, before position) reply {
	r.passes, r.over, r.winner, r.player = 0, false, -1, before.player
	x.having(known).goOn(&r, before)
	return r
}

// flow checks what follows a move: passes and the result.
func (x *examination) flow(parts []heard, r reply, before position) {
	passes, passer, result := 0, 1-before.player, heard{player: noResult}
	for _, h := range parts {
		switch h.kind {
		case PassText:
			if passes++; passes == 1 && h.player >= 0 {
				passer = h.player
			}
		case ResultText:
			result = h
		}
	}
	if r.over && r.passes == 0 && result.player == noResult { // what it does instead does not count, too
		passes = 0
	}
	answer := map[bool]string{true: "passes", false: "plays"}[r.passes > 0]
	named := passes == 0 || passer == 1-before.player
	x.note("passes", marks.Case{Answer: answer}, passes == r.passes && named)
	x.excuse(func(known []Fault) bool {
		return x.after(known, r, before).passes == passes && named != slices.Contains(known, "pass-other")
	})
	if r.passes == 0 && !r.over && x.Words.Pass != "" {
		if x.plays++; passes > 0 || x.plays%everyTrial == 0 {
			x.decided(Skipping, x.legalTraits(position{cells: r.cells, player: r.player}), passes == 0)
		}
	}
	x.at.passed += passes
	if passes != r.passes { // its consequences do not count again
		x.next(-1, "")
		return
	}
	if r.over {
		x.note("result", marks.Case{Answer: fmt.Sprint("ends ", r.winner), Reason: x.ending(r)}, result.player == r.winner)
		if x.turn > 0 {
			x.decided(Ending, x.traits(before, x.lines[x.turn-1]), result.player == r.winner)
		}
		x.next(-1, "")
	} else {
		x.note("result", marks.Case{Answer: "goes on", Reason: x.ending(r)}, result.player == noResult)
	}
	x.excuse(func(known []Fault) bool {
		q := x.after(known, r, before)
		return q.over == (result.player != noResult) && (!q.over || q.winner == result.player)
	})
}

// endings are mistakes about the end of a game, by which ending classifies checks.
var endings = map[string][]Fault{
	"neighbors": {"four-connected", "edges-connect", "single-apart", "no-draw", "isolated-goes-on"},
	"loa":       {"four-connected", "edges-connect", "single-apart", "no-draw"},
	"othello":   {"pits-counted", "full-by-discs", "one-pass-ends"},
	"connect6":  {"no-horizontal", "no-vertical", "no-falling", "no-rising", "exactly-six", "five-wins", "both-colours", "lines-wrap", "full-first"},
}

// ending returns the first mistake with which the game would end differently, or "".
func (x *examination) ending(r reply) string {
	switch {
	case r.passes > 0:
		return "after a pass"
	case x.Game == "connect6" && !r.over && bytes.Count(bytes.Join(r.cells, nil), []byte(".")) == 1:
		return "one cell left"
	}
	before := x.at
	before.first = false
	for _, f := range endings[x.Game] {
		if q := x.after([]Fault{f}, r, before); q.over != r.over || q.winner != r.winner {
			return string(f)
		}
	}
	return ""
}

// texts checks the wording of some parts, and what is missing among them.
func (x *examination) texts(parts []heard) {
	over := has(parts, ResultText)
	for i, h := range parts {
		rest := parts[i+1:]
		x.wording(h, x.text(h, rest))
		if h.kind == roundText {
			x.round = h.number
		}
		if h.kind == BoardText && x.Words.Round != "" && !x.digging {
			x.note("texts", marks.Case{Reason: string(roundText)}, i > 0 && (parts[i-1].kind == roundText || parts[i-1].kind == overText || has(parts, Refusal)))
		}
	}
	if over {
		x.note("texts", marks.Case{Reason: "last board"}, has(parts, BoardText) == (x.Game != "chess"))
		x.note("texts", marks.Case{Reason: string(overText)}, has(parts, overText) == (x.Words.Over != ""))
	}
}

// text returns the right text of a part. rest are the parts after it.
func (x *examination) text(h heard, rest []heard) string {
	name := func(names [2]string) string {
		if h.player < 0 {
			return names[max(x.expected, 0)]
		}
		return names[h.player]
	}
	switch h.kind {
	case BoardText:
		text := x.Words.BeforeBoard + x.Layout.draw(h.cells, 0) + x.Words.AfterBoard
		if len(rest) > 0 && (rest[0].kind == ResultText || rest[0].kind == overText) {
			text += x.Words.BeforeEnd
		}
		return text
	case Refusal:
		return x.refusal
	case PassText:
		return fmt.Sprintf(x.Words.Pass, name(x.Words.Players))
	case roundText:
		return fmt.Sprintf(x.Words.Round, x.round+1)
	case overText:
		return x.Words.Over
	case ResultText:
		if h.player < 0 {
			return x.Words.Draw
		}
		return fmt.Sprintf(x.Words.Wins, name(x.Words.Winners))
	}
	return ""
}

// wording compares a part with its right text: its words, and if those are right its white
// space.
func (x *examination) wording(h heard, want string) {
	t := talk{Program: x.Program}
	want = t.ends(want)
	if x.NoFinalLine && h.kind == ResultText {
		want = strings.TrimSuffix(want, x.LineEnd)
	}
	right := squeeze(h.text) == squeeze(want)
	reason := string(cmp.Or(h.asks, h.kind))
	if h.kind == Refusal || h.kind == ResultText { // there are several
		reason = strings.TrimSpace(want)
	}
	x.note("texts", marks.Case{Reason: reason}, right)
	if right {
		x.note("layout", marks.Case{Reason: string(h.kind)}, h.text == want)
	}
	if h.kind == PromptText {
		x.refusal = map[Kind]string{pitCount: x.Words.TooMany, pitPlace: x.Words.BadPit, PromptText: x.Words.Invalid}[h.asks]
	}
}
