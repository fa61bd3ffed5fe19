package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// This file holds an arena. Its players follow the stream of the tournament and play each of their games by
// WebSocket. Of the spectators, some have the page of the tournament open, and fetch it whenever its stream says that it
// has changed. The others watch a game to its end, and then another one.

// arena is an arena in progress.
type arena struct {
	*run
	path string // in the API

	mu      sync.Mutex // guards the rest
	games   []watchedGame
	noticed map[int]time.Time // when a client first learned that there are so many events
	shown   []shown
}

// watchedGame is a game that spectators can watch until its context ends.
type watchedGame struct {
	ctx context.Context //nolint:containedctx // of the game
	id  string
}

// shown says when a page with the standings after a number of events had newer ones.
type shown struct {
	before int
	at     time.Time
}

// open lets the players join, starts the arena, and waits until all spectators are there.
func (a *arena) open(ctx context.Context) error {
	path, start, err := a.client.OpenArena(ctx, a.config.URL, a.config.Players)
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
			here := sync.OnceFunc(arrived.Done)
			defer here()
			clock.Sleep(ctx, time.Duration(random.IntN(others))*time.Millisecond) // a thousand a second
			if float64(i) < a.config.Pages*float64(others) {
				a.page(ctx, here)
			} else {
				a.watch(ctx, random, here)
			}
		})
	}
	arrived.Wait()
	return nil
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
	a.mu.Lock()
	defer a.mu.Unlock()
	if t, ok := a.noticed[l.Events]; !ok || now.Before(t) {
		a.noticed[l.Events] = now
	}
	return l
}

// ages returns how long standings were outdated before others replaced them. The time of an event is when the first of
// all clients learned of it, or of a later one.
func (a *arena) ages() (list []time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
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
	for _, s := range a.shown {
		list = append(list, s.at.Sub(times[s.before+1]))
	}
	return list
}

// page is a spectator who has the page of the tournament open.
func (a *arena) page(ctx context.Context, here func()) {
	for before := 0; ctx.Err() == nil; clock.Sleep(ctx, time.Second) {
		err := a.client.Lines(ctx, a.config.URL+a.path+"/events", func(data []byte) {
			l := a.notice(data)
			if l.Kind != "change" {
				return
			}
			err := a.client.Read(ctx, a.config.URL+a.path)
			now := time.Now()
			here()
			a.mu.Lock()
			if before > 0 && before < l.Events && err == nil && a.measuring.Load() {
				a.shown = append(a.shown, shown{before, now})
			}
			a.mu.Unlock()
			a.blame(ctx, "a page", err)
			before = l.Events
		})
		a.blame(ctx, "a page's stream has ended", err)
	}
}

// blame counts an error unless the context has ended.
func (a *arena) blame(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		a.fault(fmt.Errorf("%s: %w", what, err))
	}
}

// errDropped means that the server has closed the socket of a spectator in the middle of a game.
var errDropped = errors.New("a spectator was dropped")

// watch is a spectator of one game after the other.
func (a *arena) watch(ctx context.Context, random *rand.Rand, here func()) {
	for ; ctx.Err() == nil; clock.Sleep(ctx, time.Duration(random.Int64N(int64(time.Second)))) {
		g, ok := a.pick(random)
		if !ok {
			continue
		}
		conn, err := a.client.Socket(g.ctx, a.config.URL+"/api/games/"+g.id+"/socket?board=1", "")
		if err == nil {
			here()
			discard(g.ctx, conn)
			err = errDropped
			_ = conn.CloseNow()
		}
		a.blame(g.ctx, "watching game "+g.id, err)
	}
}

// pick returns a random game in progress.
func (a *arena) pick(random *rand.Rand) (g watchedGame, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.games) == 0 {
		return g, false
	}
	return a.games[random.IntN(len(a.games))], true
}

// announce lets spectators watch a game until end is called.
func (a *arena) announce(ctx context.Context, id string) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.games = append(a.games, watchedGame{ctx, id})
	return func() {
		cancel()
		a.mu.Lock()
		defer a.mu.Unlock()
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
			p.blame(ctx, "game "+l.ID, p.play(ctx, l))
			free = time.Now()
		})
		p.blame(ctx, "a player's stream has ended", err)
	}
}

// arenaGame is a game of a player.
type arenaGame struct {
	*arenaPlayer
	match       *game.Match
	side        string
	conn        *websocket.Conn
	pace        float64   // mean time of a move, in nanoseconds
	due         time.Time // when the last move was due
	plies       int       // after it
	waits, over bool      // for the answer to it; the game is over
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
		p.blame(ctx, "game "+l.ID, err)
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
	// Players are of different speed, or all games of the first wave would end at once.
	pace := (.6 + .8*p.random.Float64()) * float64(p.config.Games) / p.config.Rate * float64(time.Second)
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
