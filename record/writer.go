package record

import (
	"fmt"
	"strings"

	"quintet/game"
)

// width is the maximum length of lines of moves.
const width = 80

// writer writes the movetext of PGN and of the text format.
type writer struct {
	out     []byte
	column  int
	open    string // a pending opening parenthesis
	format  func(p game.Position, m game.Move) string
	comment func(n *Node) (string, error) // text between the braces; no comment if empty
	paired  bool                          // one number for two turns, as in chess
	err     error
}

// tag writes a tag on a line.
func (w *writer) tag(t Tag, escape func(string) string) {
	w.out = fmt.Appendf(w.out, "[%s \"%s\"]\n", t.Name, escape(t.Value))
}

// moves writes the main line with its annotations and variations, and the result.
func (w *writer) moves(r *Record) ([]byte, error) {
	w.out = append(w.out, '\n')
	if w.writeComment(r.Root); w.column > 0 {
		w.out = append(w.out, '\n')
		w.column = 0
	}
	first := clock{turn: 1, side: r.Start.Turn(), fresh: true}
	if w.paired && first.side == game.Second {
		first.turn = 2
	}
	w.line(r.Root, r.Start.Clone(), first)
	w.word(resultText(r.Result))
	w.out = append(w.out, '\n')
	return w.out, w.err
}

// clock counts turns for move numbers.
type clock struct {
	turn  int       // of the side that is to move, from 1
	side  game.Side // which is to move
	fresh bool      // the number must be written
}

// number returns the move number if it must be written.
func (c clock) number(paired bool) string {
	switch {
	case !c.fresh:
		return ""
	case paired && c.turn%2 == 0:
		return fmt.Sprintf("%d...", c.turn/2)
	case paired:
		return fmt.Sprintf("%d.", (c.turn+1)/2)
	}
	return fmt.Sprintf("%d.", c.turn)
}

// next returns the clock after a move, with the side then to move.
func (c clock) next(side game.Side, paired bool) clock {
	if side == c.side {
		c.fresh = false
		return c
	}
	return clock{c.turn + 1, side, !paired || c.turn%2 == 0}
}

// line writes the continuations of a node: the first move, its alternatives as
// variations, then the rest of the first line.
func (w *writer) line(at *Node, p game.Position, c clock) {
	for len(at.Next) > 0 {
		first, others := at.Next[0], at.Next[1:]
		before := p
		if len(others) > 0 {
			before = p.Clone()
		}
		after := w.move(first, p, c)
		for _, n := range others {
			w.word("(")
			q := before.Clone()
			again := c
			again.fresh = true
			w.line(n, q, w.move(n, q, again))
			w.word(")")
		}
		if len(others) > 0 || w.paired && first.Comment != "" {
			after.fresh = true
		}
		at, c = first, after
	}
}

// move writes a move and its annotations, plays it and returns the clock after it.
func (w *writer) move(n *Node, p game.Position, c clock) clock {
	text := w.format(p, n.Move)
	if number := c.number(w.paired); number != "" {
		text = number + " " + text // keep both on one line
	}
	w.word(text)
	p.Play(n.Move)
	for _, m := range n.Marks {
		w.word(fmt.Sprintf("$%d", m))
	}
	w.writeComment(n)
	return c.next(p.Turn(), w.paired)
}

// writeComment writes a node's comment.
func (w *writer) writeComment(n *Node) {
	text, err := w.comment(n)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("move %d: %w", len(n.Path()), err)
	}
	if text != "" {
		w.word("{" + text + "}")
	}
}

// word writes a word after a blank, or on the next line if it does not fit.
func (w *writer) word(text string) {
	if text == "(" {
		w.open = text // keep it with the next move
		return
	}
	text, w.open = w.open+text, ""
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case w.column == 0 || text == ")":
	case w.column+1+len(first) > width:
		w.out = append(w.out, '\n')
		w.column = 0
	default:
		w.out = append(w.out, ' ')
		w.column++
	}
	w.out = append(w.out, text...)
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		w.column = len(text) - i - 1
		return
	}
	w.column += len(text)
}
