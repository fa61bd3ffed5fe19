package engine

import (
	"errors"
	"testing"
)

// distant is a searcher elsewhere that has failed.
type distant struct {
	Searcher

	err      error
	released int
}

func (d *distant) Err() error      { return d.err }
func (d *distant) Release()        { d.released++ }
func (d *distant) Elsewhere() bool { return d.err == nil }

// TestRemote asks searchers about what only a Remote knows.
func TestRemote(t *testing.T) {
	far := &distant{err: errors.New("gone")}
	if err := SearchError(far); !errors.Is(err, far.err) || Elsewhere(far) {
		t.Errorf("%v, elsewhere: %t, want %v", err, Elsewhere(far), far.err)
	}
	Release(far)
	if far.released != 1 {
		t.Errorf("released %d times, want once", far.released)
	}
	far.err = nil
	if !Elsewhere(far) {
		t.Error("want it elsewhere")
	}
	near := NewAlphaBeta(Knowledge{}, 1, 1)
	Release(near)
	if err := SearchError(near); err != nil || Elsewhere(near) {
		t.Errorf("a search here: %v, elsewhere: %t", err, Elsewhere(near))
	}
}
