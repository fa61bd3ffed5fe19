package midgame

import (
	"math/rand/v2"
	"sync"
	"testing"

	"quintet/engine"
)

// TestProgress reads the progress while two threads solve a position: the value lies within
// the bounds at all times, and they meet.
func TestProgress(t *testing.T) {
	s, progress := New(trained(t), 1, 2), new(Progress)
	p := randomPosition(t, nil, 18, rand.NewPCG(2, 2))
	var seen [][2]int
	var reader sync.WaitGroup
	stop := make(chan struct{})
	reader.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if progress.Nodes() == 0 { // asked first: before the search the bounds are 0
				continue
			}
			low, high := progress.Bounds()
			seen = append(seen, [2]int{low, high})
		}
	})
	r, err := s.Solve(t.Context(), p, progress)
	close(stop)
	reader.Wait()
	low, high := progress.Bounds()
	if err != nil || low != r.Value || high != r.Value {
		t.Errorf("%+v, %v, bounds %d and %d", r, err, low, high)
	}
	if n := progress.Nodes(); n == 0 || n > r.Nodes {
		t.Errorf("%d nodes, want some of %d", n, r.Nodes)
	}
	for _, bounds := range seen {
		if bounds[0] > r.Value || bounds[1] < r.Value {
			t.Errorf("bounds %v, but the value is %d", bounds, r.Value)
		}
	}
}

// TestBounds narrows the bounds by searches with windows, and expects whole discs.
func TestBounds(t *testing.T) {
	var p Progress
	p.begin(60)
	for _, step := range []struct{ score, alpha, beta, low, high int }{
		{-400, -300, 300, -60, -4},     // fails low
		{-1200, -1300, -400, -12, -12}, // between
	} {
		p.narrow(step.score, step.alpha, step.beta)
		if low, high := p.Bounds(); low != step.low || high != step.high {
			t.Errorf("%+v: %d and %d", step, low, high)
		}
	}
	p.begin(64)
	p.narrow(600, -300, 500) // fails high
	if low, high := p.Bounds(); low != 6 || high != 64 {
		t.Errorf("%d and %d, want 6 and 64", low, high)
	}
	p.narrow(400, -300, 300) // proves less
	if low, _ := p.Bounds(); low != 6 {
		t.Errorf("at least %d, want 6", low)
	}
}

// TestNoProgress searches a position after it was solved: the bounds stay.
func TestNoProgress(t *testing.T) {
	s, progress := New(trained(t), 1, 1), new(Progress)
	p := randomPosition(t, nil, 14, rand.NewPCG(2, 2))
	if _, err := s.Solve(t.Context(), p, progress); err != nil {
		t.Fatal(err)
	}
	nodes := progress.Nodes()
	s.Search(t.Context(), engine.Position{Position: randomPosition(t, nil, 14, rand.NewPCG(3, 3))}, engine.Limit{}, nil)
	if progress.Nodes() != nodes {
		t.Error("a search adds to the progress of another")
	}
}
