package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/review"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// judge lets an engine judge every move of the line on the board.
type judge struct {
	c     *common
	t     *table.Table
	job   *job
	nodes []*record.Node // the line
	now   verdict
	wrote func() // is called when something was written into the record
}

// verdict is what the job sends: scores of the first positions of the line, and
// in the end what the moves gave away.
type verdict struct {
	scores []int // for the first side
	moves  []review.Move
	err    error
}

// judgeNodes is how many nodes a position is searched: some tenths of a second.
const judgeNodes = 30_000

func newJudge(c *common, t *table.Table, wrote func()) *judge {
	return &judge{c: c, t: t, wrote: wrote}
}

func (j *judge) begun() bool { return j.job != nil }

// telling is a search that tells the score of each position as it is searched.
type telling struct {
	engine.Searcher
	tell func(score int)
}

// Search implements engine.Searcher.
func (s telling) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	line := s.Searcher.Search(ctx, p, l, report)
	score := line.Score
	if p.Turn() == game.Second {
		score = -score
	}
	s.tell(score)
	return line
}

// start begins to judge.
func (j *judge) start() tea.Cmd {
	j.nodes = j.t.At().Last().Path()
	if len(j.nodes) == 0 {
		j.c.say("There is no move to judge.")
		return nil
	}
	s, err := j.c.env.Searcher(j.t.Game())
	if err != nil {
		j.c.warn(err)
		return nil
	}
	moves := make([]game.Move, len(j.nodes))
	for i, n := range j.nodes {
		moves[i] = n.Move
	}
	g, start := j.t.Game(), j.t.Match().Start()
	j.job.stop()
	j.now = verdict{}
	var cmd tea.Cmd
	j.job, cmd = j.c.start(j.job, func(ctx context.Context, send func(any)) {
		var scores []int
		tell := func(score int) {
			scores = append(scores, score)
			send(verdict{scores: slices.Clone(scores)})
		}
		list, err := review.Game(ctx, telling{s, tell}, g, start, moves, engine.Limit{Nodes: judgeNodes})
		send(verdict{scores, list, err})
	})
	return cmd
}

// take takes a message of the job; the last one is written into the record.
func (j *judge) take(msg jobMsg) tea.Cmd {
	v, ok := msg.msg.(verdict)
	if ok && v.err == nil {
		j.now = v
	}
	if ok && v.moves != nil && v.err == nil {
		j.write()
		j.wrote()
	}
	return j.job.next
}

// write puts marks and scores on the moves.
func (j *judge) write() {
	marks := map[review.Mark][]uint8{review.Inaccuracy: {6}, review.Mistake: {2}, review.Blunder: {4}}
	for i, m := range j.now.moves {
		n := j.nodes[i]
		n.Marks = slices.Clone(marks[m.Mark])
		if i+1 < len(j.now.scores) && abs(j.now.scores[i+1]) <= engine.MaxEval {
			n.Eval = &record.Eval{Score: j.now.scores[i+1]}
		}
	}
}

// worst returns the moves that gave away most, the worst first: at most five.
func (j *judge) worst() (list []*record.Node) {
	for _, i := range j.ranked() {
		list = append(list, j.nodes[i])
	}
	return list
}

func (j *judge) ranked() (list []int) {
	for i, m := range j.now.moves {
		if m.Mark != review.Good {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(j.now.moves[b].Chance, j.now.moves[a].Chance) })
	return list[:min(len(list), 5)]
}

// draw draws the graph and the worst moves, and returns how many rows it took.
func (j *judge) draw(canvas *paint.Canvas, r paint.Rect) int {
	const high = 6
	if r.H < high+2 {
		return 0
	}
	j.graph(canvas, paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: high})
	names := j.t.Game().Sides
	canvas.Clip(r.X, r.Y, r.W, fmt.Sprintf("%s %s ahead", j.c.signs.Up, names[0]), paint.Style{FG: paint.Dim})
	canvas.Clip(r.X, r.Y+high+1, r.W, fmt.Sprintf("%s %s ahead", j.c.signs.Down, names[1]), paint.Style{FG: paint.Dim})
	y := r.Y + high + 2
	if done := len(j.now.scores); j.now.moves == nil {
		canvas.Clip(r.X, y, r.W, fmt.Sprintf("judging: %d of %d positions", done, len(j.nodes)+1), paint.Style{FG: paint.Dim})
		return high + 3
	}
	for _, i := range j.ranked() {
		if y >= r.Y+r.H {
			break
		}
		canvas.Clip(r.X, y, r.W, j.sentence(i), paint.Style{})
		canvas.Zone(paint.Rect{X: r.X, Y: y, W: r.W, H: 1}, jump{j.nodes[i]})
		y++
	}
	if len(j.ranked()) == 0 && y < r.Y+r.H {
		canvas.Clip(r.X, y, r.W, "no move lost 5 percent or more", paint.Style{FG: paint.Dim})
		y++
	}
	return y - r.Y
}

// sentence says what a move gave away.
func (j *judge) sentence(i int) string {
	m := j.now.moves[i]
	match, err := j.t.Record.Match(j.nodes[i].Parent)
	if err != nil {
		return ""
	}
	p := match.Position()
	return fmt.Sprintf("%d. %s%s lost %.0f %%, best %s", i+1, p.Format(m.Played), m.Mark, 100*m.Chance, p.Format(m.Best))
}

// graph draws a column for each position: up for the first side, down for the
// second. The position on the board has a sign of its own.
func (j *judge) graph(canvas *paint.Canvas, r paint.Rect) {
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
		if i < len(j.now.scores) {
			lead = 2*share(j.now.scores[i]) - 1
		}
		for row := range half {
			up, down := j.step(lead*float64(half)-float64(row)), j.step(-lead*float64(half)-float64(row))
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

// step returns the sign for a part of a row, "" for none of it.
func (j *judge) step(part float64) string {
	steps := j.c.signs.Steps
	if part < 0.06 {
		return ""
	}
	return steps[min(int(part*float64(len(steps))), len(steps)-1)]
}
