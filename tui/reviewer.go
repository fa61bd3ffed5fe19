package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/review"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// reviewer lets an engine review every move of the current line.
type reviewer struct {
	c       *shared
	t       *table.Table
	job     *job
	nodes   []*record.Node // the line
	scores  []int          // of its last positions, from the view of the first side
	moves   []review.Move  // the assessment of its last moves, once the review ends
	onWrite func()         // called after the record changed
}

// reviewNodes is the node limit per position: some tenths of a second.
const reviewNodes = 30_000

func (j *reviewer) started() bool { return j.job != nil || j.moves != nil }

// show shows assessments that are known already, of the last moves of a line.
func (j *reviewer) show(line []*record.Node, scores []int, moves []review.Move) {
	j.nodes, j.scores, j.moves = line, scores, moves
	j.write()
}

// start starts the review.
func (j *reviewer) start() tea.Cmd {
	j.nodes = j.t.At().Last().Path()
	if len(j.nodes) == 0 {
		return j.c.notify("There is no move to judge.")
	}
	s, err := j.c.env.Searcher(j.t.Game())
	if err != nil {
		return j.c.notifyError(err)
	}
	g := j.t.Game()
	w, err := review.NewWalk(g, j.t.Match().Start(), record.Moves(j.nodes), nil, bots.ProfileFor(g).Exact)
	if err != nil {
		return j.c.notifyError(err)
	}
	j.scores, j.moves = nil, nil
	j.job = j.c.start(j.job, func(ctx context.Context, send func(call)) {
		j.walk(ctx, s, w, send)
	})
	return j.job.next
}

// walk reviews the moves, and writes the assessments into the record at the end.
func (j *reviewer) walk(ctx context.Context, s engine.Searcher, w *review.Walk, send func(call)) {
	var scores []int
	var moves []review.Move
	for !w.Done() {
		turn, err := w.Step(ctx, s, engine.Limit{Nodes: reviewNodes})
		if err != nil {
			return
		}
		moves = append(turn, moves...)
		scores = review.Scores(moves)
		known := slices.Clone(scores)
		send(func() tea.Cmd { j.scores = known; return nil })
	}
	send(func() tea.Cmd {
		j.scores, j.moves = scores, moves
		j.write()
		j.onWrite()
		return nil
	})
}

// write stores marks and scores in the record.
func (j *reviewer) write() {
	marks := map[review.Mark][]uint8{review.Inaccuracy: {6}, review.Mistake: {2}, review.Blunder: {4}}
	for i, m := range j.moves {
		n := j.nodes[j.first()+i]
		n.Marks = slices.Clone(marks[m.Mark])
		if abs(j.scores[i+1]) <= engine.MaxEval {
			n.Eval = &record.Eval{Score: j.scores[i+1]}
		}
	}
}

// first returns how many moves of the line are not assessed.
func (j *reviewer) first() int { return len(j.nodes) - len(j.moves) }

// worst returns up to five moves with the largest losses, worst first.
func (j *reviewer) worst() (list []*record.Node) {
	for _, i := range j.ranked() {
		list = append(list, j.nodes[j.first()+i])
	}
	return list
}

func (j *reviewer) ranked() (list []int) {
	for i, m := range j.moves {
		if m.Mark != review.Good {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(j.moves[b].ExpectedLoss, j.moves[a].ExpectedLoss) })
	return list[:min(len(list), 5)]
}

// draw draws the graph and the worst moves and returns their height.
func (j *reviewer) draw(canvas *paint.Canvas, r paint.Rect) int {
	const high = 6
	if r.H < high+2 {
		return 0
	}
	j.graph(canvas, paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: high})
	names := j.t.Game().Sides
	canvas.Clip(r.X, r.Y, r.W, j.c.signs.Up+" "+j.c.signs.Text(names[0]+" ahead"), paint.Style{FG: paint.Dim})
	canvas.Clip(r.X, r.Y+high+1, r.W, j.c.signs.Down+" "+j.c.signs.Text(names[1]+" ahead"), paint.Style{FG: paint.Dim})
	y := r.Y + high + 2
	if done := len(j.scores); j.moves == nil {
		canvas.Clip(r.X, y, r.W, j.c.signs.Text(fmt.Sprintf("judging: %d of %d positions", done, len(j.nodes)+1)), paint.Style{FG: paint.Dim})
		return high + 3
	}
	for _, i := range j.ranked() {
		if y >= r.Y+r.H {
			break
		}
		canvas.Clip(r.X, y, r.W, j.c.signs.Text(j.sentence(i)), paint.Style{})
		canvas.Zone(paint.Rect{X: r.X, Y: y, W: r.W, H: 1}, jump{j.nodes[j.first()+i]})
		y++
	}
	if len(j.ranked()) == 0 && y < r.Y+r.H {
		canvas.Clip(r.X, y, r.W, j.c.signs.Text("no move lost 5 percent or more"), paint.Style{FG: paint.Dim})
		y++
	}
	return y - r.Y
}

// sentence describes the loss of a move.
func (j *reviewer) sentence(i int) string {
	m := j.moves[i]
	match, err := j.t.Record.Match(j.nodes[j.first()+i].Parent)
	if err != nil {
		return ""
	}
	p := match.Position()
	why := m.Why
	if why != "" {
		why = ": " + why
	}
	number := game.Numbers(j.t.Match().Start(), record.Moves(j.nodes))[j.first()+i]
	return fmt.Sprintf("%s %s%s lost %.0f %%, best %s%s", number, p.Format(m.Played), m.Mark, 100*m.ExpectedLoss, p.Format(m.Best), why)
}

// graph draws a column for each position: up for the first side, down for the second.
// It highlights the current position.
func (j *reviewer) graph(canvas *paint.Canvas, r paint.Rect) {
	n := len(j.nodes) + 1
	half := r.H / 2
	for x := range min(r.W, n) {
		i := x
		if n > r.W {
			i = x * (n - 1) / (r.W - 1)
		}
		here := i == j.t.Ply()
		style := paint.Style{FG: paint.Accent}
		if here {
			style = paint.Style{FG: paint.Target, BG: paint.Selected, Bold: true}
		}
		lead := 0.0
		if known := i - (n - len(j.scores)); known >= 0 {
			lead = 2*review.Chance(j.t.Game().Name, j.scores[known]) - 1
		}
		for row := range half {
			up, down := j.partialBlock(lead*float64(half)-float64(row)), j.partialBlock(-lead*float64(half)-float64(row))
			canvas.Put(r.X+x, r.Y+half-1-row, up, style)
			sign := ""
			if down != "" {
				sign = j.c.signs.Full
			}
			canvas.Put(r.X+x, r.Y+half+row, sign, paint.Style{FG: paint.Bad, BG: style.BG, Bold: here})
		}
		if lead == 0 || here && lead < 0.05 {
			canvas.Put(r.X+x, r.Y+half-1, j.c.signs.Steps[0], style)
		}
	}
}

// partialBlock returns the block sign for a fraction of a row, "" for none.
func (j *reviewer) partialBlock(part float64) string {
	steps := j.c.signs.Steps
	if part < 0.06 {
		return ""
	}
	return steps[min(int(part*float64(len(steps))), len(steps)-1)]
}
