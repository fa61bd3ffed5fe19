package chaos

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
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
	http.Client

	urls   []string
	at     int // of urls
	path   string
	random *rand.Rand
	leaves time.Duration // after the start; 0 for never
}

// send sends a request to the server that the player uses, and to the next one later if that failed.
func (p *arenaPlayer) send(ctx context.Context, method, path, body string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.urls[p.at]+path, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("a request: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	got, err := p.Do(r)
	switch {
	case err != nil:
		p.at = (p.at + 1) % len(p.urls)
		return nil, fmt.Errorf("a player: %w", err)
	case got.StatusCode >= http.StatusMultipleChoices:
		return nil, errors.Join(fmt.Errorf("%s %s: %s", method, path, got.Status), got.Body.Close())
	}
	return got.Body, nil
}

// do sends a request until a server does it.
func (p *arenaPlayer) do(ctx context.Context, path, body string) {
	for ctx.Err() == nil {
		if in, err := p.send(ctx, http.MethodPost, path, body); err == nil {
			_ = in.Close()
			return
		}
		clock.Sleep(ctx, time.Second)
	}
}

// play follows the arena, on another server when one dies, until the context ends or the player leaves.
func (p *arenaPlayer) play(ctx context.Context) {
	if p.leaves > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.leaves)
		defer cancel()
	}
	for ctx.Err() == nil {
		if in, err := p.send(ctx, http.MethodGet, p.path+"/events", ""); err == nil {
			for lines := bufio.NewScanner(in); lines.Scan(); {
				var line struct{ Kind, ID string }
				if json.Unmarshal(lines.Bytes(), &line) == nil && line.Kind == "game" {
					clock.Sleep(ctx, time.Duration(5+p.random.IntN(40))*time.Second)
					if in, err := p.send(ctx, http.MethodPost, "/api/games/"+line.ID+"/resign", ""); err == nil { // the other may have resigned
						_ = in.Close()
					}
				}
			}
			_ = in.Close()
		}
		p.at = (p.at + 1) % len(p.urls)
		clock.Sleep(ctx, time.Second)
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
	var host struct{ Token string }
	var made struct{ ID string }
	client := load.NewClient(1, startupTimeout)
	defer client.Close()
	set := load.Object{"title": "Arena", "form": "arena", "minutes": 360, "most": c.Games, "games": []load.Object{{"game": "othello"}}, "clock": load.Object{"main": 60}}
	if err = client.Post(ctx, urls[0]+"/api/accounts", "", load.Object{"name": "Olga", "password": "correct horse"}, &host); err == nil {
		err = client.Post(ctx, urls[0]+"/api/tournaments", host.Token, set, &made)
	}
	if err == nil {
		players = newArenaPlayers(ctx, c, urls, "/api/tournaments/"+made.ID)
		err = client.Post(ctx, urls[0]+"/api/tournaments/"+made.ID+"/start", host.Token, load.Object{}, &struct{}{})
	}
	return made.ID, players, err
}

// newArenaPlayers lets players join, a few at a time.
func newArenaPlayers(ctx context.Context, c Config, urls []string, path string) (players []*arenaPlayer) {
	transport := &http.Transport{MaxIdleConnsPerHost: c.Games}
	slots := make(chan struct{}, 8)
	var all sync.WaitGroup
	for i := range c.Games {
		p := &arenaPlayer{urls: urls, at: i % len(urls), path: path, random: rand.New(rand.NewPCG(c.Seed, uint64(i)))}
		p.Transport = transport
		p.Jar, _ = cookiejar.New(nil) // it never fails; its cookies are those of all servers
		if i%5 == 0 {
			p.leaves = time.Duration(1 + p.random.Int64N(int64(4*c.Between)))
		}
		players = append(players, p)
		slots <- struct{}{}
		all.Go(func() {
			p.do(ctx, path+"/players", "{}")
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
