package hall

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestPanicInLock checks that a panic releases the lock of a room. Otherwise parking
// would wait for it while it holds the lock of the hall. Every lock in room.go is
// released so.
func TestPanicInLock(t *testing.T) {
	s, id := table(t)
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	w := &Watcher{}
	r.Watch(w, -1)
	if err := r.contain("test", func() { r.locked(func() { panic("in the lock") }) }); !errors.Is(err, ErrFault) {
		t.Fatal(err)
	}
	var sent string
	for l := range w.Lines() { // until it is closed
		sent = string(l.For(w))
	}
	if !s.Faulted(id) || s.panics.Load() != 1 || sent != "fault: "+FaultText {
		t.Errorf("faulted: %t, %d panics, and the watcher is sent %q", s.Faulted(id), s.panics.Load(), sent)
	}
	if _, err := s.Room(t.Context(), id); !errors.Is(err, ErrFault) {
		t.Errorf("the game is loaded again: %v", err)
	}
	s.Maintain(t.Context())

	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "room.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range ast.Preorder(file) {
		if x, ok := n.(*ast.ExprStmt); ok {
			call, _ := x.X.(*ast.CallExpr)
			if call == nil {
				continue
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Unlock" {
				t.Errorf("%s: Unlock without defer: want Room.locked", set.Position(n.Pos()))
			}
		}
	}
}
