package judge

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// The games of the suite suit a right program. One that starts with the other player or another board,
// never changes the turn, or counts rows otherwise, refuses most of their moves, so they show little of its
// other features. Such a program gets games of its own.

// examineAll examines the games and, if the program has mistakes, games that suit it.
func (j *judgement) examineAll(ctx context.Context) {
	s := j.scorer()
	j.examine(&s, j.played)
	if len(j.findings) > 0 && s.tallies["responds"] != nil {
		if j.respell(ctx, &s); len(j.adapted) == 0 {
			j.adapt(ctx, &s)
		}
		j.examine(&s, j.adapted)
		s.Conclude(s.unreadable)
	}
	s.settle()
	j.score = s
}

// flows are mistakes in the order of turns, with the answer of the checks that they fail.
var flows = []struct {
	answer string
	fault  dialogue.Fault
}{{"starts", "second-first"}, {"swaps", "no-swap"}, {"asks again", dialogue.LosesTurn}}

// adapt plays games that suit the program's own start and order of turns, if those are wrong.
func (j *judgement) adapt(ctx context.Context, s *scorer) {
	q := j.variant.Program
	q.Start = s.Begins
	wrong := q.Start != nil
	for _, f := range flows {
		if right, all := s.tallies["turns"].Count(f.answer); all > 2 && right == 0 {
			q, wrong = q.With(f.fault), true
		}
	}
	for name := range s.names {
		if len(name) == 1 && s.unread(name) {
			q.Unread, wrong = q.Unread+name, true
		}
	}
	for _, f := range s.Conclude(s.unreadable) {
		q, wrong = q.With(f), true
	}
	if m, ok := s.suspect("board"); ok {
		q, wrong = q.With(dialogue.Fault(m.Name)), true
	}
	if !wrong {
		return
	}
	s.due = map[string]bool{}
	for _, g := range suite.Random(q, j.options.Seed) {
		if !q.Machines(g.Lines) {
			p, ok := j.again(ctx, played{lines: g.Lines, adapted: true}, 0)
			if !ok {
				return
			}
			p.want = q.Play(g.Lines, "")
			s.dueIn(p.want)
			if j.adapted = append(j.adapted, p); p.out.Ending == run.TimedOut {
				return // it would hang in the others, too
			}
		}
	}
}

// cellName matches the name of a cell.
var cellName = regexp.MustCompile(`([A-Za-z])(\d+)`)

// spellings are wrong ways to read a cell: how to type a column and a row, from 0, on a board of some size so that the
// program reads them.
var spellings = []struct {
	typed func(column, row, size int) (int, int)
	says  string
}{
	{func(c, r, _ int) (int, int) { return c, r - 1 }, "counts typed rows from a number too low"},
	{func(c, r, _ int) (int, int) { return c, r + 1 }, "counts typed rows from a number too high"},
	{func(c, r, _ int) (int, int) { return r, c }, "takes the letter for the row and the number for the column"},
	{func(c, r, size int) (int, int) { return c, size - 1 - r }, "counts typed rows from the bottom"},
}

// respell replaces the games by some with other numbers of rows, if the program accepts most valid moves
// only then.
func (j *judgement) respell(ctx context.Context, s *scorer) {
	if 2*s.accepted > s.valid {
		return
	}
	const probe, most = 3, 40
	for _, spelling := range spellings {
		t := j.scorer()
		j.examine(&t, j.respelled(ctx, spelling.typed, probe))
		if 5*t.accepted < 4*t.valid || t.valid == 0 {
			continue
		}
		j.adapted = j.respelled(ctx, spelling.typed, most)
		machine := s.tallies["machine"]
		*s = j.scorer()
		s.tallies["machine"] = machine
		s.add("robustness", marks.Case{Answer: "reads cells", Reason: spelling.says}, false, nil)
		return
	}
}

// respelled plays n games of the suite with other names of cells.
func (j *judgement) respelled(ctx context.Context, typed func(column, row, size int) (int, int), n int) (list []played) {
	first := map[string]int{"othello": 1, "chess": 1}[j.spec.Game]
	for i := range n {
		g := j.games[len(j.games)*(2*i+1)/(2*n)]
		if j.spec.Machines(g.Lines) {
			continue
		}
		p := played{read: g.Lines}
		for _, line := range g.Lines {
			p.lines = append(p.lines, cellName.ReplaceAllStringFunc(line, func(cell string) string {
				row, _ := strconv.Atoi(cell[1:])
				base := cell[0]&^31 + 1 // A or a
				c, r := typed(int(cell[0]-base), row-first, j.spec.Size)
				return fmt.Sprint(string(rune(int(base)+c)), r+first)
			}))
		}
		p, ok := j.again(ctx, p, 0)
		if !ok {
			break
		}
		if list = append(list, p); p.out.Ending == run.TimedOut {
			break // it would hang in the others, too
		}
	}
	return list
}
