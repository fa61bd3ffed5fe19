package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"quintet/game"
	"quintet/lab/load"
	"quintet/serve/clock"
)

// trackedGame is a game and what its server acknowledged of it.
type trackedGame struct {
	load.Game
	client *load.Client
	url    string // of the server
	number int
	random *rand.Rand
	moves  *atomic.Int64 // acknowledged, in all games

	acknowledged []string
	pending      string    // a move sent and not acknowledged
	left         [2]int64  // clocks at the last acknowledgement, in milliseconds
	at           time.Time // when the last acknowledged move was sent
	over         bool
	refused      error              // why the last move was not acknowledged
	closePage    context.CancelFunc // closes the game's page
}

// open opens a game on the server.
func (g *trackedGame) open(ctx context.Context) (err error) {
	g.Game, err = g.client.OpenGame(ctx, g.url, g.number)
	return err
}

// play moves at a pace until the game is over or a move fails.
func (g *trackedGame) play(ctx context.Context, pace time.Duration) {
	time.Sleep(time.Duration(g.random.Int64N(int64(pace) + 1)))
	for ctx.Err() == nil && !g.Match.Over() {
		if g.refused = g.step(ctx); g.refused != nil {
			return
		}
		clock.Sleep(ctx, pace)
	}
	g.over = g.Match.Over()
}

// step plays a random move and records its acknowledgement.
func (g *trackedGame) step(ctx context.Context) error {
	legal, p := g.Match.Legal(), g.Match.Position()
	mv := legal[g.random.IntN(len(legal))]
	g.pending = p.Format(mv)
	var done struct{ Clocks struct{ First, Second int64 } }
	sent := time.Now() // the next player's clock runs before the acknowledgement is read
	url := g.url + "/api/games/" + g.ID + "/moves"
	if err := g.client.Post(ctx, url, g.Tokens[p.Turn()], load.Object{"move": g.pending, "ply": len(g.acknowledged)}, &done); err != nil {
		return err
	}
	g.moves.Add(1)
	g.acknowledged = append(g.acknowledged, g.pending)
	g.pending = ""
	g.left, g.at = [2]int64{done.Clocks.First, done.Clocks.Second}, sent
	return g.Match.Play(mv)
}

// resume sets the game to the moves that the server has.
func (g *trackedGame) resume(moves []string) error {
	g.Match = game.NewMatch(g.Match.Game(), g.Match.Start())
	for _, text := range moves {
		if err := g.Match.PlayText(text); err != nil {
			return fmt.Errorf("game %s: %w", g.ID, err)
		}
	}
	g.acknowledged, g.pending = moves, ""
	g.over = g.Match.Over()
	return nil
}
