package tui

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"quintet/game"
	"quintet/record"
	"quintet/review"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// panel draws the side panel: players, status, analysis and moves.
func (p *play) panel(canvas *paint.Canvas, r paint.Rect) {
	y := r.Y
	for _, s := range []game.Side{game.Second, game.First} {
		p.player(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: 2}, s)
		y += 2
	}
	y++
	style := paint.Style{FG: paint.Accent, Bold: true}
	y += wrap(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: 3}, p.c.signs.Text(p.status()), style)
	if note := p.t.Position().Board().Note; note != "" {
		y += wrap(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: 2}, p.c.signs.Text(note), paint.Style{FG: paint.Dim})
	}
	y++
	if p.analysis.on || p.analysis.all {
		y += p.analysis.draw(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y}) + 1
	}
	p.drawMoves(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y})
}

// player draws a side: sign, player, clock and pieces.
func (p *pane) player(canvas *paint.Canvas, r paint.Rect, s game.Side) {
	style := paint.Style{}
	if p.t.Turn() == s && !p.t.Over() {
		style = paint.Style{BG: paint.Chosen, Bold: true}
		canvas.Fill(paint.Rect{X: r.X, Y: r.Y, W: r.W, H: 1}, style)
		canvas.Text(r.X, r.Y, p.c.signs.Arrow, style)
	}
	b := p.t.Position().Board()
	x := canvas.Text(r.X+2, r.Y, p.sideSign(s), style)
	clock := ""
	if p.t.Clock.Control.On() {
		clock = clockText(p.t.Clock.Remaining(s, p.c.env.Now()))
	}
	canvas.Clip(x+1, r.Y, r.X+r.W-x-len(clock)-2, p.c.signs.Text(p.t.Game().Sides[s])+"  "+p.c.signs.Text(p.t.Seats[s]), style)
	if clock != "" {
		cs := style
		if p.t.Clock.Remaining(s, p.c.env.Now()) < 10*time.Second {
			cs.FG, cs.Bold = paint.Bad, true
		}
		canvas.Right(r.X+r.W-1, r.Y, clock, cs)
	}
	canvas.Clip(r.X+4, r.Y+1, r.W-4, p.c.signs.Text(p.count(b, s)), paint.Style{FG: paint.Dim})
}

// sideSign returns the sign of a side: that of its first piece in menus.
func (p *pane) sideSign(s game.Side) string {
	g := p.t.Game()
	for _, l := range g.Form().Letters {
		if l.Piece.Side == s {
			return p.c.signs.Piece(l.Piece, g.Look.Dark())
		}
	}
	return ""
}

// count returns the number of a side's pieces and its losses.
func (p *pane) count(b game.Board, s game.Side) string {
	now, lost := kinds(b, s), kinds(p.t.Match().Start().Board(), s)
	n, text := 0, ""
	for kind, k := range now {
		n += k
		lost[kind] -= k
	}
	letters := []byte("QRBNPK")
	for kind := range lost {
		if !slices.Contains(letters, kind) {
			letters = append(letters, kind)
		}
	}
	for _, kind := range letters {
		if lost[kind] > 0 {
			text += strings.Repeat(p.c.signs.Piece(game.Piece{Kind: kind, Side: s}, p.t.Game().Look.Dark()), lost[kind])
		}
	}
	if text != "" {
		return fmt.Sprintf("%d on the board, lost %s", n, text)
	}
	return fmt.Sprintf("%d on the board", n)
}

func kinds(b game.Board, s game.Side) map[byte]int {
	n := map[byte]int{}
	for _, piece := range b.Cells {
		if piece.Kind != game.Empty && piece.Kind != game.Pit && piece.Side == s {
			n[piece.Kind]++
		}
	}
	return n
}

