package formats

import (
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/record"
	"quintet/record/ggf"
)

// writeSGF writes a game of Othello, Lines of Action or Connect6.
func writeSGF(text []byte, r *record.Record) ([]byte, Omitted, error) {
	if err := r.Check(); err != nil {
		return nil, nil, err
	}
	w := sgfWriter{out: text, r: r, size: len(r.Start.Board().Rows)}
	for _, g := range sgfGames() {
		if g.name == r.Game.Name {
			w.g = g
		}
	}
	if w.g.name == "" {
		return nil, nil, fmt.Errorf("sgf: supports only Othello, Lines of Action and Connect6, and this is %s", r.Game.Name)
	}
	for _, c := range r.Start.Board().Cells {
		if c.Kind == game.Pit {
			return nil, nil, fmt.Errorf("sgf: the board has pits, which the format cannot express: use quintet or console")
		}
	}
	w.root()
	w.line(r.Root, r.Start.Turn(), r.Start.Clone())
	return append(w.out, ")\n"...), nil, w.err
}

// sgfWriter writes one game.
type sgfWriter struct {
	out  []byte
	r    *record.Record
	g    sgfGame
	size int
	err  error
}

// prop writes a property.
func (w *sgfWriter) prop(name, text string) {
	if strings.Contains(text, "\r") && w.err == nil {
		w.err = fmt.Errorf("sgf: %s %q has a carriage return, which the format cannot express", name, text)
	}
	w.out = fmt.Appendf(w.out, "%s[%s]", name, sgfValue(text))
}

// root writes the properties of the first node except its annotations.
func (w *sgfWriter) root() {
	w.out = fmt.Appendf(w.out, "(;FF[4]GM[%s]CA[UTF-8]AP[Quintet]SZ[%d]%s", w.g.number, w.size, w.g.extra)
	for i, name := range []string{"PB", "PW"} {
		if w.r.Players[i] != "" {
			w.prop(name, w.r.Players[i])
		}
	}
	for _, t := range w.r.Tags {
		w.tag(t)
	}
	if result := w.result(); result != "" {
		w.prop("RE", result)
	}
	if w.r.Result.Over() && w.r.End != record.ByRules && w.r.End != record.Repetition {
		w.prop("QEND", string(w.r.End))
	}
	w.start()
	w.annotations(w.r.Root, game.First)
}

// tag writes a tag.
func (w *sgfWriter) tag(t record.Tag) {
	for _, known := range sgfTags {
		if known.name == t.Name {
			w.prop(known.prop, t.Value)
			return
		}
	}
	if prop, ok := strings.CutPrefix(t.Name, "SGF_"); ok && prop != "" && strings.Trim(prop, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !isReservedProperty(prop) {
		w.prop(prop, t.Value)
		return
	}
	w.out = fmt.Appendf(w.out, "QTAG[%s:%s]", t.Name, sgfValue(t.Value))
}

// isReservedProperty reports whether a property of the first node is not a plain tag.
func isReservedProperty(prop string) bool {
	const known = " B W FF GM SZ AB AW AE PL RE QSTART QEND SU CA ST AP C GC PB PW BL WL QSPENT V QEVAL TE BM IT DO QMARK QTAG "
	return strings.Contains(known, " "+prop+" ") || slices.ContainsFunc(sgfTags, func(t sgfTag) bool { return t.prop == prop })
}

// result returns the value of RE, "" if the game is not over.
func (w *sgfWriter) result() string {
	winner, won := w.r.Result.Winner()
	switch {
	case !w.r.Result.Over():
		return ""
	case !won:
		return "0"
	}
	how := map[record.End]string{record.Resigned: "R", record.OnTime: "T", record.Forfeit: "F"}[w.r.End]
	if discs := lead(w.r); w.g.name == "othello" && w.r.End == record.ByRules {
		how = fmt.Sprint(max(discs, -discs))
	}
	return string("BW"[winner]) + "+" + how
}

// start writes the position if it is not the usual one.
func (w *sgfWriter) start() {
	usual, err := w.r.Game.Start(w.r.Setup)
	if err == nil && ggf.Of(usual) && usual.String() == w.r.Start.String() {
		return
	}
	for side, name := range []string{"AB", "AW"} {
		cells := ggf.CellsIn(w.g.letters, w.r.Start)
		first := true
		for i := range cells {
			if at := w.g.symmetry(i, w.size); cells[at] == w.g.letters[side] {
				if first {
					w.out = append(w.out, name...)
				}
				first = false
				w.out = fmt.Appendf(w.out, "[%s]", w.g.point(i, w.size))
			}
		}
	}
	w.prop("PL", string("BW"[w.r.Start.Turn()]))
	w.prop("QSTART", w.r.Start.String())
}

// line writes the continuations of a node, variations in parentheses.
func (w *sgfWriter) line(at *record.Node, side game.Side, p game.Position) {
	for len(at.Next) == 1 {
		at = at.Next[0]
		w.node(at, side)
		p.Play(at.Move)
		side = p.Turn()
	}
	for _, n := range at.Next {
		w.out = append(w.out, "\n("...)
		w.node(n, side)
		q := p.Clone()
		q.Play(n.Move)
		w.line(n, q.Turn(), q)
		w.out = append(w.out, ')')
	}
}

// node writes a move and its annotations.
func (w *sgfWriter) node(n *record.Node, side game.Side) {
	w.out = append(w.out, "\n;"...)
	w.prop(string("BW"[side]), w.g.value(n.Move, w.size))
	w.annotations(n, side)
}

// annotations writes the annotations of a move.
func (w *sgfWriter) annotations(n *record.Node, side game.Side) {
	if n.Clock != nil {
		w.prop(string("BW"[side])+"L", seconds(n.Clock.Seconds()))
	}
	if n.Spent != nil {
		w.prop("QSPENT", seconds(n.Spent.Seconds()))
	}
	if n.Eval != nil {
		if n.Eval.Win == 0 {
			w.prop("V", fmt.Sprint(n.Eval.Score))
		}
		w.prop("QEVAL", n.Eval.String())
	}
	if len(n.Marks) == 1 && n.Marks[0] > 0 && int(n.Marks[0]) < len(sgfMarks) {
		w.out = append(w.out, sgfMarks[n.Marks[0]]...)
	} else if len(n.Marks) > 0 {
		w.out = append(w.out, "QMARK"...)
		for _, m := range n.Marks {
			w.out = fmt.Appendf(w.out, "[%d]", m)
		}
	}
	if n.Comment != "" {
		w.prop("C", n.Comment)
	}
}
