package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// stray is a player who stays with the server of a machine that is cut off.
type stray struct {
	nodes *nodes
	url   string
	*player
}

// newStray opens a game before the machine is cut off, so that its server has it.
func (n *nodes) newStray(ctx context.Context, one *machine) (*stray, error) {
	p := newPlayer(n.crowd, one.number, rand.New(rand.NewPCG(n.config.Seed, 11)))
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return &stray{n, one.url, p}, p.begin(ctx)
}

// refused wants a move refused, in words. The server may not know at first that it
// is alone, and not answer.
func (s *stray) refused(ctx context.Context) {
	mine := s.attempt(s.match.Legal()[0])
	for began := time.Now(); time.Since(began) < 2*alikeTime && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		err := s.ask(ctx, s.url, mine)
		var no *refusal
		switch {
		case err == nil:
			s.crowd.note(&s.crowd.differ, fmt.Sprintf("game %s: a server that is cut off has acknowledged %s", s.id, mine.text))
			return
		case errors.As(err, &no) && no.status == http.StatusServiceUnavailable:
			s.nodes.refusals++
			return
		}
	}
	s.crowd.note(&s.crowd.failed, fmt.Sprintf("a server that is cut off does not say so within %s", 2*alikeTime))
}

// taken wants a move taken again.
func (s *stray) taken(ctx context.Context) error {
	began := time.Now()
	mine := s.attempt(s.match.Legal()[0])
	var err error
	if until(ctx, patience, func() bool { err = s.ask(ctx, s.url, mine); return err == nil }) {
		s.nodes.rejoined = append(s.nodes.rejoined, time.Since(began))
		return nil
	}
	return fmt.Errorf("a server that was cut off does not take moves after %s: %w", patience, err)
}
