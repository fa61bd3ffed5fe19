package scheduler

import (
	"cmp"
	"context"
	"slices"
	"time"

	"quintet/farm"
)

// JobView is what people see of a job.
type JobView struct {
	ID        string      `json:"id"`
	Kind      string      `json:"kind"`
	Game      string      `json:"game"`
	Players   []string    `json:"players"` // of a match, or what the job is about
	Counts    string      `json:"counts"`  // unit of the numbers, such as "games"
	Status    string      `json:"status"`  // open, stopped, failed, decided or finished
	Priority  int         `json:"priority"`
	Submitted time.Time   `json:"submitted"`
	Games     int         `json:"games"`   // finished, also those that do not count yet
	Counted   int         `json:"counted"` // of the contiguous prefix
	Planned   int         `json:"planned"`
	Slots     int         `json:"slots"`     // working on it
	Memory    int         `json:"memory_mb"` // that a slot needs
	SPRT      bool        `json:"sprt"`
	Verdict   string      `json:"verdict,omitempty"` // of the SPRT: H0, H1, or open if it has not decided
	Epoch     int         `json:"epoch"`
	Point     *farm.Point `json:"result,omitempty"`
	Failure   string      `json:"failure,omitempty"` // the unit that failed, and why

	// Of Show alone.
	History []farm.Point  `json:"history,omitempty"`
	Trouble []UnitTrouble `json:"trouble,omitempty"`
	Faults  string        `json:"-"` // of the players, in words
}

// Outcome returns the state of the job's SPRT in one word.
func (v JobView) Outcome() string { return farm.SPRTOutcome(v.Verdict, v.Status == "open") }

// view returns the view of a job.
func (s *Scheduler) view(j *job) JobView {
	v := JobView{
		ID: j.id, Kind: j.spec.Kind, Game: j.about.Game, Players: j.about.Names, Counts: j.about.Counts, Status: j.status(), Priority: j.state.Priority,
		Submitted: j.state.Submitted, Games: j.about.Size(j.ledger.Count()), Slots: j.active, SPRT: j.about.SPRT, Epoch: len(j.voids), Failure: j.failure(), Memory: j.about.Memory,
	}
	v.Counted, v.Planned = j.ledger.Fold().Progress()
	if f, ok := j.ledger.Fold().(farm.Rated); ok && v.Counted > 0 {
		point := f.Point()
		v.Point, v.Verdict = &point, f.Verdict()
	}
	return v
}

// Jobs returns all jobs, the newest first.
func (s *Scheduler) Jobs() []JobView {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]JobView, 0, len(s.order))
	for _, j := range slices.Backward(s.order) {
		if len(list) == maxListed {
			break
		}
		list = append(list, s.view(j))
	}
	return list
}

// maxListed bounds the jobs of a list: the newest.
const maxListed = 500

// Show returns a job with its history.
func (s *Scheduler) Show(id string) (JobView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j, err := s.find(id)
	if err != nil {
		return JobView{}, err
	}
	v := s.view(j)
	v.Trouble = j.trouble()
	if f, ok := j.ledger.Fold().(farm.Rated); ok {
		v.History, v.Faults = f.History(), f.Faults()
	}
	return v, nil
}

// WorkerView is what people see of a worker.
type WorkerView struct {
	Key         string   `json:"key"`
	Hosts       []string `json:"hosts"`
	Slots       int      `json:"slots"`
	Live        int      `json:"live,omitempty"`     // moves of live games at a time
	Analyses    int      `json:"analyses,omitempty"` // of them, analyses at a time
	Busy        int      `json:"busy"`
	Pairs       int      `json:"pairs"`
	Confirmed   int      `json:"confirmed"` // by replays, since the start
	Invalid     int      `json:"invalid"`   // results, since the start
	Residual    float64  `json:"residual"`  // the largest of all jobs, in standard deviations
	Quarantined bool     `json:"quarantined"`
	Reason      string   `json:"reason,omitempty"`
}

// Workers returns all workers, connected ones first.
func (s *Scheduler) Workers() []WorkerView {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.config.Now()
	list := []WorkerView{}
	for _, w := range s.list {
		v := WorkerView{
			Key: w.key, Pairs: w.state.Pairs, Confirmed: w.replayed, Invalid: w.invalid,
			Quarantined: w.state.Quarantined, Reason: w.state.Reason, Hosts: []string{},
		}
		for _, i := range w.instances {
			if now.Sub(i.seen) < absentAfter {
				v.Hosts = append(v.Hosts, i.hello.Host)
				v.Slots += i.hello.Slots
				v.Live += i.hello.Live
				v.Analyses += i.hello.Analyses
				v.Busy += i.busy
			}
		}
		slices.Sort(v.Hosts)
		v.Hosts = slices.Compact(v.Hosts)
		v.Residual = s.largestResidual(w)
		list = append(list, v)
	}
	slices.SortStableFunc(list, func(a, b WorkerView) int { return cmp.Compare(b.Slots, a.Slots) })
	return list
}

func (s *Scheduler) largestResidual(w *worker) (most float64) {
	for _, j := range s.order {
		if r := j.residual(w.index); max(r, -r) > max(most, -most) {
			most = r
		}
	}
	return most
}

// Totals are the sums of a farm.
type Totals struct {
	Jobs        map[string]int `json:"jobs"` // by status
	Slots       int            `json:"slots"`
	Busy        int            `json:"busy"`
	Games       int            `json:"games"`
	GamesPerSec float64        `json:"games_per_second"` // in about the last 20 s
	Leases      int            `json:"leases"`
	Replays     int            `json:"replays_waiting"`
	Quarantined int            `json:"workers_quarantined"`
	Bytes       int64          `json:"store_bytes"` // that jobs and results take, roughly
}

// Totals returns the sums.
func (s *Scheduler) Totals() Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.config.Now()
	t := Totals{Jobs: map[string]int{}, GamesPerSec: s.rate.perSecond(now), Leases: len(s.leases), Replays: len(s.replays), Bytes: s.store.Bytes()}
	for _, j := range s.order {
		t.Jobs[j.status()]++
		t.Games += j.about.Size(j.ledger.Count())
	}
	for _, w := range s.list {
		if w.state.Quarantined {
			t.Quarantined++
		}
		for _, i := range w.instances {
			if now.Sub(i.seen) < absentAfter {
				t.Slots += i.hello.Slots
				t.Busy += i.busy
			}
		}
	}
	return t
}

// Game returns the result of a unit and the spec of its job.
func (s *Scheduler) Game(ctx context.Context, id string, unit int) (payload []byte, spec *farm.Spec, err error) {
	s.mu.Lock()
	j, err := s.find(id)
	s.mu.Unlock()
	if err != nil {
		return nil, nil, err
	}
	_, payload, err = s.store.Result(ctx, j.id, unit)
	return payload, j.spec, err
}