// clockText formats a clock, with tenths when little time is left.
func clockText(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("0:%04.1f", math.Floor(d.Seconds()*10)/10)
	case d < time.Hour:
		return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

// status describes the state of the game.
func (p *play) status() string {
	side := p.t.Game().Sides[p.t.Turn()]
	switch {
	case p.t.Over():
		return OutcomeText(p.t) + ". n: another game, a: review, u: undo"
	case p.t.Paused:
		return "Paused: p resumes"
	case p.thinks != nil:
		return side + " is thinking..."
	case p.mustPass():
		return side + " has no move and must pass: press Enter"
	}
	return statusText(p.t)
}

// statusText says whose turn it is, or how a game ended.
func statusText(t *table.Table) string {
	if t.Over() {
		return OutcomeText(t)
	}
	return t.Game().Sides[t.Turn()] + " to move"
}

// OutcomeText describes how a game ended.
func OutcomeText(t *table.Table) string {
	result, end := t.Outcome()
	why := map[record.End]string{
		record.Repetition: " by repetition", record.Resigned: " by resignation", record.Halted: " after a halt", record.OnTime: " on time",
		record.Agreed: " by agreement", record.Adjudged: " by adjudication", record.Forfeit: " by forfeit",
	}[end]
	if winner, won := result.Winner(); won {
		return t.Game().Sides[winner] + " wins" + why
	}
	return "Draw" + why
}

// drawMoves lists the moves of the line, scrolled to the current one.
func (p *pane) drawMoves(canvas *paint.Canvas, r paint.Rect) {
	if r.H < 2 {
		return
	}
	canvas.Text(r.X, r.Y, p.c.signs.Text("Moves"), paint.Style{FG: paint.Dim, Underline: true})
	words, at := lineWords(p.t)
	width := 0
	for _, w := range words {
		width = max(width, len(w.text)+2)
	}
	across := max(r.W/max(width, 1), 1)
	rows := (len(words) + across - 1) / across
	first, shown := paint.Span(rows, r.H-1, at/across)
	for i := first * across; i < min((first+shown)*across, len(words)); i++ {
		x, y := r.X+i%across*width, r.Y+1+i/across-first
		style := paint.Style{}
		if i == at {
			style = paint.Style{BG: paint.Chosen, Bold: true}
		} else if i > at {
			style.FG = paint.Dim
		}
		end := canvas.Text(x, y, words[i].text, style)
		canvas.Zone(paint.Rect{X: x, Y: y, W: end - x, H: 1}, jump{words[i].node})
	}
}

// jump is the message of a click on a move.
type jump struct{ node *record.Node }

type word struct {
	text string
	node *record.Node
}

// lineWords returns the moves of the current line and the index of the current one;
// -1 for none.
func lineWords(t *table.Table) (words []word, at int) {
	p, path := t.Match().Start(), t.At().Last().Path()
	number := ""
	for i, next := range game.Numbers(p, record.Moves(path)) {
		n := path[i]
		text := p.Format(n.Move) + glyphs(n.Marks)
		if next != number && (i == 0 || p.Turn() == game.First) {
			text = next + text
		}
		number = next
		if len(n.Parent.Next) > 1 {
			text += "*"
		}
		words = append(words, word{text, n})
		p.Play(n.Move)
	}
	return words, t.Ply() - 1
}

// glyphs returns the annotation glyphs of a move, such as "!?".
func glyphs(marks []uint8) (text string) {
	for _, m := range marks {
		text += map[uint8]string{1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}[m]
	}
	return text
}

// draw draws the bar, the depth and the line, and returns their height. It does not depend on
// the search, so that the layout does not jump while it runs.
func (a *analysis) draw(canvas *paint.Canvas, r paint.Rect) int {
	score, ok := a.score()
	names := a.t.Game().Sides
	drawBar(canvas, paint.Rect{X: r.X, Y: r.Y, W: r.W, H: 1}, review.Chance(a.t.Game().Name, score), a.c.signs)
	text, dim := "thinking...", paint.Style{FG: paint.Dim}
	if ok {
		ahead := names[game.First]
		if score < 0 {
			ahead = names[game.Second]
		}
		text = fmt.Sprintf("%s %s  depth %d", ahead, strings.TrimPrefix(strings.TrimPrefix(longScore(abs(score)), "+"), "-"), a.line.Depth)
	}
	canvas.Clip(r.X, r.Y+1, r.W, a.c.signs.Text(text), paint.Style{Bold: true})
	canvas.Clip(r.X, r.Y+2, r.W, strings.Join(a.lineText(), " "), dim)
	rows := 3
	if text := a.c.bookText(a.t.Position()); text != "" {
		canvas.Clip(r.X, r.Y+rows, r.W, a.c.signs.Text(text), dim)
		rows++
	}
	if a.all {
		rows += a.drawValues(canvas, paint.Rect{X: r.X, Y: r.Y + rows, W: r.W, H: 3})
	}
	return rows
}

// bookText lists the best moves of the opening book in a position, "" if it has none.
func (c *shared) bookText(p game.Position) string {
	const most = 3
	var words []string
	for _, m := range c.env.Book(p) {
		if len(words) < most {
			words = append(words, fmt.Sprintf("%s %+.2f", p.Format(m.Best()), float64(m.Score)/100))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "book: " + strings.Join(words, ", ")
}

// drawValues lists the best moves with their values and returns the height.
func (a *analysis) drawValues(canvas *paint.Canvas, r paint.Rect) int {
	if a.valued == a.t.At() {
		moves := slices.SortedFunc(maps.Keys(a.values), func(x, y game.Move) int {
			return cmp.Or(a.values[y]-a.values[x], int(x)-int(y))
		})
		pos := a.t.Position()
		for i, m := range moves[:min(len(moves), r.H)] {
			canvas.Clip(r.X, r.Y+i, r.W, fmt.Sprintf("%-6s %s", pos.Format(m), a.c.signs.Text(longScore(a.values[m]))), paint.Style{})
		}
	}
	return r.H
}

func abs(n int) int { return max(n, -n) }

// drawBar draws a bar with a filled part.
func drawBar(canvas *paint.Canvas, r paint.Rect, part float64, s *paint.Signs) {
	n := int(math.Round(part * float64(r.W)))
	for i := range r.W {
		sign, style := s.Empty, paint.Style{FG: paint.Dim}
		if i < n {
			sign, style = s.Full, paint.Style{FG: paint.Accent}
		}
		canvas.Put(r.X+i, r.Y, sign, style)
	}
}
