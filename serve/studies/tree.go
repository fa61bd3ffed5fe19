package studies

import (
	"maps"
	"slices"
)

// Node is a move of a study with its annotations, or the root, which has no move.
type Node struct {
	ID     string `json:"id"`
	Parent string `json:"parent,omitempty"` // "" for the root
	Move   string `json:"move,omitempty"`
	SAN    string `json:"san,omitempty"`
	Cells
	Comment string  `json:"comment"`
	Glyph   string  `json:"glyph"`
	Shapes  []Shape `json:"shapes"`
	Order   int     `json:"order"` // among the moves after the parent
}

// node is a Node in its tree. Edits replace nodes, so that copies of a tree can share them.
type node struct {
	Node
	next []string // the moves after it, in their order
}

// tree is what the edits of a study amount to.
type tree struct {
	nodes      map[string]node
	title      string
	visibility Visibility
}

func newTree() tree {
	return tree{nodes: map[string]node{Root: {Node: Node{ID: Root, Shapes: []Shape{}}}}, visibility: Link}
}

func (t tree) clone() tree {
	t.nodes = maps.Clone(t.nodes)
	return t
}

// apply applies an edit that was checked. It returns a problem and changes nothing if
// the tree cannot have it.
func (t *tree) apply(e Edit) error {
	switch e.Do {
	case "title":
		t.title = *e.Text
		return nil
	case "visibility":
		t.visibility = e.Visibility
		return nil
	case "add":
		return t.add(e)
	}
	n, ok := t.nodes[e.ID]
	if !ok {
		return wrong("there is no node %q in the study", short(e.ID))
	}
	switch e.Do {
	case "delete":
		t.remove(n)
		return nil
	case "promote":
		return t.promote(n, *e.To)
	case "comment":
		n.Comment = *e.Text
	case "glyph":
		n.Glyph = *e.Glyph
	case "shapes":
		n.Shapes = e.Shapes
	}
	t.nodes[e.ID] = n
	return nil
}

func (t *tree) add(e Edit) error {
	parent, ok := t.nodes[e.Parent]
	switch {
	case !ok:
		return wrong("there is no node %q in the study to add a move after", short(e.Parent))
	case t.nodes[e.ID].ID != "":
		return wrong("there is a node %q already: choose another id", e.ID)
	case len(t.nodes) >= MaxNodes:
		return ErrFull
	}
	for _, id := range parent.next {
		if t.nodes[id].Move == e.Move {
			return wrong("the move %s is there already, as node %q: use that one", e.Move, id)
		}
	}
	n := node{Node: Node{ID: e.ID, Parent: e.Parent, Move: e.Move, SAN: e.SAN, Shapes: []Shape{}}}
	if e.Cells != nil {
		n.Cells = *e.Cells
	}
	t.nodes[e.ID] = n
	parent.next = append(slices.Clip(parent.next), e.ID) // other trees may share the array
	t.nodes[e.Parent] = parent
	return nil
}

// remove removes a node and all nodes after it.
func (t *tree) remove(n node) {
	parent := t.nodes[n.Parent]
	parent.next = slices.DeleteFunc(slices.Clone(parent.next), func(id string) bool { return id == n.ID })
	t.nodes[n.Parent] = parent
	for todo := []string{n.ID}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], t.nodes[id].next...)
		delete(t.nodes, id)
	}
}

// promote puts a node at a place among the moves after its parent.
func (t *tree) promote(n node, to int) error {
	parent := t.nodes[n.Parent]
	if to >= len(parent.next) {
		return wrong("place %d among %d moves: expected 0 to %d", to, len(parent.next), len(parent.next)-1)
	}
	rest := slices.DeleteFunc(slices.Clone(parent.next), func(id string) bool { return id == n.ID })
	parent.next = slices.Insert(rest, to, n.ID)
	t.nodes[n.Parent] = parent
	return nil
}

// list returns all nodes, every one after its parent: a line is followed to its end before
// its variations.
func (t tree) list() []Node {
	list := make([]Node, 0, len(t.nodes))
	for todo := []Node{t.nodes[Root].Node}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		list = append(list, n)
		next := t.nodes[n.ID].next
		for i := range slices.Backward(next) {
			child := t.nodes[next[i]].Node
			child.Order = i
			todo = append(todo, child)
		}
	}
	return list
}

// path returns the moves that lead to a node.
func (t tree) path(id string) (moves []string) {
	for n := t.nodes[id]; n.Parent != ""; n = t.nodes[n.Parent] {
		moves = append(moves, n.Move)
	}
	slices.Reverse(moves)
	return moves
}
