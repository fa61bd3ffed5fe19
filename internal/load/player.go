package load

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
)

// player plays both sides of a game through several servers, as clients behind a
// balancer do: it stays with one as long as that answers, and then goes to the
// next. It repeats a move of which it does not know whether it was taken, with the
// same key, until it knows.
type player struct {
	witness
	crowd  *crowd
	server int // which it asks now

	follower *follower
	stop     context.CancelFunc // of the follower
	key      int
	turns    []turn
	timeouts int // servers that did not answer in this turn

	mu     sync.Mutex // guards the rest
	marked time.Time  // since when acknowledgements are counted
	count  int
	back   time.Time     // of the second since then: the first that was begun after
	gap    time.Duration // the longest time between two since then
	last   time.Time     // of all
}

// tries of a move, and what is waited for.
const (
	askTime  = 3 * time.Second       // after which a client goes to another server
	waitNext = 20 * time.Millisecond // before it asks that one
)

func (p *player) url() string { return p.crowd.urls[p.server] }

// next goes to the next server.
func (p *player) next() {
	p.server = (p.server + 1) % len(p.crowd.urls)
	p.run.config.URL = p.url()
}

// open begins a game, on whichever server takes it.
func (p *player) open(ctx context.Context) error {
	var err error
	for began := time.Now(); time.Since(began) < patience && ctx.Err() == nil; time.Sleep(waitNext) {
		short, cancel := context.WithTimeout(ctx, askTime)
		err = p.begin(short)
		cancel()
		if err == nil {
			p.acknowledged, p.turns, p.over, p.at = nil, nil, false, time.Now()
			p.follow(ctx)
			return nil
		}
		p.next()
	}
	return fmt.Errorf("opening a game: %w", errors.Join(err, ctx.Err()))
}

// follow lets a spectator follow the game.
func (p *player) follow(ctx context.Context) {
	if p.stop != nil {
		p.stop()
	}
	p.follower = &follower{id: p.id, urls: p.crowd.urls, server: p.number % len(p.crowd.urls), crowd: p.crowd}
	ctx, p.stop = context.WithCancel(ctx)
	f := p.follower
	p.crowd.all.Go(func() { f.run(ctx) })
}

// attempt is one move that is asked for.
type attempt struct {
	text, key string
	at        time.Time // when it was answered
	done      struct{ Ply int }
}

func (p *player) attempt(mv game.Move) *attempt {
	p.key++
	return &attempt{text: p.match.Position().Format(mv), key: fmt.Sprintf("%s-%06d-%016x", p.id, p.key, p.random.Uint64())}
}

// ask asks a server for a move.
func (p *player) ask(ctx context.Context, url string, a *attempt) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	token := p.tokens[p.match.Position().Turn()]
	err := command(ctx, p.run.client, url+"/api/games/"+p.id+"/moves", token, a.key, object{"move": a.text, "ply": len(p.acknowledged)}, &a.done)
	a.at = time.Now()
	return err
}

// move plays one move, now and then with a rival: another move for the same ply,
// sent to another server at the same time. At most one of them may be taken.
func (p *player) move(ctx context.Context) error {
	legal := p.match.Legal()
	mine := p.attempt(legal[p.random.IntN(len(legal))])
	if len(legal) < 2 || p.random.IntN(rivals) > 0 {
		return p.insist(ctx, mine, nil)
	}
	var other game.Move
	for other = legal[0]; p.match.Position().Format(other) == mine.text; {
		other = legal[1+p.random.IntN(len(legal)-1)]
	}
	rival := p.attempt(other)
	var both sync.WaitGroup
	url := p.crowd.urls[(p.server+1+p.random.IntN(len(p.crowd.urls)-1))%len(p.crowd.urls)]
	var errs [2]error
	both.Go(func() { errs[0] = p.ask(ctx, p.url(), mine) })
	both.Go(func() { errs[1] = p.ask(ctx, url, rival) })
	both.Wait()
	p.crowd.rivals.Add(1)
	if errors.Is(errs[0], context.DeadlineExceeded) {
		p.timeouts++
	}
	switch {
	case errs[0] == nil && errs[1] == nil:
		p.crowd.note(&p.crowd.twice, fmt.Sprintf("game %s: %s and %s were both acknowledged at ply %d", p.id, mine.text, rival.text, len(p.acknowledged)))
		return p.took(mine)
	case errs[0] == nil:
		return p.took(mine)
	case errs[1] == nil:
		return p.took(rival)
	}
	return p.insist(ctx, mine, rival)
}

