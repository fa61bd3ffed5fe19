package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"quintet/game"
	"quintet/tui/look"
)

// panel is what stands beside the board: players, clocks, evaluation, moves.
func (p *play) panel(b game.Board, w, h int) string {
	lines := []string{""}
	for side := range game.Side(2) {
		lines = append(lines, p.player(side, w))
		if taken := p.captured(b, side); taken != "" {
			lines = append(lines, "  "+taken)
		}
	}
	if b.Note != "" {
		lines = append(lines, "", p.Look.Paint(look.Plain, b.Note))
	}
	if p.evaluate || p.values {
		lines = append(lines, p.evaluation(w)...)
	}
	lines = append(lines, p.insight(b)...)
	lines = append(lines, "")
	list := p.turns()
	if p.values {
		list = p.valueList()
	}
	return strings.Join(append(lines, p.columns(list, w, h-len(lines), !p.values)...), "\n")
}

// valueList are the legal moves with their values, the best first.
func (p *play) valueList() (words []string) {
	at, side := p.sit.Position(), p.sit.Turn()
	for _, v := range p.ranked() {
		if game.Legal(at, v.move) {
			words = append(words, fmt.Sprintf("%s %s", at.Format(v.move), scoreText(v.score, side)))
		}
	}
	return words
}

// player is the line of a side: its shape, who plays it, the clock.
func (p *play) player(side game.Side, w int) string {
	shape := string(p.Look.Glyphs.Shape(game.Stone, side == p.dark()))
	name := fmt.Sprintf("%s %-6s %s", shape, p.side(side), p.sit.Terms.Seats[side])
	over, _ := p.sit.Result()
	role, pointer := look.Plain, " "
	if p.sit.Turn() == side && !over.Over() {
		role, pointer = look.Accent, p.Look.Glyphs.Pointer
		if p.seats[side] != nil && p.sit.Running() {
			name += " thinks"
		}
	}
	line := p.Look.Paint(role, pointer+" "+name)
	if p.sit.Terms.Clock.Base == 0 {
		return line
	}
	left := p.sit.Left(side, p.Now())
	clock := look.Plain
	if left < 20*time.Second {
		clock = look.Bad
	}
	text := clockText(left)
	return pad(line, w-len(text)) + p.Look.Paint(clock, text)
}

// clockText is a time on a clock: with tenths when it runs out.
func clockText(d time.Duration) string {
	if d < 20*time.Second {
		return fmt.Sprintf("%d:%04.1f!", int(d.Minutes()), (d % time.Minute).Truncate(100*time.Millisecond).Seconds())
	}
	d = (d + time.Second - 1).Truncate(time.Second)
	if d >= time.Hour {
		return fmt.Sprintf("%d:%02d:%02d ", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d ", int(d.Minutes()), int(d.Seconds())%60)
}

// captured are the pieces that a side has taken: what the other had at the start
// and has no more.
func (p *play) captured(b game.Board, side game.Side) string {
	count := map[byte]int{}
	for _, piece := range p.start.Cells {
		if piece.Kind != game.Empty && piece.Kind != game.Pit && piece.Side == side.Other() {
			count[piece.Kind]++
		}
	}
	for _, piece := range b.Cells {
		if piece.Side == side.Other() {
			count[piece.Kind]--
		}
	}
	kinds := []byte{}
	for k, n := range count {
		if n > 0 {
			kinds = append(kinds, k)
		}
	}
	slices.SortFunc(kinds, func(a, b byte) int { return strings.IndexByte("QRBNP", a) - strings.IndexByte("QRBNP", b) })
	text := ""
	for _, k := range kinds {
		if n := count[k]; n > 0 {
			text += strings.Repeat(string(p.Look.Glyphs.Shape(k, side.Other() == p.dark())), n)
		}
	}
	if text == "" || !slices.ContainsFunc(p.sit.Match().Moves(), isShift) {
		return ""
	}
	return p.Look.Paint(look.Dim, "took ") + p.Look.Paint(look.Plain, text)
}

func isShift(m game.Move) bool {
	_, ok := m.From()
	return ok
}

// evaluation is the bar, the score, the depth and the line of the engine.
func (p *play) evaluation(w int) []string {
	found, known, err := p.thinker.read(p.turn)
	switch {
	case err != nil:
		return []string{"", p.Look.Paint(look.Bad, err.Error())}
	case !known:
		return []string{"", p.Look.Paint(look.Dim, strings.Repeat(string(p.Look.Glyphs.None), max(w-2, 0))), p.Look.Paint(look.Dim, "thinking"), ""}
	}
	width := max(w-2, 4)
	full := int(expected(found.line.Score, found.side)*float64(width) + 0.5)
	bar := strings.Repeat(string(p.Look.Glyphs.Full), full) + strings.Repeat(string(p.Look.Glyphs.None), width-full)
	text := fmt.Sprintf("%s for %s  depth %d", scoreText(found.line.Score, found.side), p.side(game.First), found.line.Depth)
	if found.line.Depth == 0 { // found without looking ahead ply by ply
		text = fmt.Sprintf("%s for %s  proved", scoreText(found.line.Score, found.side), p.side(game.First))
	}
	return []string{
		"", p.Look.Paint(look.Plain, bar), p.Look.Paint(look.Accent, text),
		p.Look.Paint(look.Dim, ansi.Truncate(p.lineText(found.line.Moves), w, "")),
	}
}

// lineText is moves to come in notation.
func (p *play) lineText(moves []game.Move) string {
	at := p.sit.Position()
	var words []string
	for _, mv := range moves {
		if !game.Legal(at, mv) {
			break
		}
		words = append(words, at.Format(mv))
		at.Play(mv)
	}
	return strings.Join(words, " ")
}

// columns sets words in columns; if there is no room for all, the last ones, or
// the first ones, are left.
func (p *play) columns(words []string, w, h int, last bool) []string {
	width := 0
	for _, word := range words {
		width = max(width, len(word)+2)
	}
	if len(words) == 0 || h < 1 {
		return nil
	}
	across := max(1, min((w+2)/width, 4))
	if rows := (len(words) + across - 1) / across; rows > h && last {
		words = words[(rows-h)*across:]
	} else if rows > h {
		words = words[:h*across]
	}
	var lines []string
	for row := range slices.Chunk(words, across) {
		var b strings.Builder
		for _, word := range row {
			fmt.Fprintf(&b, "%-*s", width, word)
		}
		lines = append(lines, p.Look.Paint(look.Dim, strings.TrimRight(b.String(), " ")))
	}
	return lines
}

// turns are the moves so far, those of one turn in one word with its number.
func (p *play) turns() (words []string) {
	at := p.sit.Record.Start.Clone()
	last, began := game.Side(2), false
	for _, n := range p.sit.Node().Path() {
		text, side := at.Format(n.Move), at.Turn()
		at.Play(n.Move)
		if began && side == last {
			words[len(words)-1] += " " + text
			continue
		}
		last, began = side, true
		words = append(words, fmt.Sprintf("%d. %s", len(words)+1, text))
	}
	return words
}
