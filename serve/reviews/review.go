package reviews

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"quintet/bots"
	"quintet/game"
	"quintet/live"
	"quintet/review"
	"quintet/serve/api"
	"quintet/serve/jobs"
)

// The kinds of events of a review.
const (
	opened   = "opened"   // the review of Spec by Engine
	claimed  = "claimed"  // the server By does the work
	analyzed = "analyzed" // Plies, from From on
	reopened = "reopened" // Engine is a new engine: the review starts over
)

// event is an event of a review.
type event struct {
	live.Envelope
	Spec   *Spec  `json:"spec,omitempty"`
	Engine string `json:"engine,omitempty"`
	By     string `json:"by,omitempty"`
	From   int    `json:"from,omitempty"`
	Plies  []Ply  `json:"plies,omitempty"`
}

// Ply is a move and its assessment. Scores are from the view of the side that moved; those
// beyond 20,000 are proved: 30,000 less the plies to the end.
type Ply struct {
	Ply       int      `json:"ply"` // from 1
	Side      string   `json:"side"`
	Move      string   `json:"move"`
	Score     int      `json:"score"`      // after the move
	BestScore int      `json:"best_score"` // after the best move
	Best      string   `json:"best"`
	PV        []string `json:"pv"`        // the line that begins with the best move
	Loss      float64  `json:"loss"`      // of winning chances, 0 to 1
	Judgement string   `json:"judgement"` // "", "?!", "?" or "??"
	Lead      float64  `json:"lead"`      // winning chances of the first side after the move, 0 to 1
}

// Review is a review and how far it has come. It is safe for concurrent use.
type Review struct {
	store *Store
	id    string

	appending sync.Mutex // held while an event is appended: the events have one order

	mu      sync.Mutex // guards the rest
	spec    Spec
	engine  string
	plies   []Ply // also those that are not in the log yet
	stored  int   // how many of them are
	chain   live.Chain
	seq     uint64 // of the last event
	by      string // the server that has claimed it
	at      int64  // service time of the last event
	ticket  *jobs.Ticket
	changed chan struct{} // closed and replaced at every change
	asked   time.Time     // when a client last asked for it
}

func newReview(s *Store, id string) *Review {
	return &Review{store: s, id: id, changed: make(chan struct{})}
}

// tableID returns the identifier of a review's table in the log.
func tableID(table string) string { return strings.TrimPrefix(table, string(live.ReviewCategory)+"-") }

// State is how far a review has come.
type State string

// The states.
const (
	Queued  State = "queued"
	Running State = "running"
	Done    State = "done"
)

// View is a snapshot of a review.
type View struct {
	ID       string            `json:"-"`
	Spec     Spec              `json:"-"`
	State    State             `json:"state"`
	Place    int               `json:"place"` // in the queue; 0 if it does not wait there
	Plies    []Ply             `json:"plies"`
	Accuracy api.Both[float64] `json:"accuracy"`
	Turning  int               `json:"turning"` // the ply of the move that decided the game; 0 if there is none yet
}

// ID returns the identifier.
func (r *Review) ID() string { return r.id }

// View returns a snapshot of the review, and a channel that is closed when it changes.
func (r *Review) View() (v View, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = r.store.config.Time()
	v = View{ID: r.id, Spec: r.spec, Plies: r.plies[:len(r.plies):len(r.plies)], State: Queued}
	switch {
	case r.done():
		v.State = Done
	case r.ticket != nil:
		if v.Place = r.ticket.Place(); v.Place == 0 {
			v.State = Running
		}
	case r.elsewhere(r.store.config.Now().Service):
		v.State = Running
	}
	v.sum()
	return v, r.changed
}

// sum computes the accuracy and the turning point from the plies.
func (v *View) sum() {
	list := make([]review.Move, len(v.Plies))
	for i, p := range v.Plies {
		side, _ := live.SideNamed(p.Side) // this package wrote it
		list[i] = review.Move{Side: side, Value: p.BestScore, After: p.Score, ExpectedLoss: p.Loss, Mark: review.Mark(p.Judgement)}
	}
	v.Accuracy = api.BothOf(review.Accuracy(list))
	if i, ok := review.TurningPoint(v.Spec.Game, list); ok && v.State == Done {
		v.Turning = i + 1
	}
}

// done reports whether all moves are assessed. The caller holds mu.
func (r *Review) done() bool { return len(r.plies) == len(r.spec.Moves) && r.stored == len(r.plies) }