// rivals is how many moves there are to one that has a rival.
const rivals = 5

// insist asks for a move until it is taken, or the rival has been.
func (p *player) insist(ctx context.Context, mine, rival *attempt) error {
	for ctx.Err() == nil {
		err := p.ask(ctx, p.url(), mine)
		if errors.Is(err, context.DeadlineExceeded) {
			p.timeouts++
		}
		var no *refusal
		switch {
		case err == nil:
			return p.took(mine)
		case errors.As(err, &no) && no.status == http.StatusConflict:
			return p.look(ctx, mine, rival)
		case errors.As(err, &no) && no.status < http.StatusInternalServerError:
			return fmt.Errorf("game %s: %w", p.id, err)
		}
		p.next()
		time.Sleep(waitNext)
	}
	return ctx.Err()
}

// took notes that a move was acknowledged.
func (p *player) took(a *attempt) error {
	before := p.match.Position().Turn()
	if a.done.Ply != len(p.acknowledged)+1 && a.done.Ply != 0 {
		p.crowd.note(&p.crowd.differ, fmt.Sprintf("game %s: %s was acknowledged with ply %d, want %d", p.id, a.text, a.done.Ply, len(p.acknowledged)+1))
	}
	if err := p.match.PlayText(a.text); err != nil {
		return fmt.Errorf("game %s: %w", p.id, err)
	}
	p.acknowledged = append(p.acknowledged, a.text)
	p.run.moves.Add(1)
	p.over = p.match.Outcome().Result.Over()
	p.turns = append(p.turns, turn{p.at, a.at, p.match.Position().Turn() != before, p.timeouts})
	p.timeouts = 0
	p.crowd.heard(a.at)
	p.at = p.follower.at(len(p.acknowledged), a.at) // who moves next can see it from then on
	p.noted(a.at)
	return nil
}

// look looks which move was taken where another was there first.
func (p *player) look(ctx context.Context, mine, rival *attempt) error {
	for ctx.Err() == nil {
		moves, err := p.seen(ctx, p.url())
		n := len(p.acknowledged)
		if err != nil || len(moves) <= n {
			p.next() // it has not heard of it yet
			time.Sleep(waitNext)
			continue
		}
		if !slices.Equal(moves[:n], p.acknowledged) {
			p.crowd.note(&p.crowd.lost, fmt.Sprintf("game %s: %v are there, %v were acknowledged", p.id, moves, p.acknowledged))
		}
		for _, a := range []*attempt{mine, rival} {
			if a != nil && moves[n] == a.text {
				if rival == nil {
					p.crowd.note(&p.crowd.refused, fmt.Sprintf("game %s: %s was taken, and refused when it was repeated with its key", p.id, a.text))
				}
				a.at = time.Now()
				return p.took(a)
			}
		}
		return fmt.Errorf("game %s: nobody has sent %s", p.id, moves[n])
	}
	return ctx.Err()
}

// seen returns the moves of the game as a server has them.
func (p *player) seen(ctx context.Context, url string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var v struct{ Moves []string }
	err := get(ctx, p.run.client, url+"/api/games/"+p.id, &v)
	return v.Moves, err
}

// mark begins to count acknowledgements.
func (p *player) mark(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marked, p.count, p.back, p.gap = t, 0, time.Time{}, 0
}

func (p *player) noted(t time.Time) {
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

// since returns when the player was back since the mark, not ok if it is not yet,
// and the longest time between two acknowledgements.
func (p *player) since() (back, gap time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.back.Sub(p.marked), p.gap, !p.back.IsZero()
}

func (p *player) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Time{}
}

// newPlayer returns the player of a number.
func newPlayer(c *crowd, number int, random *rand.Rand) *player {
	server := number % len(c.urls)
	r := &run{config: Config{URL: c.urls[server]}, client: c.client}
	return &player{witness: witness{table: table{run: r, number: number, random: random}}, crowd: c, server: server}
}

// command sends a request with a key, by which it is known when it is repeated.
func command(ctx context.Context, c *http.Client, url, token, key string, in, out any) error {
	r, err := request(ctx, url, in)
	if err != nil {
		return err
	}
	r.Header.Set("Idempotency-Key", key)
	return send(c, r, token, out)
}
