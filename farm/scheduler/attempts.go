package scheduler

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"quintet/farm"
)

// Bounds of attempts at a unit. A reported error is a failure of the unit. A lost lease may have
// other causes, such as a machine that was switched off, so more of them are needed.
const (
	maxErrors       = 3    // reported by workers, before the unit fails
	maxAttempts     = 8    // errors and lost leases, before the unit fails
	maxRemembered   = 16   // attempts of a unit
	maxTroubled     = 1000 // units of a job whose attempts are remembered
	maxReasonLength = 300  // bytes
	maxShown        = 20   // units with attempts in the view of a job
)

// attempt is a failed attempt of a worker at a unit.
type attempt struct {
	worker   int // index
	host     string
	reported bool // by the worker; otherwise its lease was lost
	reason   string
}

// Fail records the failure of a unit that a worker reports, and ends the lease.
func (s *Scheduler) Fail(ctx context.Context, key string, m farm.Failure) error {
	defer s.saveStates(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.workers[key]
	if w == nil {
		return farm.Refuse(farm.CodeUnknown, "the coordinator does not know this worker: expected hello first")
	}
	l := s.leases[m.Lease]
	if l == nil || l.worker != w || l.job.id != m.Job {
		return w.banned() // the lease was lost, and the attempt is recorded
	}
	if _, ok := l.units[m.Unit]; !ok {
		return farm.Refuse(farm.CodeInvalid, "unit %d is not leased to this worker", m.Unit)
	}
	s.config.Log.Warn("a unit failed on a worker", "worker", key, "job", m.Job[:12], "unit", m.Unit, "reason", sanitize(m.Reason))
	s.failLease(l, m.Unit, attempt{reported: true, reason: m.Reason})
	return w.banned()
}

// loseLease ends a lease whose worker made no progress. The attempt is at the first unit, because
// workers run units in order.
func (s *Scheduler) loseLease(l *lease, reason string) {
	unit := slices.Min(slices.Collect(maps.Keys(l.units)))
	s.failLease(l, unit, attempt{reason: reason})
}

// failLease ends a lease after a failed attempt at one of its units. Attempts at replays are not
// recorded: their units have a result.
func (s *Scheduler) failLease(l *lease, unit int, a attempt) {
	replayed, leased := l.units[unit]
	s.drop(l)
	if !leased || replayed || l.job.ledger.Has(unit) {
		return
	}
	a.worker, a.host, a.reason = l.worker.index, l.host(), sanitize(a.reason)
	s.record(l.job, unit, a)
}

// record adds an attempt. After too many the unit has failed.
func (s *Scheduler) record(j *job, unit int, a attempt) {
	list, known := j.attempts[unit]
	if !known && len(j.attempts) >= maxTroubled {
		return // the job has enough trouble
	}
	if len(list) < maxRemembered {
		list = append(list, a)
	}
	j.attempts[unit] = list
	if !s.permanentlyFailed(j, list) || j.failing() && j.state.Failure.Unit <= unit {
		return
	}
	j.state.Failure = farm.UnitFailure{Unit: unit, Reason: fmt.Sprintf("%s (%d attempts)", a.reason, len(list))}
	s.config.Log.Error("a unit has failed", "job", j.id[:12], "unit", unit, "reason", j.state.Failure.Reason)
	s.unsaved[j] = true
	j.announce()
}

// permanentlyFailed reports whether a unit has failed permanently. While other keys are connected,
// one key cannot decide that: it may lie, or its machines may be at fault.
func (s *Scheduler) permanentlyFailed(j *job, list []attempt) bool {
	errors, all, one, several := 0, 0, -1, false
	for _, a := range list {
		if s.list[a.worker].state.Quarantined {
			continue
		}
		if all++; a.reported {
			errors++
		}
		several = several || one >= 0 && one != a.worker
		one = a.worker
	}
	return (errors >= maxErrors || all >= maxAttempts) && (several || s.alone(j, s.list[one]))
}

// mayRetry reports whether a worker may try a unit that failed before. Other machines, and after
// some errors other keys, come first.
func (s *Scheduler) mayRetry(j *job, unit int, w *worker, host string, now time.Time) bool {
	mine, here := tries(j.attempts[unit], w, host)
	if !here && mine < maxErrors {
		return true
	}
	for _, other := range s.list {
		if other.state.Quarantined || other == w && mine >= maxErrors {
			continue
		}
		for _, i := range other.instances {
			theirs, there := tries(j.attempts[unit], other, i.hello.Host)
			if i.able(j, now) && !there && theirs < maxErrors {
				return false
			}
		}
	}
	return true
}

// tries returns how many attempts a worker made, and whether one was on a host.
func tries(list []attempt, w *worker, host string) (n int, here bool) {
	for _, a := range list {
		if a.worker == w.index {
			n++
			here = here || a.host == host
		}
	}
	return n, here
}

// sanitize makes a short line of a reason, which may come from anyone.
func sanitize(reason string) string {
	line := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, reason[:min(len(reason), maxReasonLength)])
	if line = strings.TrimSpace(line); line == "" {
		return "no reason given"
	}
	return line
}

// failing reports whether a unit has failed. Units before it still run, because they may decide
// the job.
func (j *job) failing() bool { return j.state.Failure.Reason != "" }

// failed reports whether the job cannot continue: because it is of another release, or because it
// needs the unit that failed.
func (j *job) failed() bool {
	return !j.ledger.Complete() && (j.closed != "" || j.failing() && j.ledger.Prefix() >= j.state.Failure.Unit)
}

// failure returns why the job cannot continue, or which unit has failed, in words; "" if neither.
func (j *job) failure() string {
	if j.closed != "" && !j.ledger.Complete() {
		return j.closed
	}
	return j.state.Failure.String()
}

// end returns the first unit that is not leased any more.
func (j *job) end() int {
	if j.failing() {
		return j.state.Failure.Unit
	}
	return j.ledger.Units()
}

// saveStates stores the states that changed without a request, and ends the jobs that have
// failed.
func (s *Scheduler) saveStates(ctx context.Context) {
	s.mu.Lock()
	states := map[*job]farm.JobState{}
	for j := range s.unsaved {
		states[j] = j.state
	}
	s.mu.Unlock()
	for j, state := range states {
		if err := s.store.SetJobState(ctx, j.id, state); err != nil {
			s.config.Log.Warn("cannot store the state of a job yet", "job", j.id[:12], "error", err)
			continue
		}
		s.mu.Lock()
		if j.state == state {
			delete(s.unsaved, j)
		}
		over := j.failed()
		s.mu.Unlock()
		if over {
			s.finish(j)
		}
	}
}

// forget removes the attempts at a unit that has a result now, and its failure.
func (s *Scheduler) forget(j *job, unit int) {
	delete(j.attempts, unit)
	if j.failing() && j.state.Failure.Unit == unit {
		j.state.Failure = farm.UnitFailure{}
		s.unsaved[j] = true
	}
}

// UnitTrouble is a unit with failed attempts.
type UnitTrouble struct {
	Unit     int    `json:"unit"`
	Attempts int    `json:"attempts"`
	Reason   string `json:"reason"` // of the last attempt
}

// trouble returns the first units with failed attempts.
func (j *job) trouble() (list []UnitTrouble) {
	for unit, attempts := range j.attempts {
		list = append(list, UnitTrouble{unit, len(attempts), attempts[len(attempts)-1].reason})
	}
	slices.SortFunc(list, func(a, b UnitTrouble) int { return a.Unit - b.Unit })
	return list[:min(len(list), maxShown)]
}
