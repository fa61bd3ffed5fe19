package reviews

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"quintet/bots"
	"quintet/game"
	"quintet/live"
	"quintet/review"
	"quintet/serve/api"
	"quintet/serve/jobs"
	"quintet/web/wire"
)

// The kinds of events of a review.
const (
	opened   = "opened"   // the review of Spec by Engine
	claimed  = "claimed"  // the server By does the work
	analyzed = "analyzed" // Plies, the last one of the game first, after From others
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

// Ply is a move and its assessment.
type Ply = wire.Ply

// Review is a review and how far it has come. It is safe for concurrent use.
type Review struct {
	*api.Document
	store *Store

	// Mu of the document guards these.
	spec   Spec
	engine string
	plies  []Ply  // the last one of the game first; also those that are not in the log yet
	stored int    // how many of them are
	by     string // the server that has claimed it
	at     int64  // service time of the last event
	ticket *jobs.Ticket

	finished bool // a game of this server that is over has these moves, as far as this server knows
}

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
	Plies    []Ply             `json:"plies"` // the last ones of the game, in its order
	Accuracy api.Both[float64] `json:"accuracy"`
	Finished bool              `json:"-"`       // it is known to be about a game of this server that is over
	Turning  int               `json:"turning"` // the ply of the move that decided the game; 0 if there is none yet
}

// finish notes that the review is about a game of this server that is over.
func (r *Review) finish() {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	r.finished = true
}

// View returns a snapshot of the review, and a channel that is closed when it changes.
func (r *Review) View() (v View, changed <-chan struct{}) {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	changed = r.Ask()
	v = View{ID: r.ID(), Spec: r.spec, Plies: slices.Clone(r.plies), State: Queued, Finished: r.finished}
	slices.Reverse(v.Plies)
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
	return v, changed
}

// sum computes the accuracy and the turning point from the plies.
func (v *View) sum() {
	v.Accuracy, v.Turning = wire.SumOf(v.Spec.Game, v.Plies, v.State == Done)
}

// done reports whether all moves are assessed. The caller holds Mu.
func (r *Review) done() bool { return len(r.plies) == len(r.spec.Moves) && r.stored == len(r.plies) }

// lease is the service time for which a claim is valid after the last event.
const lease = 15_000

// elsewhere reports whether another server does the work. The caller holds Mu.
func (r *Review) elsewhere(now int64) bool {
	return r.by != "" && r.by != r.store.config.Name && now-r.at < lease
}

// Busy implements api.Kept.
func (r *Review) Busy() bool { return r.ticket != nil }

// begin submits the work to the queue unless it is done or in progress.
func (r *Review) begin(ctx context.Context, client string) error {
	fingerprint, err := r.store.fingerprint(ctx, r.game())
	if err != nil {
		return err
	}
	if r.outdated(fingerprint) {
		err := r.append(ctx, reopened, event{Engine: fingerprint})
		if err != nil && !errors.Is(err, live.ErrStale) {
			return err
		}
	}
	r.Mu.Lock()
	defer r.Mu.Unlock()
	r.Ask()
	if r.done() || r.ticket != nil || r.elsewhere(r.store.config.Now().Service) {
		return nil
	}
	ticket, err := r.store.config.Queue.Submit(client, &work{review: r, client: client})
	if err == nil {
		r.ticket = ticket
		r.Change()
	}
	return err
}

func (r *Review) game() string {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return r.spec.Game
}

// outdated reports whether a review without a worker is by another engine.
func (r *Review) outdated(fingerprint string) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return r.engine != fingerprint && r.ticket == nil && !r.elsewhere(r.store.config.Now().Service)
}

// apply applies an event. It skips kinds of newer servers. The caller holds Mu.
func (r *Review) apply(data []byte) error {
	var v event
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	r.at = v.At
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
		if v.From == r.stored && r.fits(v.From, v.Plies) {
			r.stored += len(v.Plies)
			rest := r.plies[min(len(r.plies), r.stored):] // not written yet
			r.plies = slices.Concat(r.plies[:v.From], v.Plies, rest)
		}
	}
	return nil
}

// fits reports whether plies come next after a number of others: each before the other in the game. The caller holds Mu.
func (r *Review) fits(after int, list []Ply) bool {
	for i, p := range list {
		if p.Ply < 1 || p.Ply != len(r.spec.Moves)-after-i {
			return false
		}
	}
	return true
}

// append writes an event, and applies it.
func (r *Review) append(ctx context.Context, kind live.Kind, v event) error {
	r.Appending.Lock()
	defer r.Appending.Unlock()
	return r.Append(ctx, kind, func(e live.Envelope) ([]byte, error) {
		v.Envelope = e
		return json.Marshal(v)
	})
}

// walk returns the state from which the work continues: the game, and the walk before the known
// plies.
func (r *Review) walk() (game.Game, *review.Walk, error) {
	r.Mu.Lock()
	spec, plies := r.spec, r.plies[:len(r.plies):len(r.plies)]
	r.Mu.Unlock()
	known := make([]review.Move, len(plies))
	for i, p := range plies {
		known[len(known)-1-i] = p.Assessment()
	}
	m, _, err := spec.settings().Match()
	if err != nil {
		return game.Game{}, nil, err
	}
	g := m.Game()
	if len(known) > 0 {
		at := m.Clone()
		for range known {
			at.Undo()
		}
		known[0].Line, _ = game.PlayTexts(at.Position(), plies[len(plies)-1].PV) // this package wrote it
	}
	w, err := review.NewWalk(g, m.Start(), m.Moves(), known, bots.ProfileFor(g).Exact)
	return g, w, err
}
