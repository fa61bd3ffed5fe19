package load

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"quintet/game"
	"quintet/games"
	"quintet/serve/clock"
)

// This file simulates an arena. Its players follow the stream of the tournament and play each of their games by
// WebSocket. Of the spectators, some have the page of the tournament open, and fetch it whenever its stream says that it
// has changed. The others watch a game to its end, and then another one.

// arena is an arena in progress.
type arena struct {
	*run
	path string // in the API

	arenaMu   sync.Mutex // guards the rest
	games     []watchedGame
	noticed   map[int]time.Time // when a client first learned that there are so many events
	refreshes []refresh
}

// watchedGame is a game that spectators can watch until its context ends.
type watchedGame struct {
	ctx context.Context //nolint:containedctx // of the game
	id  string
}

// refresh records when a page that showed the standings after some events received newer ones.
type refresh struct {
	before int
	at     time.Time
}

// assembly is how long spectators may take to find a game or to fetch the page.
const assembly = 2 * time.Minute

// open lets the players join, starts the arena, and waits until all spectators are there.
func (a *arena) open(ctx context.Context) error {
	path, start, err := a.client.OpenArena(ctx, a.config.URL, a.config.Players, a.config.arenaClock())
	if err != nil {
		return err
	}
	a.path = path
	slots, errs := make(chan struct{}, 16), make([]error, a.config.Players)
	var joined, arrived sync.WaitGroup
	for i := range a.config.Players {
		p := &arenaPlayer{arena: a, client: a.client.Guest(), random: rand.New(rand.NewPCG(a.config.Seed, uint64(i)))}
		slots <- struct{}{}
		joined.Go(func() {
			if errs[i] = p.client.Post(ctx, a.config.URL+path+"/players", "", Object{}, &struct{}{}); errs[i] == nil {
				a.all.Go(func() { p.follow(ctx) })
			}
			<-slots
		})
	}
	joined.Wait()
	if err := errors.Join(append(errs, start())...); err != nil {
		return err
	}
	others := a.config.Sockets - a.config.Players
	for i := range others {
		random := rand.New(rand.NewPCG(a.config.Seed, uint64(a.config.Players+i)))
		arrived.Add(1)
		a.all.Go(func() {
			arrive := sync.OnceFunc(arrived.Done)
			defer arrive()
			clock.Sleep(ctx, time.Duration(random.IntN(others))*time.Millisecond) // a thousand a second
			if float64(i) < a.config.Pages*float64(others) {
				a.page(ctx, arrive)
			} else {
				a.watch(ctx, random, arrive)
			}
		})
	}
	all := make(chan struct{})
	a.all.Go(func() { arrived.Wait(); close(all) }) // it ends with the spectators at the latest
	return a.await(ctx, all, assembly+time.Duration(others)*time.Millisecond)
}

