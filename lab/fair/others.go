package fair

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// others are the other people, and what they have measured.
type others struct {
	url string

	mu      sync.Mutex                 // guards the rest
	samples map[string][]time.Duration // by what they did; nil before they are measured
	refused map[string]int             // failed requests since then, by their errors
}

// take removes the samples so far.
func (o *others) take() map[string][]time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	samples := o.samples
	o.samples = map[string][]time.Duration{}
	return samples
}

// add records how long something took that began at a time.
func (o *others) add(kind string, began time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.samples != nil {
		o.samples[kind] = append(o.samples[kind], time.Since(began))
	}
}

// refuse counts a request that failed. Errors that differ only in identifiers and times are the same.
func (o *others) refuse(err error) {
	text, _, _ := strings.Cut(err.Error(), `,"until"`)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.samples == nil {
		return // the server has just started
	}
	o.refused[regexp.MustCompile(`/[a-z0-9]{12}\b`).ReplaceAllString(text, "/ID")]++
}

// live lets people act until the context ends, so rarely that the machine stays mostly idle.
func (o *others) live(ctx context.Context, attack string) {
	var all sync.WaitGroup
	acts := []func(*person, context.Context) error{
		engine("level:4"), engine("level:4"), engine("level:4"), engine("level:4"), engine("level:10"), timed("reviews", (*person).review), timed("reviews", (*person).review),
		timed("studies", (*person).edit), timed("studies", (*person).edit), timed("lists", (*person).list), timed("lists", (*person).list),
	}
	if attack == "logins" {
		acts = append(acts, (*person).signIn)
	}
	for i, act := range acts {
		p := &person{others: o, client: newClient(2, 1, byte(i)), random: rand.New(rand.NewPCG(uint64(i), 1))}
		all.Go(func() {
			defer p.client.Close()
			defer p.leave()
			for ; ctx.Err() == nil; clock.Sleep(ctx, 150*time.Millisecond) {
				if err := act(p, ctx); err != nil && ctx.Err() == nil {
					o.refuse(err)
					p.leave()
				}
				p.n++
			}
		})
	}
	all.Wait()
}

// newClient returns a client of the address 127.0.NETWORK.HOST.
func newClient(conns int, network, host byte) *load.Client {
	return load.NewClient(conns, time.Minute).From(newDialer(network, host).DialContext)
}

func newDialer(network, host byte) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, network, host)}}
}

// person is one of the others, who does one thing again and again.
type person struct {
	*others
	client *load.Client
	random *rand.Rand
	n      int // actions so far

	conn  *websocket.Conn // to the game with an engine; nil without one
	legal []string        // moves there
	study created
	event int // the last one of the study
}

// created is a new game, study or review.
type created struct{ ID, Token, Key string }

// leave makes the person start over.
func (p *person) leave() {
	if p.conn != nil {
		_ = p.conn.CloseNow() // the server may have closed it
	}
	p.conn, p.study = nil, created{}
}

// timed records how long an action takes.
func timed(kind string, act func(*person, context.Context) error) func(*person, context.Context) error {
	return func(p *person, ctx context.Context) error {
		began := time.Now()
		err := act(p, ctx)
		if err == nil {
			p.add(kind, began)
		}
		return err
	}
}

// engine returns an action: play a random move of chess, and wait for the reply of an engine.
func engine(level string) func(*person, context.Context) error {
	return func(p *person, ctx context.Context) (err error) {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		began := time.Now()
		if p.conn != nil {
			frame := fmt.Sprintf(`{"do":"move","move":%q}`, p.legal[p.random.IntN(len(p.legal))])
			if err := p.conn.Write(ctx, websocket.MessageText, []byte(frame)); err != nil {
				return fmt.Errorf("moving against an engine: %w", err)
			}
			if err := p.awaitTurn(ctx, began, false); err != nil {
				return err
			}
			p.add("engine, "+level, began)
			if len(p.legal) == 0 {
				p.leave()
			}
			return nil
		}
		var made created
		if err := p.client.Post(ctx, p.url+"/api/games", "", load.Object{"game": "chess", "as": "first", "seats": load.Object{"second": level}}, &made); err != nil {
			return err
		}
		if p.conn, err = p.client.Socket(ctx, p.url+"/api/games/"+made.ID+"/socket?board=1", made.Token); err != nil {
			return err
		}
		return p.awaitTurn(ctx, began, true)
	}
}

// awaitTurn reads the socket until the person's move is acknowledged, and the person is to move or the
// game is over.
func (p *person) awaitTurn(ctx context.Context, began time.Time, acknowledged bool) error {
	for turn := false; !acknowledged || !turn; {
		_, data, err := p.conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("waiting for an engine: %w", err)
		}
		var s struct {
			Turn, State string
			Status      int // of a reply
			Legal       []struct{ Move string }
		}
		switch err := json.Unmarshal(data, &s); {
		case err != nil || s.Status > http.StatusOK:
			return fmt.Errorf("moving against an engine: %s, %w", data, err)
		case s.Status == http.StatusOK:
			acknowledged = true
			p.add("moves", began)
		case s.Turn == "first" || s.State == "over":
			turn, p.legal = true, nil
			for _, l := range s.Legal {
				p.legal = append(p.legal, l.Move)
			}
		}
	}
	return nil
}

// review asks the server to review a short game.
func (p *person) review(ctx context.Context) error {
	var made created
	in := load.Object{"game": "chess", "moves": randomLine("chess", nil, reviewed(), 10, p.random.Uint64())}
	if err := p.client.Post(ctx, p.url+"/api/reviews", "", in, &made); err != nil {
		return err
	}
	return p.client.Read(ctx, p.url+"/api/reviews/"+made.ID+"/events")
}

// edit comments on a study, or makes one.
func (p *person) edit(ctx context.Context) error {
	if p.n%10 == 0 || p.study.ID == "" {
		p.event = 0
		return p.client.Post(ctx, p.url+"/api/studies", "", load.Object{"game": "chess", "moves": reviewed()}, &p.study)
	}
	in := load.Object{"after": p.event, "edits": []load.Object{{"do": "comment", "id": "root", "text": fmt.Sprint("comment ", p.n)}}}
	p.event++
	return p.client.Post(ctx, p.url+"/api/studies/"+p.study.ID+"/edits", p.study.Key, in, &struct{}{})
}

// list reads the list of games, or the page that shows it.
func (p *person) list(ctx context.Context) error {
	return p.client.Read(ctx, p.url+[]string{"/", "/api/games"}[p.n%2])
}

// visitor is the account that signs in.
const visitor = "Visitor"

// signIn signs in once a second, each time from another address.
func (p *person) signIn(ctx context.Context) error {
	const password = "correct horse"
	in := load.Object{"name": visitor, "password": password}
	if p.n == 0 {
		return p.client.Post(ctx, p.url+"/api/accounts", "", in, &struct{}{})
	}
	from := newClient(1, 1, byte(11+p.n%200))
	defer from.Close()
	began := time.Now()
	err := from.Post(ctx, p.url+"/api/sessions", "", in, &struct{}{})
	if err == nil {
		p.add("sign-ins", began)
	}
	clock.Sleep(ctx, time.Second)
	return err
}
