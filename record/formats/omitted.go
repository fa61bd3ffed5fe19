package formats

import (
	"errors"
	"fmt"

	"quintet/record"
)

// omitted returns which numbers of a record are lost in a format that has only a line of moves. If
// numbers is true, the format has the time of each move and the score of its evaluation, and only
// clock readings, depths and winning chances are lost. Variations, comments and marks are an error:
// people wrote them, so they are never dropped.
func omitted(format string, r *record.Record, numbers bool) (left Omitted, err error) {
	for todo := []*record.Node{r.Root}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], n.Next...)
		switch {
		case len(n.Next) > 1:
			return nil, fmt.Errorf("%s: there are variations after move %d, which the format cannot express", format, len(n.Path()))
		case n.Comment != "":
			return nil, fmt.Errorf("%s: there is a comment on move %d, which the format cannot express", format, len(n.Path()))
		case len(n.Marks) > 0:
			return nil, fmt.Errorf("%s: there is a mark on move %d, which the format cannot express", format, len(n.Path()))
		}
		if n.Clock != nil || n.Spent != nil && !numbers {
			left.add("times")
		}
		if e := n.Eval; e != nil && (!numbers || e.Win != 0 || e.Depth != 0) {
			left.add("evaluations")
		}
	}
	return left, nil
}

// Plain returns a copy of a record without variations, comments, marks and numbers.
func Plain(r *record.Record) *record.Record {
	c := *r
	c.Root = &record.Node{}
	at := c.Root
	for _, n := range r.Main() {
		at = at.Add(n.Move)
	}
	return &c
}

// omittedEnd names how a game ended. Formats of plain moves cannot say it.
const omittedEnd = "how it ended"

// errStart is the error of formats that have no start position.
var errStart = errors.New("the game does not begin in its usual position, which the format cannot express")

// movesOnly returns what is lost when only the moves are written.
func movesOnly(format string, r *record.Record) (Omitted, error) {
	usual, err := r.Game.Start(r.Setup)
	if err != nil || usual.String() != r.Start.String() {
		return nil, fmt.Errorf("%s: %w", format, errStart)
	}
	left, err := omitted(format, r, false)
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