// await waits until all spectators are there. After the time, the error has the faults so far.
func (a *arena) await(ctx context.Context, all <-chan struct{}, most time.Duration) error {
	select {
	case <-all:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(most):
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return fmt.Errorf("not all spectators came within %v; faults: %q", most, a.faults)
}

// wait waits for the duration, and reports what was measured so far.
func (a *arena) wait(ctx context.Context) {
	began := time.Now()
	for left := a.config.Duration; left > 0 && ctx.Err() == nil; left = a.config.Duration - time.Since(began) {
		clock.Sleep(ctx, min(left, 10*time.Second))
		a.report(began)
	}
}

// notice reads a line of the stream of the tournament.
func (a *arena) notice(data []byte) (l TourLine) {
	now := time.Now()
	if err := json.Unmarshal(data, &l); err != nil {
		a.fault(fmt.Errorf("decoding a line: %w", err))
	}
	a.arenaMu.Lock()
	defer a.arenaMu.Unlock()
	if t, ok := a.noticed[l.Events]; !ok || now.Before(t) {
		a.noticed[l.Events] = now
	}
	return l
}

// ages returns how long standings were outdated before others replaced them. The time of an event is when the first of
// all clients learned of it, or of a later one.
func (a *arena) ages() (list []time.Duration) {
	a.arenaMu.Lock()
	defer a.arenaMu.Unlock()
	last := 0
	for events := range a.noticed {
		last = max(last, events)
	}
	times := make([]time.Time, last+1)
	for n, first := last, a.noticed[last]; n > 0; n-- {
		if t, ok := a.noticed[n]; ok && t.Before(first) {
			first = t
		}
		times[n] = first
	}
	for _, s := range a.refreshes {
		list = append(list, s.at.Sub(times[s.before+1]))
	}
	return list
}

// page simulates an open page of the tournament.
func (a *arena) page(ctx context.Context, arrived func()) {
	for before := 0; ctx.Err() == nil; clock.Sleep(ctx, time.Second) {
		err := a.client.Lines(ctx, a.config.URL+a.path+"/events", func(data []byte) {
			l := a.notice(data)
			if l.Kind != "change" {
				return
			}
			err := a.client.Read(ctx, a.config.URL+a.path)
			now := time.Now()
			arrived()
			a.arenaMu.Lock()
			if before > 0 && before < l.Events && err == nil && a.measuring.Load() {
				a.refreshes = append(a.refreshes, refresh{before, now})
			}
			a.arenaMu.Unlock()
			a.recordFault(ctx, "a page", err)
			before = l.Events
		})
		a.recordFault(ctx, "a page's stream has ended", cmp.Or(err, io.ErrUnexpectedEOF))
	}
}

// recordFault counts an error unless the context has ended.
func (a *arena) recordFault(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		a.fault(fmt.Errorf("%s: %w", what, err))
	}
}

// slowest is the mean time of a move of the slowest players, by that of all.
const slowest = 1.4

// arenaClock returns the seconds of a player for a game, such that no player loses on time: a minute, or more with few moves a
// second. A player has about 30 moves in a game of Othello.
func (c Config) arenaClock() int {
	return max(60, int(1.5*slowest*30*float64(c.Games)/c.Rate))
}

// errDropped means that the server has closed the socket of a spectator in the middle of a game.
var errDropped = errors.New("a spectator was dropped")

// watch simulates a spectator, who watches one game after the other.
func (a *arena) watch(ctx context.Context, random *rand.Rand, arrived func()) {
	for ; ctx.Err() == nil; clock.Sleep(ctx, time.Duration(random.Int64N(int64(time.Second)))) {
		g, ok := a.pick(random)
		if !ok {
			continue
		}
		conn, err := a.client.Socket(g.ctx, a.config.URL+"/api/games/"+g.id+"/socket?board=1", "")
		if err == nil {
			arrived()
			discard(g.ctx, conn)
			err = errDropped
			_ = conn.CloseNow()
		}
		a.recordFault(g.ctx, "watching game "+g.id, err)
	}
}

// pick returns a random game in progress.
func (a *arena) pick(random *rand.Rand) (g watchedGame, ok bool) {
	a.arenaMu.Lock()
	defer a.arenaMu.Unlock()
	if len(a.games) == 0 {
		return g, false
	}
	return a.games[random.IntN(len(a.games))], true
}

// announce lets spectators watch a game until end is called.
func (a *arena) announce(ctx context.Context, id string) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	a.arenaMu.Lock()
	defer a.arenaMu.Unlock()
	a.games = append(a.games, watchedGame{ctx, id})
	return func() {
		cancel()
		a.arenaMu.Lock()
		defer a.arenaMu.Unlock()
		a.games = slices.DeleteFunc(a.games, func(g watchedGame) bool { return g.id == id })
	}
}

// arenaPlayer is a player.
type arenaPlayer struct {
	*arena
	client *Client
	random *rand.Rand
}

