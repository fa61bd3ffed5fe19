package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"quintet/game"
	"quintet/lab/load"
)

// player plays both sides of a game through several servers, as a client behind a
// load balancer does: it stays with one server until that fails, then goes to the
// next. It repeats a move of unknown outcome with the same idempotency key until it
// knows the outcome.
type player struct {
	trackedGame
	clients *clients
	server  int // index of the server that it uses now

	spectator     *spectator
	stopSpectator context.CancelFunc
	keys          int // idempotency keys used
	turns         []turn
	timeouts      int // servers that did not answer in this turn

	mu     sync.Mutex    // guards the rest
	marked time.Time     // of the last fault
	count  int           // acknowledgements since marked
	back   time.Time     // of the second of them, the first whose move was surely sent after the fault
	gap    time.Duration // longest time between two of them
	last   time.Time     // of the last acknowledgement
}

const (
	requestTimeout = 3 * time.Second       // after which a client goes to another server
	retryDelay     = 20 * time.Millisecond // before it does
)

func newPlayer(c *clients, number int, random *rand.Rand) *player {
	server := number % len(c.urls)
	return &player{
		trackedGame: trackedGame{client: c.client, url: c.urls[server], number: number, random: random, moves: &c.moves},
		clients:     c, server: server,
	}
}

// nextServer goes to the next server.
func (p *player) nextServer() {
	p.server = (p.server + 1) % len(p.clients.urls)
	p.url = p.clients.urls[p.server]
}

// openAnywhere opens a game on the first server that answers.
func (p *player) openAnywhere(ctx context.Context) error {
	var err error
	for began := time.Now(); time.Since(began) < startupTimeout && ctx.Err() == nil; time.Sleep(retryDelay) {
		short, cancel := context.WithTimeout(ctx, requestTimeout)
		err = p.open(short)
		cancel()
		if err == nil {
			p.acknowledged, p.turns, p.over, p.at = nil, nil, false, time.Now()
			p.startSpectator(ctx)
			return nil
		}
		p.nextServer()
	}
	return fmt.Errorf("opening a game: %w", errors.Join(err, ctx.Err()))
}

// startSpectator starts a spectator of the game and stops the one before.
func (p *player) startSpectator(ctx context.Context) {
	if p.stopSpectator != nil {
		p.stopSpectator()
	}
	s := &spectator{id: p.ID, urls: p.clients.urls, server: p.number % len(p.clients.urls), clients: p.clients}
	p.spectator = s
	ctx, p.stopSpectator = context.WithCancel(ctx)
	p.clients.all.Go(func() { s.run(ctx) })
}

// attempt is a move that is sent, perhaps several times.
type attempt struct {
	text, key string
	current   string    // a server that refused this move although it shows all acknowledged ones; it gets the move once more
	sent      time.Time // for the first time
	at        time.Time // of the last answer
	done      struct{ Ply int }
}

func (p *player) attempt(mv game.Move) *attempt {
	p.keys++
	return &attempt{text: p.Match.Position().Format(mv), key: fmt.Sprintf("%s-%06d-%016x", p.ID, p.keys, p.random.Uint64()), sent: time.Now()}
}

// send sends a move to a server and waits for its answer.
func (p *player) send(ctx context.Context, url string, a *attempt) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	token := p.Tokens[p.Match.Position().Turn()]
	err := p.client.PostOnce(ctx, url+"/api/games/"+p.ID+"/moves", token, a.key, load.Object{"move": a.text, "ply": len(p.acknowledged)}, &a.done)
	a.at = time.Now()
	return err
}

// rivalEvery is how many moves there are to one that has a rival.
const rivalEvery = 5

// move plays one move. Every few moves it has a rival: another move for the same
// ply, sent to another server at the same time. At most one of them may be
// acknowledged.
func (p *player) move(ctx context.Context) error {
	legal := p.Match.Legal()
	mine := p.attempt(legal[p.random.IntN(len(legal))])
	if len(legal) < 2 || p.random.IntN(rivalEvery) > 0 {
		return p.retry(ctx, mine, nil)
	}
	other := legal[0]
	for p.Match.Position().Format(other) == mine.text {
		other = legal[1+p.random.IntN(len(legal)-1)]
	}
	rival := p.attempt(other)
	var both sync.WaitGroup
	url := p.clients.urls[(p.server+1+p.random.IntN(len(p.clients.urls)-1))%len(p.clients.urls)]
	var errs [2]error
	both.Go(func() { errs[0] = p.send(ctx, p.url, mine) })
	both.Go(func() { errs[1] = p.send(ctx, url, rival) })
	both.Wait()
	p.clients.rivals.Add(1)
	if errors.Is(errs[0], context.DeadlineExceeded) {
		p.timeouts++
	}
	switch {
	case errs[0] == nil && errs[1] == nil:
		p.clients.report(&p.clients.Twice, fmt.Sprintf("game %s: %s and %s were both acknowledged at ply %d", p.ID, mine.text, rival.text, len(p.acknowledged)))
		return p.accept(mine)
	case errs[0] == nil:
		return p.accept(mine)
	case errs[1] == nil:
		return p.accept(rival)
	}
	return p.retry(ctx, mine, rival)
}

