package formats

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/game"
	"quintet/record"
)

// sgfTag maps a property to a tag.
type sgfTag struct{ prop, name string }

// sgfTags maps properties of SGF to tags of a record. Other properties of a root node
// become tags with the prefix SGF_.
var sgfTags = []sgfTag{
	{"EV", "Event"}, {"RO", "Round"}, {"DT", "Date"}, {"PC", "Site"}, {"AN", "Annotator"}, {"TM", "TimeControl"}, {"SO", "Source"}, {"CP", "Copyright"},
}

// sgfMarks are the properties for NAGs 1 to 6.
var sgfMarks = [7]string{1: "TE[1]", 2: "BM[1]", 3: "TE[2]", 4: "BM[2]", 5: "IT[]", 6: "DO[]"}

func isSGF(text string, _ Hint) bool { return strings.HasPrefix(strings.TrimSpace(text), "(") }

// readSGF parses games of Othello, Lines of Action and Connect6.
func readSGF(text string, h Hint, add addFunc) (left Omitted, err error) {
	s := &sgfReader{text: text}
	if s.skipSpace() == 0 {
		return nil, s.errorAt("no game: expected (;FF[4]GM[...]...)")
	}
	for s.skipSpace() != 0 {
		root, err := s.tree()
		if err != nil {
			return nil, err
		}
		b := sgfBuilder{text: text, root: root, left: &left, comments: record.Comments{}}
		r, err := b.record(h)
		if err == nil {
			err = add(r)
		}
		if err != nil {
			return nil, err
		}
	}
	return left, nil
}

// sgfBuilder builds a record from a tree of nodes.
type sgfBuilder struct {
	text string
	root *sgfNode
	g    sgfGame
	r    *record.Record
	size int
	left *Omitted

	comments record.Comments
	qmark    bool       // the node being read has QMARK, our own property, which lists all marks
	resigned *game.Side // the side that resigned at the end of the main line
}

// record builds the record.
func (b *sgfBuilder) record(h Hint) (*record.Record, error) {
	var err error
	if b.g, err = sgfGameOf(b.root, h); err != nil {
		return nil, record.At(b.text, b.root.at, err)
	}
	if b.r, err = b.g.start(b.root); err != nil {
		return nil, record.At(b.text, b.root.at, err)
	}
	b.size = len(b.r.Start.Board().Rows)
	if err := b.tree(); err != nil {
		return nil, err
	}
	if err := b.result(); err != nil {
		return nil, record.At(b.text, b.root.at, err)
	}
	return b.r, nil
}

// tree adds all nodes to the record.
func (b *sgfBuilder) tree() error {
	type task struct {
		n      *sgfNode
		at     *record.Node
		cursor *record.Cursor // to that node; clone it first, because variations share it
		main   bool
	}
	todo := []task{{b.root, b.r.Root, record.NewCursor(b.r.Game, b.r.Start), true}}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for t.cursor = t.cursor.Clone(); ; t.n = t.n.next[0] {
			at, err := b.node(t.n, t.at, t.cursor, t.main)
			if err != nil {
				return err
			}
			t.at = at
			if len(t.n.next) == 0 {
				break
			}
			if len(t.n.next) > 1 {
				branch := t.cursor.Clone()
				for _, n := range slices.Backward(t.n.next[1:]) {
					todo = append(todo, task{n, at, branch, false})
				}
			}
		}
		if t.main {
			o := t.cursor.Outcome()
			b.r.Result, b.r.End = o.Result, record.End(o.Reason)
		}
	}
	b.comments.Set()
	return nil
}

// node adds the moves of a node and their annotations after another.
func (b *sgfBuilder) node(n *sgfNode, at *record.Node, cursor *record.Cursor, main bool) (*record.Node, error) {
	var err error
	for _, p := range n.props {
		if p.name != "B" && p.name != "W" {
			continue
		}
		side := game.Side(strings.Index("BW", p.name))
		if strings.EqualFold(strings.TrimSpace(p.values[0]), "resign") {
			if main {
				b.resigned = &side
			}
			continue
		}
		if at, err = b.play(p, side, at, cursor); err != nil {
			return nil, record.At(b.text, p.at, err)
		}
	}
	_, b.qmark = n.get("QMARK")
	for _, p := range n.props {
		if err := b.property(n, p, at); err != nil {
			return nil, record.At(b.text, p.at, err)
		}
	}
	return at, nil
}

// play plays the moves of a property. Every stone, including the second of a turn,
// must belong to the property's side.
func (b *sgfBuilder) play(p sgfProp, side game.Side, at *record.Node, cursor *record.Cursor) (*record.Node, error) {
	for _, value := range p.values {
		moves, err := b.g.moves(value, b.size)
		if err != nil {
			return nil, err
		}
		if legal := cursor.Legal(); len(legal) == 1 && legal[0] == game.Pass && moves[0] != game.Pass && side != cursor.Position().Turn() {
			if err := cursor.Play(game.Pass); err != nil { // files may omit passes
				return nil, fmt.Errorf("%s[%s]: %w", p.name, value, err)
			}
			at = at.Follow(game.Pass)
		}
		for i, mv := range moves {
			if !cursor.Outcome().Result.Over() && side != cursor.Position().Turn() {
				when := ""
				if i > 0 {
					when = "after one stone "
				}
				return nil, fmt.Errorf("%s[%s]: %sit is the turn of %s", p.name, value, when, b.r.Game.Sides[side.Other()])
			}
			if err := cursor.Play(mv); err != nil {
				err = fmt.Errorf("%s[%s]: %w", p.name, value, err)
				return nil, record.WithLegalMoves(err, cursor.Position(), func(m game.Move) string { return b.g.value(m, b.size) })
			}
			at = at.Follow(mv)
		}
	}
	return at, nil
}