// follow plays all games of the player.
func (p *arenaPlayer) follow(ctx context.Context) {
	for free := time.Now(); ctx.Err() == nil; clock.Sleep(ctx, time.Second) {
		err := p.client.Lines(ctx, p.config.URL+p.path+"/events", func(data []byte) {
			l := p.notice(data)
			if l.Kind != "game" {
				return
			}
			if p.measuring.Load() {
				p.idling.Add(time.Since(free))
			}
			p.recordFault(ctx, "game "+l.ID, p.play(ctx, l))
			free = time.Now()
		})
		p.recordFault(ctx, "a player's stream has ended", cmp.Or(err, io.ErrUnexpectedEOF))
	}
}

// arenaGame is a game of a player.
type arenaGame struct {
	*arenaPlayer
	match *game.Match
	side  string
	conn  *websocket.Conn
	pace  float64   // mean time of a move, in nanoseconds
	due   time.Time // when the last move was due
	plies int       // after that move
	waits bool      // its reply is pending
	over  bool
}

// play plays a game to its end.
func (p *arenaPlayer) play(ctx context.Context, l TourLine) error {
	othello, err := games.ByName("othello")
	if err != nil {
		return err
	}
	start, err := othello.Start(nil)
	if err != nil {
		return err
	}
	conn, err := p.client.Socket(ctx, p.config.URL+"/api/games/"+l.ID+"/socket", "")
	for tries := 1; err != nil && tries < 20 && ctx.Err() == nil; tries++ {
		p.recordFault(ctx, "game "+l.ID, err)
		clock.Sleep(ctx, time.Second)
		conn, err = p.client.Socket(ctx, p.config.URL+"/api/games/"+l.ID+"/socket", "")
	}
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }() // the game is over
	if l.Side == game.First.String() {
		defer p.announce(ctx, l.ID)()
	}
	// Players differ in speed, so that the first games do not all end at once.
	pace := (slowest - .8*p.random.Float64()) * float64(p.config.Games) / p.config.Rate * float64(time.Second)
	g := &arenaGame{arenaPlayer: p, match: game.NewMatch(othello, start), side: l.Side, conn: conn, pace: pace}
	for !g.over || g.waits {
		if err = g.read(ctx); err == nil {
			err = g.move(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads a frame.
func (g *arenaGame) read(ctx context.Context) error {
	_, data, err := g.conn.Read(ctx)
	if err != nil {
		return err
	}
	var f struct {
		answer

		Moves       []string
		Move, State string
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("decoding a frame: %w", err)
	}
	switch f.Kind {
	case "reply":
		g.waits = false
		if f.Status != http.StatusOK {
			return fmt.Errorf("ply %d: status %d: %s", len(g.match.Moves()), f.Status, f.Problem.Error)
		}
		if g.measuring.Load() {
			g.ack.Add(time.Since(g.due))
			g.moves.Add(1)
		}
		return nil
	case "moved":
		if f.Moves = []string{f.Move}; f.Ply <= len(g.match.Moves()) { // the state had it
			f.Moves = nil
		}
	}
	g.over = g.over || f.State == "over"
	for _, text := range f.Moves {
		if err := g.match.PlayText(text); err != nil {
			return err
		}
	}
	return nil
}

// move sends a random move after a while, if it is the player's turn.
func (g *arenaGame) move(ctx context.Context) error {
	p := g.match.Position()
	ply := len(g.match.Moves())
	if g.over || g.waits || ply < g.plies || g.match.Over() || p.Turn().String() != g.side {
		return nil
	}
	g.plies = ply + 1
	g.due, g.waits = time.Now().Add(time.Duration(g.pace*(.5+g.random.Float64()))), true
	clock.Sleep(ctx, time.Until(g.due))
	legal := g.match.Legal()
	frame := `{"do":"move","move":` + strconv.Quote(p.Format(legal[g.random.IntN(len(legal))])) + `,"ply":` + strconv.Itoa(ply) + `}`
	return g.conn.Write(ctx, websocket.MessageText, []byte(frame))
}