// retry sends a move until it is acknowledged, or the rival has been played.
func (p *player) retry(ctx context.Context, mine, rival *attempt) error {
	for ctx.Err() == nil {
		err := p.send(ctx, p.url, mine)
		if errors.Is(err, context.DeadlineExceeded) {
			p.timeouts++
		}
		var refused *load.StatusError
		switch {
		case err == nil:
			return p.accept(mine)
		case errors.As(err, &refused) && refused.Status == http.StatusConflict:
			if done, err := p.resolveConflict(ctx, mine, rival); done {
				return err
			}
			if mine.current == p.url {
				continue
			}
		case errors.As(err, &refused) && refused.Status < http.StatusInternalServerError:
			return fmt.Errorf("game %s: %w", p.ID, err)
		}
		mine.current = ""
		p.nextServer()
		time.Sleep(retryDelay)
	}
	return ctx.Err()
}

// accept records an acknowledged move.
func (p *player) accept(a *attempt) error {
	before := p.Match.Position().Turn()
	if a.done.Ply != len(p.acknowledged)+1 && a.done.Ply != 0 {
		p.clients.report(&p.clients.Differ, fmt.Sprintf("game %s: %s was acknowledged with ply %d, expected %d", p.ID, a.text, a.done.Ply, len(p.acknowledged)+1))
	}
	if err := p.Match.PlayText(a.text); err != nil {
		return fmt.Errorf("game %s: %w", p.ID, err)
	}
	p.acknowledged = append(p.acknowledged, a.text)
	p.moves.Add(1)
	p.over = p.Match.Over()
	p.turns = append(p.turns, turn{p.at, a.at, p.Match.Position().Turn() != before, p.timeouts})
	p.timeouts = 0
	p.clients.countAck(a.sent, a.at)
	p.at = p.spectator.sawAt(len(p.acknowledged), a.at) // the other side's turn begins when it can see the move
	p.countAck(a.at)
	return nil
}

// resolveConflict finds out which move was played at the ply. It returns false if the server does not have the move yet: the
// caller then sends the move again. If the server shows all acknowledged moves, a second refusal is reported as a finding.
func (p *player) resolveConflict(ctx context.Context, mine, rival *attempt) (done bool, err error) {
	moves, err := p.movesAt(ctx, p.url)
	n := len(p.acknowledged)
	again := mine.current == p.url
	mine.current = ""
	switch {
	case err != nil || len(moves) < n:
		return false, nil //nolint:nilerr // the caller tries the next server
	case len(moves) == n && again:
		p.clients.report(&p.clients.Refused, fmt.Sprintf("game %s: %s refused %s at ply %d, although it has all %d moves", p.ID, p.url, mine.text, n, n))
		return false, nil
	case len(moves) == n:
		mine.current = p.url
		return false, nil
	}
	if !slices.Equal(moves[:n], p.acknowledged) {
		p.clients.report(&p.clients.Lost, fmt.Sprintf("game %s: the server has %v, %v were acknowledged", p.ID, moves, p.acknowledged))
	}
	for _, a := range []*attempt{mine, rival} {
		if a != nil && moves[n] == a.text {
			if rival == nil {
				p.clients.report(&p.clients.Refused, fmt.Sprintf("game %s: %s was played, but refused when repeated with its key", p.ID, a.text))
			}
			a.at = time.Now()
			return true, p.accept(a)
		}
	}
	return true, fmt.Errorf("game %s: the server has %s, which no player sent", p.ID, moves[n])
}

// movesAt returns the moves of the game as a server has them.
func (p *player) movesAt(ctx context.Context, url string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var v struct{ Moves []string }
	err := p.client.Get(ctx, url+"/api/games/"+p.ID, &v)
	return v.Moves, err
}

// markFault starts the measurement of a fault.
func (p *player) markFault(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marked, p.count, p.back, p.gap = t, 0, time.Time{}, 0
}

func (p *player) countAck(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count++; p.count == 2 {
		p.back = t
	}
	if !p.last.IsZero() {
		p.gap = max(p.gap, t.Sub(p.last))
	}
	p.last = t
}

// recovery returns the time from the fault until the player's moves were
// acknowledged again, not ok if they are not yet, and the longest time between two
// acknowledgements.
func (p *player) recovery() (back, gap time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.back.Sub(p.marked), p.gap, !p.back.IsZero()
}

// paused says that the player was paused: the pause is no gap.
func (p *player) paused() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Time{}
}
