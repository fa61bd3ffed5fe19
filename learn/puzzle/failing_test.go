package puzzle

import (
	"context"
	"errors"
	"testing"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
)

// stopping is a prover that is stopped at one of its proofs.
type stopping struct {
	bots.Prover

	left    int // proofs until then
	stopped bool
}

var errStopped = errors.New("stopped")

func (s *stopping) stop() error {
	if s.left--; s.left == -1 {
		s.stopped = true
		return errStopped
	}
	return nil
}

func (s *stopping) Winning(ctx context.Context, p game.Position, turns int) ([][]game.Move, error) {
	if err := s.stop(); err != nil {
		return nil, err
	}
	return s.Prover.Winning(ctx, p, turns)
}

func (s *stopping) WinsIn(ctx context.Context, p game.Position, most int) (int, error) {
	if err := s.stop(); err != nil {
		return 0, err
	}
	return s.Prover.WinsIn(ctx, p, most)
}

// TestStopped stops each proof of a puzzle in turn: without one of them nothing is proved.
func TestStopped(t *testing.T) {
	list, err := Embedded("loa")
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	g, err := games.ByName("loa")
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewVerifier(g)
	if err != nil {
		t.Fatal(err)
	}
	s := &stopping{Prover: v.prover}
	v.prover = s
	for n := 0; ; n++ {
		s.left, s.stopped = n, false
		err := v.Verify(t.Context(), &list[0])
		if errors.Is(err, errStopped) != s.stopped || err != nil && !s.stopped {
			t.Errorf("proof %d is stopped: %t, %v", n+1, s.stopped, err)
		}
		if !s.stopped {
			break
		}
	}
}
