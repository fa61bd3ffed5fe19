package live

import (
	"fmt"
	"slices"
	"strings"

	"quintet/game"
)

// Limits on conditional moves.
const (
	MaxPlanLines = 10 // of a side
	MaxPlanMoves = 16 // of a line
)

// Plan is the conditional moves of a side: lines of moves of both sides that may follow a position. It is no part of
// a table, because it must stay secret.
type Plan struct {
	Ply   int        `json:"ply"` // of the position
	Key   uint64     `json:"key"` // of the position
	Lines [][]string `json:"lines"`
}

// Plan checks lines of moves that may follow the position on the board, with the opponent of a side to move, and
// returns them in notation. A line ends with a move of the side, and no two answer the same moves differently. The error is an *Error.
func (t *Table) Plan(s game.Side, lines [][]string) (p Plan, err error) {
	switch {
	case t.State() != Live || t.settings.Clock.Days == 0 || t.players[s.Other()].Engine != "":
		return p, t.refuseAs(CodeNothing, "plan.never", "conditional moves are only for correspondence games in progress between people")
	case t.Turn() == s:
		return p, t.refuseAs(CodeTurn, "plan.turn", "it is your turn: move first")
	case len(lines) > MaxPlanLines:
		return p, invalid("lines", "plan.many", fmt.Errorf("%d lines: expected at most %d", len(lines), MaxPlanLines))
	}
	keys := t.match.Keys()
	p = Plan{Ply: t.Ply(), Key: keys[len(keys)-1], Lines: [][]string{}}
	answers := map[string]string{}
	for i, line := range lines {
		texts, err := t.planLine(s, line, answers)
		if err != nil {
			return p, t.refuseAs(CodeIllegal, "plan.line", "line %d, %s: %v", i+1, strings.Join(line, " "), err)
		}
		p.Lines = append(p.Lines, texts)
	}
	return p, nil
}

// planLine checks one line. answers has the answers of the lines before, by the moves that lead to them.
func (t *Table) planLine(s game.Side, line []string, answers map[string]string) (texts []string, err error) {
	if len(line) > MaxPlanMoves {
		return nil, fmt.Errorf("expected at most %d moves", MaxPlanMoves)
	}
	m, last := t.match.Clone(), s.Other()
	for _, text := range line {
		at := m.Position()
		mv, err := at.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		last, text = at.Turn(), at.Format(mv)
		if err := m.Play(mv); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		if before := strings.Join(texts, " "); last == s {
			if other, ok := answers[before]; ok && other != text {
				return nil, fmt.Errorf("%s: another line answers %s", text, other)
			}
			answers[before] = text
		}
		texts = append(texts, text)
	}
	if last != s {
		return nil, fmt.Errorf("a line must end with your move")
	}
	return texts, nil
}

// Rest returns what is left of the lines of a plan after the moves played since: none if the game has taken another way.
func (t *Table) Rest(p Plan) (lines [][]string) {
	keys := t.match.Keys()
	if t.Over() || p.Ply < 0 || p.Ply >= len(keys) || p.Ply > len(t.texts) || keys[p.Ply] != p.Key {
		return nil
	}
	since := t.texts[p.Ply:]
	for _, line := range p.Lines {
		if n := len(since); len(line) > n && slices.Equal(line[:n], since) {
			lines = append(lines, line[n:])
		}
	}
	return lines
}

// Answer returns the move of a plan for the side to move, "" if it has none, and whether it may have another one
// afterwards.
func (t *Table) Answer(p Plan) (move string, more bool) {
	for _, line := range t.Rest(p) {
		move, more = line[0], more || len(line) > 1
	}
	return move, more
}
