package hall

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestPanicInLock checks that a panic releases the lock of a room. Otherwise parking
// would wait for it while it holds the lock of the hall.
func TestPanicInLock(t *testing.T) {
	s, id := table(t)
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	w := &Watcher{}
	r.Watch(w, -1)
	err = r.contain("test", func() {
		l := r.lock()
		defer l.unlock()
		panic("in the lock")
	})
	if !errors.Is(err, ErrFault) {
		t.Fatal(err)
	}
	var sent string
	for l := range w.Messages() { // until it is closed
		sent = string(l.For(w))
	}
	if !s.Faulted(id) || s.panics.Load() != 1 || sent != "fault: "+FaultText {
		t.Errorf("faulted: %t, %d panics, and the watcher is sent %q", s.Faulted(id), s.panics.Load(), sent)
	}
	if _, err := s.Room(t.Context(), id); !errors.Is(err, ErrFault) {
		t.Errorf("the game is loaded again: %v", err)
	}
	s.Maintain(t.Context())
}

// TestUnlockIsDeferred checks that every lock of a room is released by a deferred call, so
// that a panic releases it, too.
func TestUnlockIsDeferred(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name != "lockIdle" { // which does nothing in between
				checkUnlocks(t, set, f)
			}
		}
	}
}

func checkUnlocks(t *testing.T, set *token.FileSet, f *ast.FuncDecl) {
	t.Helper()
	for n := range ast.Preorder(f) {
		if x, ok := n.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "unlock" {
					t.Errorf("%s: unlock without defer", set.Position(n.Pos()))
				}
			}
		}
	}
}
