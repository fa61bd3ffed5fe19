package studies

import (
	"net/http"

	"quintet/game"
	"quintet/record"
	"quintet/serve/api"
)

// prepare returns edits in the form in which they are applied, or a problem if one cannot be.
// located completes that problem.
func (s *Study) prepare(edits []Edit, located func(i int, err error) error) ([]Edit, error) {
	s.Mu.Lock()
	after := builder{game: s.game, start: s.start, tree: s.tree.clone()}
	s.Mu.Unlock()
	list := make([]Edit, 0, len(edits))
	for i, e := range edits {
		e, err := after.edit(e)
		if err != nil {
			return nil, located(i, err)
		}
		list = append(list, e)
	}
	return list, nil
}

// builder applies the edits of clients to a tree: it knows the rules.
type builder struct {
	game  game.Game
	start game.Position
	tree  tree

	at    string // the node that match has reached; "" for none
	match *game.Match
}

// edit applies an edit that was checked, and returns it with what the server adds.
func (b *builder) edit(e Edit) (Edit, error) {
	switch e.Do {
	case "add":
		if b.tree.nodes[e.Parent].ID == "" {
			break // apply says so
		}
		if err := b.play(&e); err != nil {
			return e, err
		}
	case "delete":
		b.at = ""
	case "shapes":
		if e.Shapes == nil {
			e.Shapes = []Shape{}
		}
		if err := checkCells(e.Shapes, len(b.start.Board().Cells)); err != nil {
			return e, err
		}
	}
	err := b.tree.apply(e)
	if err == nil && e.Do == "add" {
		b.at = e.ID
	}
	return e, err
}

// illegal returns the problem of a move that cannot be added.
func illegal(err error) error {
	return api.Problemf(http.StatusUnprocessableEntity, "illegal", "%v", err).WithReason("replay").InField("moves")
}

// play plays the move of an edit, and adds its notation.
func (b *builder) play(e *Edit) error {
	if b.at != e.Parent {
		b.at, b.match = e.Parent, game.NewMatch(b.game, b.start)
		for _, text := range b.tree.path(e.Parent) {
			if err := b.match.PlayText(text); err != nil {
				return illegal(err)
			}
		}
	}
	p := b.match.Position()
	b.at = "" // until the edit is applied
	if err := b.match.PlayText(e.Move); err != nil {
		return illegal(err)
	}
	moves := b.match.Moves()
	mv := moves[len(moves)-1]
	v := api.MoveOf(p.Format(mv), mv)
	e.Move, e.SAN = v.Move, record.SAN(p, mv)
	if v.To != nil {
		e.Cells = &Cells{v.From, v.To}
	}
	return nil
}

func checkCells(list []Shape, cells int) error {
	for _, s := range list {
		if s.To < 0 || s.To >= cells || s.From != nil && (*s.From < 0 || *s.From >= cells) {
			return wrong("a shape at a cell out of range: the board has the cells 0 to %d", cells-1)
		}
	}
	return nil
}