// property handles a property that is not a move.
func (b *sgfBuilder) property(n *sgfNode, p sgfProp, at *record.Node) error {
	value := sgfText(p.values[0])
	switch p.name {
	case "B", "W", "FF", "GM", "SZ", "AB", "AW", "AE", "PL", "RE", "QSTART", "QEND", "SU", "CA", "ST", "AP":
		if n != b.root && strings.HasPrefix(p.name, "A") && p.name != "AP" || p.name == "AE" {
			return fmt.Errorf("%s: expected stones set up in the first node only", p.name)
		}
	case "C", "GC":
		b.comments.Add(at, value)
	case "PB", "PW":
		b.r.Players[strings.Index("BW", p.name[1:])] = value
	case "BL", "WL":
		return duration(value, &at.Clock)
	case "QSPENT":
		return duration(value, &at.Spent)
	case "V", "QEVAL":
		return b.eval(p.name, value, at)
	case "TE", "BM", "IT", "DO", "QMARK":
		return b.mark(p, at)
	case "QTAG":
		for _, v := range p.values {
			name, value, _ := strings.Cut(v, ":")
			if err := b.tag(name, sgfText(value)); err != nil {
				return err
			}
		}
	default:
		return b.fact(n, p.name, value)
	}
	return nil
}

// fact handles a property of the root.
func (b *sgfBuilder) fact(n *sgfNode, prop, value string) error {
	if n != b.root {
		b.left.add(prop)
		return nil
	}
	for _, known := range sgfTags {
		if known.prop == prop {
			return b.tag(known.name, value)
		}
	}
	return b.tag("SGF_"+prop, value)
}

// tag sets a tag of the record, of which there must be few: SetTag searches them.
func (b *sgfBuilder) tag(name, value string) error {
	if len(b.r.Tags) > record.MaxTags {
		return b.r.Check()
	}
	b.r.SetTag(name, value)
	return nil
}

// duration parses seconds.
func duration(text string, to **time.Duration) error {
	s, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(s > -1e7 && s < 1e7) {
		return fmt.Errorf("time %q: expected seconds, such as 59.5", text)
	}
	d := time.Duration(s * 1e9).Round(time.Millisecond)
	*to = &d
	return nil
}

// eval parses V[12], a value for Black, or our own QEVAL[#-3,18].
func (b *sgfBuilder) eval(prop, value string, at *record.Node) error {
	e, err := record.ParseEval(value)
	if prop == "V" {
		if at.Eval != nil { // QEVAL is more precise
			return nil
		}
		var score float64
		if score, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && score > -1e9 && score < 1e9 {
			e = &record.Eval{Score: int(score)}
			if float64(e.Score) != score {
				b.left.add("fractions in evaluations")
			}
		} else if err == nil {
			err = errors.New("expected a number")
		}
	}
	if err != nil {
		return fmt.Errorf("%s[%s]: %w", prop, value, err)
	}
	at.Eval = e
	return nil
}

// mark parses a mark; our own QMARK lists all.
func (b *sgfBuilder) mark(p sgfProp, at *record.Node) error {
	if at.Parent == nil {
		b.left.add("marks before the first move")
		return nil
	}
	if p.name == "QMARK" {
		at.Marks = nil
		for _, v := range p.values {
			number, err := strconv.ParseUint(v, 10, 8)
			if err != nil {
				return fmt.Errorf("QMARK[%s]: expected 0 to 255", v)
			}
			at.Marks = append(at.Marks, uint8(number))
		}
		return nil
	}
	if b.qmark {
		return nil
	}
	for number, text := range sgfMarks {
		if text == p.name+"["+p.values[0]+"]" || number > 4 && strings.HasPrefix(text, p.name) {
			at.Marks = append(at.Marks, uint8(number))
		}
	}
	return nil
}

// result sets the result and the end.
func (b *sgfBuilder) result() error {
	value, given := b.root.get("RE")
	value = strings.ToUpper(strings.TrimSpace(sgfText(value)))
	winner, how, _ := strings.Cut(value, "+")
	result, ok := map[string]game.Result{"B": game.FirstWins, "BLACK": game.FirstWins, "W": game.SecondWins, "WHITE": game.SecondWins, "0": game.Draw, "DRAW": game.Draw}[winner]
	if !ok && b.resigned != nil {
		result, how, ok = game.Win(b.resigned.Other()), "R", true
	}
	if !ok {
		if given && value != "?" && value != "" {
			b.r.SetTag("SGF_RE", value)
		}
		return nil
	}
	if b.r.Result.Over() {
		if b.r.Result != result {
			return fmt.Errorf("RE[%s]: after the last move it is %s", value, b.r.Result)
		}
		return nil
	}
	b.r.Result, b.r.End = result, record.Adjudged
	switch {
	case strings.HasPrefix(how, "R") || b.resigned != nil:
		b.r.End = record.Resigned
	case strings.HasPrefix(how, "T"):
		b.r.End = record.OnTime
	case strings.HasPrefix(how, "F"):
		b.r.End = record.Forfeit
	case result == game.Draw:
		b.r.End = record.Agreed
	}
	if end, ok := b.root.get("QEND"); ok {
		b.r.End = record.End(end)
	}
	return b.r.Check()
}
