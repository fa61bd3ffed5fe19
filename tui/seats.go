package tui

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
)

// seat is an engine at a side of the board. It is made when it has to move first,
// as that may take a while.
type seat struct {
	name string
	stop context.CancelFunc // of the move that it thinks about; nil if none

	mu     sync.Mutex // guards player
	player Player
}

// movedMsg is an engine's move.
type movedMsg struct {
	to   *play
	ply  int // a number of the position that the move is for
	side game.Side
	move game.Move
	err  error
}

// think returns a command that ends with the engine's move.
func (s *seat) think(c *Common, p *play, seed uint64, l engine.Limit, pause time.Duration) tea.Cmd {
	s.cancel()
	g, m, ply, side := p.sit.Record.Game, p.sit.Match(), p.turn, p.sit.Turn()
	cmd, stop := c.Background(func(ctx context.Context) tea.Msg {
		mv, err := s.choose(ctx, c, g, m, seed, l)
		wait(ctx, pause)
		if ctx.Err() != nil {
			return nil
		}
		return movedMsg{p, ply, side, mv, err}
	})
	s.stop = stop
	return cmd
}

// wait lets a moment pass, so that people can follow a game of two engines.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func (s *seat) choose(ctx context.Context, c *Common, g game.Game, m *game.Match, seed uint64, l engine.Limit) (game.Move, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if s.player == nil {
		player, err := c.Players(c.ctx, s.name, g)
		if err != nil {
			return 0, fmt.Errorf("starting %s: %w", s.name, err)
		}
		player.NewGame(seed)
		s.player = player
	}
	mv, err := s.player.Choose(ctx, m, l)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.name, err)
	}
	return mv, nil
}

// cancel ends what the engine thinks about.
func (s *seat) cancel() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// leave returns a command that frees the player once it has ended its thought.
func (s *seat) leave(c *Common) tea.Cmd {
	s.cancel()
	cmd, _ := c.Background(func(context.Context) tea.Msg {
		s.close()
		return nil
	})
	return cmd
}

// close frees the player, after its thought.
func (s *seat) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.player != nil {
		_ = s.player.Close() // it is not needed any more, however it ends
		s.player = nil
	}
}
