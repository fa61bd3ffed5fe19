package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"quintet/lab/load"
	"quintet/live"
	"quintet/serve/clock"
	"quintet/serve/tournaments"
)

// ArenaResult is what an arena on three machines came to, by its events in the log.
type ArenaResult struct {
	Games  int
	Idle   load.Spread // from a game of a player, or the start, to the next one
	Double []string    // games of players who played another one
	Stuck  []string    // players who were there and waited for more than half a minute at the end
}

// stuckAfter is how long a player who is there may wait at the end.
const stuckAfter = 30 * time.Second

// arenaPlayer is a guest who follows the arena and resigns each game after a while. One in five leaves at some time.
type arenaPlayer struct {
	*load.Client

	urls   []string
	at     int // of urls
	path   string
	random *rand.Rand
	leaves time.Duration // after the start; 0 for never
}

// join joins the arena on the first server that lets the player in.
func (p *arenaPlayer) join(ctx context.Context) {
	for ; ctx.Err() == nil; clock.Sleep(ctx, time.Second) {
		if p.Post(ctx, p.urls[p.at]+p.path+"/players", "", load.Object{}, &struct{}{}) == nil {
			return
		}
		p.at = (p.at + 1) % len(p.urls)
	}
}

// play follows the arena, on another server when one dies, until the context ends or the player leaves.
func (p *arenaPlayer) play(ctx context.Context) {
	if p.leaves > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.leaves)
		defer cancel()
	}
	for ; ctx.Err() == nil; clock.Sleep(ctx, time.Second) {
		_ = p.Lines(ctx, p.urls[p.at]+p.path+"/events", func(data []byte) { // the server may die
			var line load.TourLine
			if json.Unmarshal(data, &line) == nil && line.Kind == "game" {
				clock.Sleep(ctx, time.Duration(5+p.random.IntN(40))*time.Second)
				_ = p.Post(ctx, p.urls[p.at]+"/api/games/"+line.ID+"/resign", "", load.Object{}, &struct{}{}) // the other may have resigned
			}
		})
		p.at = (p.at + 1) % len(p.urls)
	}
}

// Arena plays an arena of c.Games players on the cluster, of whom one in five leaves. It kills a server, the NATS server
// that leads, and another server.
func Arena(ctx context.Context, c Config) (r ArenaResult, err error) {
	n := &nodesRun{config: c}
	defer func() { err = errors.Join(err, n.close()) }()
	if err := n.open(ctx); err != nil {
		return r, err
	}
	id, players, err := openArena(ctx, c, n.cluster.urls())
	if err != nil {
		return r, err
	}
	c.Report(fmt.Sprintf("%d players, the arena has begun", len(players)))
	playing, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for _, p := range players {
		all.Go(func() { p.play(playing) })
	}
	if err := n.killInTurn(ctx, Server, Leader, Server); err != nil {
		return r, err
	}
	entries, err := n.reflog.log.Read(ctx, live.TournamentCategory.Stream(id))
	if err != nil {
		return r, fmt.Errorf("reading the log: %w", err)
	}
	return readArena(entries, players)
}

// killInTurn kills what has the roles, one after the other.
func (n *nodesRun) killInTurn(ctx context.Context, roles ...Role) error {
	clock.Sleep(ctx, n.config.Between)
	for turn, role := range roles {
		began := time.Now()
		repair, err := kill(ctx, n, role, turn)
		if err != nil {
			return err
		}
		clock.Sleep(ctx, n.config.Pause)
		if err := errors.Join(repair(), n.cluster.awaitHealthy(ctx)); err != nil {
			return err
		}
		n.config.Report(fmt.Sprintf("%s killed and back after %.0f s", role, time.Since(began).Seconds()))
		clock.Sleep(ctx, n.config.Between)
	}
	return nil
}

// openArena makes an arena, lets the players join, and starts it.
func openArena(ctx context.Context, c Config, urls []string) (id string, players []*arenaPlayer, err error) {
	client := load.NewClient(c.Games, startupTimeout)
	path, start, err := client.OpenArena(ctx, urls[0], c.Games, 60)
	if err != nil {
		return "", nil, err
	}
	players = newArenaPlayers(ctx, c, client, urls, path)
	return strings.TrimPrefix(path, "/api/tournaments/"), players, start()
}

// newArenaPlayers lets players join, a few at a time.
func newArenaPlayers(ctx context.Context, c Config, client *load.Client, urls []string, path string) (players []*arenaPlayer) {
	slots := make(chan struct{}, 8)
	var all sync.WaitGroup
	for i := range c.Games {
		p := &arenaPlayer{Client: client.Guest(), urls: urls, at: i % len(urls), path: path, random: rand.New(rand.NewPCG(c.Seed, uint64(i)))}
		if i%5 == 0 {
			p.leaves = time.Duration(1 + p.random.Int64N(int64(4*c.Between)))
		}
		players = append(players, p)
		slots <- struct{}{}
		all.Go(func() {
			p.join(ctx)
			<-slots
		})
	}
	all.Wait()
	return players
}

// readArena reads the events of an arena. Players joined in any order, so that only their number is compared at the end.
func readArena(entries []live.Entry, players []*arenaPlayer) (r ArenaResult, err error) {
	var s tournaments.State
	var idle []time.Duration
	var last int64
	for _, e := range entries {
		var event tournaments.Event
		if err := json.Unmarshal(e.Data, &event); err != nil {
			return r, fmt.Errorf("reading an event: %w", err)
		}
		last = event.At
		for _, g := range event.Games {
			for _, p := range [2]int{g.First, g.Second} {
				if s.Players[p].Game != "" {
					r.Double = append(r.Double, fmt.Sprintf("player %d is paired for game %s while playing %s", p, g.ID, s.Players[p].Game))
				}
				idle = append(idle, time.Duration(event.At-s.Players[p].Since)*time.Millisecond)
			}
		}
		if err := s.Apply(e.Data); err != nil {
			return r, fmt.Errorf("an event of the log: %w", err)
		}
	}
	waiting, left := 0, 0
	for i, p := range s.Players {
		if !s.Tour.Players[i].Withdrawn && p.Game == "" && time.Duration(last-p.Since)*time.Millisecond > stuckAfter {
			waiting++
		}
	}
	for _, p := range players {
		if p.leaves > 0 {
			left++
		}
	}
	if waiting > left {
		r.Stuck = append(r.Stuck, fmt.Sprintf("%d players wait for more than %s, and only %d have left", waiting, stuckAfter, left))
	}
	r.Games, r.Idle = len(s.Games), load.SpreadOf(idle)
	return r, nil
}

func runArena(ctx context.Context, c Config, out io.Writer) error {
	r, err := Arena(ctx, c)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d players, %d games; idle: %s, p99 %.2f s; %d paired twice, %d stuck\n", c.Games, r.Games, inSeconds(r.Idle), r.Idle.P99.Seconds(), len(r.Double), len(r.Stuck))
	return errors.Join(err, writeFindings(out, r.Double, r.Stuck))
}
