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
func (s *Scheduler) considerReplay(j *job, w *worker, unit int) {
	share := regularShare
	if w.state.Pairs <= newcomerPairs {
		share = newcomerShare
	}
	if s.config.Referee == nil || !j.about.Deterministic || s.config.Random.Float64() >= share {
		return
	}
	if s.alone(j, w) {
		s.dispute(dispute{job: j, unit: unit, by: map[*worker]farm.Digest{}})
		return
	}
	if len(s.replays) < maxReplays {
		s.replays = append(s.replays, replay{j, unit})
	}
}

// alone reports whether no other key can work on the job, so that nobody can replay.
func (s *Scheduler) alone(j *job, w *worker) bool {
	now := s.config.Now()
	return !slices.ContainsFunc(s.list, func(other *worker) bool { return other != w && other.able(j, now) })
}

// addReplay adds a unit of another worker to a lease. The worker cannot tell which unit is
// the replay. A lease without units becomes one of the replay's job.
func (s *Scheduler) addReplay(l *lease) {
	for i, r := range s.replays {
		by, _, ok := r.job.ledger.Result(r.unit)
		if ok && (s.list[by] == l.worker || len(l.units) > 0 && l.job != r.job || !l.worker.instances[l.instance].fits(r.job)) {
			continue
		}
		s.replays = slices.Delete(s.replays, i, i+1)
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
func (s *Scheduler) compare(j *job, w *worker, m farm.Result, d farm.Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.leases[m.Lease]; l != nil {
		s.done(l, m.Unit, s.config.Now())
	}
	by, first, ok := j.ledger.Result(m.Unit)
	switch {
	case !ok || s.list[by] == w:
	case first == d:
		s.list[by].replayed++
	default:
		s.dispute(dispute{job: j, unit: m.Unit, by: map[*worker]farm.Digest{w: d}})
	}
}

// dispute asks the referee. It drops the dispute if too many wait.
func (s *Scheduler) dispute(d dispute) {
	select {
	case s.disputes <- d:
	default:
	}
}

// resolveDisputes resolves disputes until the context ends.
func (s *Scheduler) resolveDisputes(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case d := <-s.disputes:
			s.resolve(ctx, d)
		}
	}
}

// resolve runs a disputed unit in this process, and quarantines workers whose result differs.
func (s *Scheduler) resolve(ctx context.Context, d dispute) {
	var truth farm.Digest
	payload, err := s.config.Referee(ctx, d.job.task, d.unit)
	if err == nil {
		truth, err = d.job.task.Check(d.unit, payload)
	}
	if err != nil {
		if ctx.Err() == nil { // otherwise the coordinator stops
			s.config.Log.Warn("cannot replay a disputed unit", "job", d.job.id[:12], "unit", d.unit, "error", err)
		}
		return
	}
	s.mu.Lock()
	if by, first, ok := d.job.ledger.Result(d.unit); ok {
		d.by[s.list[by]] = first
	}
	s.mu.Unlock()
	for w, digest := range d.by {
		if digest == truth {
			s.mu.Lock()
			w.replayed++
			s.mu.Unlock()
		} else {
			s.Quarantine(ctx, w.key, fmt.Sprintf("unit %d of job %.12s: a replay has another result", d.unit, d.job.id))
		}
	}
}

// refuse rejects an invalid result, and quarantines the worker after maxInvalid.
func (s *Scheduler) refuse(ctx context.Context, w *worker, j *job, m farm.Result, why error) error {
	s.config.Log.Warn("an invalid result", "worker", w.key, "job", j.id[:12], "unit", m.Unit, "error", why)
	s.mu.Lock()
	w.invalid++
	if l := s.leases[m.Lease]; l != nil && l.worker == w && l.job == j {
		s.failLease(l, m.Unit, attempt{reported: true, reason: "an invalid result: " + why.Error()})
	}
	out := w.invalid >= maxInvalid
	s.mu.Unlock()
	if out {
		s.Quarantine(ctx, w.key, fmt.Sprintf("it sent %d invalid results", maxInvalid))
	}
	return farm.Refuse(farm.CodeInvalid, "unit %d: %v", m.Unit, why)
}

// Quarantine voids all results of a worker, so that others do these units again, and
// rejects its later results.
func (s *Scheduler) Quarantine(ctx context.Context, key, reason string) {
	s.mu.Lock()
	w := s.worker(key)
	if w.state.Quarantined {
		s.mu.Unlock()
		return
	}
	w.state.Quarantined, w.state.Reason = true, reason
	for _, l := range s.leases {
		if l.worker == w {
			s.drop(l)
		}
	}
	state := w.state
	s.mu.Unlock()
	s.config.Log.Error("a worker is quarantined, and its results are void", "worker", key, "reason", reason)
	if err := s.store.SetWorker(ctx, key, state); err != nil {
		s.config.Log.Error("cannot store a quarantine", "error", err)
	}
	if err := s.void(ctx, w); err != nil {
		s.config.Log.Error("cannot void results", "error", err)
	}
}

// void deletes the results of a worker, and then offers their units again: the store accepts
// only one result of a unit.
func (s *Scheduler) void(ctx context.Context, w *worker) error {
	s.mu.Lock()
	jobs := slices.Clone(s.order)
	s.mu.Unlock()
	for _, j := range jobs {
		s.mu.Lock()
		units := j.ledger.Void(w.index)
		s.mu.Unlock()
		if len(units) == 0 {
			continue
		}
		for _, unit := range units {
			if err := s.store.DeleteResult(ctx, j.id, unit); err != nil {
				return fmt.Errorf("deleting unit %d of job %.12s: %w", unit, j.id, err)
			}
		}
		s.mu.Lock()
		j.voids = append(j.voids, slices.Min(units))
		delete(j.scores, w.index)
		j.reopen(units)
		j.announce()
		s.mu.Unlock()
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
