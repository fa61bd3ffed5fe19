package scheduler

import (
	"context"
	"fmt"
	"math"
	"slices"

	"quintet/farm"
)

// Shares of deterministic results that are replayed: of a worker's first results, and of the
// later ones. So a worker that falsifies 5 % is caught after about a thousand.
const (
	newcomerPairs = 50
	newcomerShare = 0.20
	regularShare  = 0.02
)

const (
	maxReplays  = 1000 // that wait for a worker
	maxDisputes = 64   // that wait for the referee
	maxInvalid  = 3    // results before a quarantine
)

// replay is a result that another worker will check.
type replay struct {
	job  *job
	unit int
}

// dispute is a unit whose result is in doubt.
type dispute struct {
	job  *job
	unit int
	by   map[*worker]farm.Digest // the results to compare with that which counts
}

// considerReplay chooses results to replay at random.
func (h *Scheduler) considerReplay(j *job, w *worker, unit int) {
	share := regularShare
	if w.state.Pairs <= newcomerPairs {
		share = newcomerShare
	}
	if h.config.Referee == nil || !j.about.Deterministic || h.config.Random.Float64() >= share {
		return
	}
	if h.alone(j, w) {
		h.dispute(dispute{job: j, unit: unit, by: map[*worker]farm.Digest{}})
		return
	}
	if len(h.replays) < maxReplays {
		h.replays = append(h.replays, replay{j, unit})
	}
}

// alone reports whether no other key can work on the job, so that nobody can replay.
func (h *Scheduler) alone(j *job, w *worker) bool {
	now := h.config.Now()
	for _, other := range h.list {
		if other == w || other.state.Quarantined {
			continue
		}
		for _, i := range other.instances {
			if i.able(j, now) {
				return false
			}
		}
	}
	return true
}

// addReplay adds a unit of another worker to a lease. The worker cannot tell which unit is
// the replay. A lease without units becomes one of the replay's job.
func (h *Scheduler) addReplay(l *lease) {
	for i, r := range h.replays {
		by, _, ok := r.job.ledger.Result(r.unit)
		if ok && (h.list[by] == l.worker || len(l.units) > 0 && l.job != r.job || !l.worker.instances[l.instance].fits(r.job)) {
			continue
		}
		h.replays = slices.Delete(h.replays, i, i+1)
		if ok {
			if l.units == nil {
				l.units = map[int]bool{}
			}
			l.job = r.job
			l.units[r.unit] = true
		}
		return
	}
}

// compare compares a replay with the result that counts.
func (h *Scheduler) compare(j *job, w *worker, m farm.Result, d farm.Digest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.leases[m.Lease]; l != nil {
		h.done(l, m.Unit, h.config.Now())
	}
	by, first, ok := j.ledger.Result(m.Unit)
	switch {
	case !ok || h.list[by] == w:
	case first == d:
		h.list[by].replayed++
	default:
		h.dispute(dispute{job: j, unit: m.Unit, by: map[*worker]farm.Digest{w: d}})
	}
}

// dispute asks the referee. It drops the dispute if too many wait.
func (h *Scheduler) dispute(d dispute) {
	select {
	case h.disputes <- d:
	default:
	}
}

// resolveDisputes resolves disputes until the context ends.
func (h *Scheduler) resolveDisputes(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case d := <-h.disputes:
			h.resolve(ctx, d)
		}
	}
}

// resolve runs a disputed unit in this process, and quarantines workers whose result differs.
func (h *Scheduler) resolve(ctx context.Context, d dispute) {
	var truth farm.Digest
	var payload []byte
	blob, err := h.blob(ctx, d.job)
	if err == nil {
		payload, err = h.config.Referee(ctx, d.job.task, blob, d.unit)
	}
	if err == nil {
		truth, err = d.job.task.Check(d.unit, payload)
	}
	if err != nil {
		if ctx.Err() == nil { // otherwise the coordinator stops
			h.config.Log.Warn("cannot replay a disputed unit", "job", d.job.id[:12], "unit", d.unit, "error", err)
		}
		return
	}
	h.mu.Lock()
	if by, first, ok := d.job.ledger.Result(d.unit); ok {
		d.by[h.list[by]] = first
	}
	h.mu.Unlock()
	for w, digest := range d.by {
		if digest == truth {
			h.mu.Lock()
			w.replayed++
			h.mu.Unlock()
		} else {
			h.Quarantine(ctx, w.key, fmt.Sprintf("unit %d of job %.12s: a replay has another result", d.unit, d.job.id))
		}
	}
}

