package formats

import (
	"errors"
	"fmt"

	"quintet/record"
)

// capabilities is what a format can hold besides moves.
type capabilities struct {
	variations, comments, marks bool
	spent, clock                bool
	value, depth, win           bool // of evaluations
}

// omitted returns the numbers that the format omits. It returns an error for
// variations, comments and marks that the format cannot express: people wrote them, so
// they are never dropped.
func (h capabilities) omitted(format string, r *record.Record) (left Omitted, err error) {
	for todo := []*record.Node{r.Root}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], n.Next...)
		switch {
		case len(n.Next) > 1 && !h.variations:
			return nil, fmt.Errorf("%s: there are variations after move %d, which the format cannot express", format, len(n.Path()))
		case n.Comment != "" && !h.comments:
			return nil, fmt.Errorf("%s: there is a comment on move %d, which the format cannot express", format, len(n.Path()))
		case len(n.Marks) > 0 && !h.marks:
			return nil, fmt.Errorf("%s: there is a mark on move %d, which the format cannot express", format, len(n.Path()))
		}
		h.addOmitted(n, &left)
	}
	return left, nil
}

// addOmitted lists the clocks, times and evaluations of a node that the format omits.
func (h capabilities) addOmitted(n *record.Node, left *Omitted) {
	if n.Clock != nil && !h.clock || n.Spent != nil && !h.spent {
		left.add("times")
	}
	if e := n.Eval; e != nil && (!h.value || e.Win != 0 && !h.win || e.Depth != 0 && !h.depth) {
		left.add("evaluations")
	}
}

// Plain returns a copy of a record with only its main line, players, tags, result and
// end.
func Plain(r *record.Record) *record.Record {
	c := *r
	c.Root = &record.Node{}
	at := c.Root
	for _, n := range r.Main() {
		at = at.Add(n.Move)
	}
	return &c
}

// omittedEnd names the end, which formats with nothing but moves omit.
const omittedEnd = "how it ended"

// errStart is the error of formats that have no start position.
var errStart = errors.New("the game does not begin in its usual position, which the format cannot express")

// movesOnly returns what is omitted when only the moves are written.
func movesOnly(format string, r *record.Record) (Omitted, error) {
	usual, err := r.Game.Start(r.Setup)
	if err != nil || usual.String() != r.Start.String() {
		return nil, fmt.Errorf("%s: %w", format, errStart)
	}
	left, err := capabilities{}.omitted(format, r)
	if err != nil {
		return nil, err
	}
	if r.Players != [2]string{} {
		left.add("players")
	}
	for _, t := range r.Tags {
		left.add(t.Name)
	}
	m, err := r.Match(r.Last())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	if m.Outcome().Result != r.Result {
		left.add(omittedEnd)
	}
	return left, nil
}