// lease is the service time for which a claim is valid after the last event.
const lease = 15_000

// elsewhere reports whether another server does the work. The caller holds mu.
func (r *Review) elsewhere(now int64) bool {
	return r.by != "" && r.by != r.store.config.Name && now-r.at < lease
}

// idle reports whether the review can leave memory.
func (r *Review) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ticket == nil && r.store.config.Time().Sub(r.asked) > idleTimeout
}

// change wakes all waiters. The caller holds mu.
func (r *Review) change() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// begin submits the work to the queue unless it is done or in progress.
func (r *Review) begin(ctx context.Context, client string) error {
	fingerprint, err := r.store.fingerprint(ctx, r.game())
	if err != nil {
		return err
	}
	if r.outdated(fingerprint) {
		err := r.append(ctx, event{Envelope: live.Envelope{Kind: reopened}, Engine: fingerprint})
		if err != nil && !errors.Is(err, live.ErrStale) {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = r.store.config.Time()
	if r.done() || r.ticket != nil || r.elsewhere(r.store.config.Now().Service) {
		return nil
	}
	ticket, err := r.store.config.Queue.Submit(client, &work{review: r})
	if err == nil {
		r.ticket = ticket
		r.change()
	}
	return err
}

func (r *Review) game() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spec.Game
}

// outdated reports whether a review without a worker is by another engine.
func (r *Review) outdated(fingerprint string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.engine != fingerprint && r.ticket == nil && !r.elsewhere(r.store.config.Now().Service)
}

// reload reads the review from the log.
func (r *Review) reload(ctx context.Context) error {
	list, err := r.store.config.Log.Read(ctx, live.ReviewCategory.Stream(r.id))
	if err != nil {
		return fmt.Errorf("reading a review: %w", err)
	}
	for _, e := range list {
		if err := r.deliver(e); err != nil {
			return err
		}
	}
	return nil
}

// deliver applies a new event of the log.
func (r *Review) deliver(e live.Entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Seq <= r.seq {
		return nil
	}
	var v event
	if err := json.Unmarshal(e.Data, &v); err != nil {
		return fmt.Errorf("reading a review: %w: %w", err, live.ErrBroken)
	}
	if _, err := r.chain.Load(e.Stream, e.Data); err != nil {
		return err
	}
	r.seq, r.at = e.Seq, v.At
	r.apply(v)
	r.change()
	return nil
}

// apply applies an event. It skips kinds of newer servers. The caller holds mu.
func (r *Review) apply(v event) {
	switch v.Kind {
	case opened:
		if v.Spec != nil {
			r.spec = *v.Spec
		}
		r.engine = v.Engine
	case reopened:
		r.engine, r.plies, r.stored, r.by = v.Engine, nil, 0, ""
	case claimed:
		r.by = v.By
		if v.By != r.store.config.Name {
			r.plies = r.plies[:r.stored:r.stored] // another server continues from there
		}
	case analyzed:
		if v.From == r.stored && v.From+len(v.Plies) <= len(r.spec.Moves) {
			r.stored += len(v.Plies)
			rest := r.plies[min(len(r.plies), r.stored):] // not written yet
			r.plies = slices.Concat(r.plies[:v.From], v.Plies, rest)
		}
	}
}

// append writes an event after the last known one, and applies it. The error
// wraps live.ErrStale if another server was first; then its events are applied.
func (r *Review) append(ctx context.Context, v event) error {
	r.appending.Lock()
	defer r.appending.Unlock()
	r.mu.Lock()
	v.Envelope = r.chain.Next(v.Kind, r.store.config.Now())
	after := r.seq
	r.mu.Unlock()
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("writing a review: %w", err)
	}
	table := live.ReviewCategory.Stream(r.id)
	seq, err := r.store.config.Log.Append(ctx, table, after, data)
	if err != nil {
		return errors.Join(fmt.Errorf("writing a review: %w", err), r.reload(ctx))
	}
	return r.deliver(live.Entry{Stream: table, Seq: seq, Data: data})
}

// walk returns the state from which the work continues: the game, and the walk after the known
// plies.
func (r *Review) walk() (game.Game, *review.Walk, error) {
	r.mu.Lock()
	spec, from := r.spec, len(r.plies)
	r.mu.Unlock()
	_, m, err := spec.normal()
	if err != nil {
		return game.Game{}, nil, err
	}
	g := m.Game()
	return g, review.NewWalk(g, m.Start(), m.Moves(), from, bots.ProfileFor(g).Exact), nil
}