// refuse rejects an invalid result, and quarantines the worker after maxInvalid.
func (h *Scheduler) refuse(ctx context.Context, w *worker, j *job, m farm.Result, why error) error {
	h.config.Log.Warn("an invalid result", "worker", w.key, "job", j.id[:12], "unit", m.Unit, "error", why)
	h.mu.Lock()
	w.invalid++
	if l := h.leases[m.Lease]; l != nil && l.worker == w && l.job == j {
		h.failLease(l, m.Unit, attempt{reported: true, reason: "an invalid result: " + why.Error()})
	}
	out := w.invalid >= maxInvalid
	h.mu.Unlock()
	if out {
		h.Quarantine(ctx, w.key, fmt.Sprintf("it sent %d invalid results", maxInvalid))
	}
	return farm.Refuse(farm.CodeInvalid, "unit %d: %v", m.Unit, why)
}

// Quarantine voids all results of a worker, so that others do these units again, and
// rejects its later results.
func (h *Scheduler) Quarantine(ctx context.Context, key, reason string) {
	h.mu.Lock()
	w := h.worker(key)
	if w.state.Quarantined {
		h.mu.Unlock()
		return
	}
	w.state.Quarantined, w.state.Reason = true, reason
	for _, l := range h.leases {
		if l.worker == w {
			h.drop(l)
		}
	}
	state := w.state
	h.mu.Unlock()
	h.config.Log.Error("a worker is quarantined, and its results are void", "worker", key, "reason", reason)
	if err := h.store.SetWorker(ctx, key, state); err != nil {
		h.config.Log.Error("cannot store a quarantine", "error", err)
	}
	if err := h.void(ctx, w); err != nil {
		h.config.Log.Error("cannot void results", "error", err)
	}
}

// void deletes the results of a worker, and then offers their units again: the store accepts
// only one result of a unit.
func (h *Scheduler) void(ctx context.Context, w *worker) error {
	h.mu.Lock()
	jobs := slices.Clone(h.order)
	h.mu.Unlock()
	for _, j := range jobs {
		h.mu.Lock()
		units := j.ledger.Void(w.index)
		h.mu.Unlock()
		if len(units) == 0 {
			continue
		}
		for _, unit := range units {
			if err := h.store.DeleteResult(ctx, j.id, unit); err != nil {
				return fmt.Errorf("deleting unit %d of job %.12s: %w", unit, j.id, err)
			}
		}
		h.mu.Lock()
		j.voids = append(j.voids, slices.Min(units))
		delete(j.scores, w.index)
		j.reopen(units)
		j.announce()
		h.mu.Unlock()
	}
	return nil
}

// score sums the results of one worker in a match of two players, by pairs.
type score struct {
	pairs      int
	sum, sumSq float64 // of the points of the first player in a pair, from 0 to 2
}

// addScore counts a pair for the residual of a worker.
func (j *job) addScore(worker int, d farm.Digest) {
	scorer, ok := j.task.(farm.Scorer)
	if !ok {
		return
	}
	points, ok := scorer.Points(d)
	if !ok {
		return
	}
	t := j.scores[worker]
	if t == nil {
		t = &score{}
		j.scores[worker] = t
	}
	t.pairs++
	t.sum += points
	t.sumSq += points * points
}

// residual returns by how many standard deviations the mean of a worker's pairs
// differs from that of the others, or 0 if there are too few.
func (j *job) residual(worker int) float64 {
	own := j.scores[worker]
	var rest score
	for w, t := range j.scores {
		if w != worker {
			rest.pairs, rest.sum, rest.sumSq = rest.pairs+t.pairs, rest.sum+t.sum, rest.sumSq+t.sumSq
		}
	}
	if own == nil || own.pairs < 20 || rest.pairs < 20 {
		return 0
	}
	n, m := float64(own.pairs), float64(rest.pairs)
	mean := (own.sum + rest.sum) / (n + m)
	variance := max((own.sumSq+rest.sumSq)/(n+m)-mean*mean, 0.01)
	return (own.sum/n - rest.sum/m) / math.Sqrt(variance*(1/n+1/m))
}
