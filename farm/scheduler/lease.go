package scheduler

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"quintet/farm"
)

// lease is units of a job that a worker may run.
type lease struct {
	id       string
	job      *job
	worker   *worker
	instance string
	units    map[int]bool // without a result; true for a replay
	plies    uint64
	term     time.Duration
	expires  time.Time
	extended time.Time // when the last result came
	deadline time.Time // of the next result: progress alone does not extend it
}

// Times and sizes of leases.
const (
	leaseTime    = 30 * time.Second // without progress
	workTime     = 20 * time.Second // of work in a lease
	maxUnits     = 64               // of a lease
	maxLeases    = 4096             // of a worker
	firstLeases  = 64               // of a worker without results, while others can do the job
	slotLeases   = 2                // per slot: one in work, and one whose results are being delivered
	maxTake      = 256              // leases in one answer
	maxSlots     = 1024             // of an instance
	maxInstances = 256              // of a worker
)

// takeLocked grants leases to a worker.
func (s *Scheduler) takeLocked(w *worker, instance string, want int, now time.Time) (leases []farm.Lease) {
	slots, i := s.slots(now), w.instances[instance]
	for len(leases) < min(want, maxTake) && w.leases < maxLeases && i.leases < slotLeases*i.hello.Slots {
		l := s.newLease(w, instance, now)
		for _, j := range s.byNeed() {
			if !i.fits(j) || !s.trusts(w, j) {
				continue
			}
			l.job = j
			if l.units = s.takeUnits(l, j.leaseSize(slots), now); len(l.units) > 0 {
				break
			}
		}
		s.addReplay(l)
		if len(l.units) == 0 {
			break
		}
		s.grant(l)
		leases = append(leases, l.message())
	}
	return leases
}

// trusts reports whether a worker may have one more lease of a job. While others can do the job, it
// may hold firstLeases more than it has delivered results. Otherwise a key could hold all units and do none.
func (s *Scheduler) trusts(w *worker, j *job) bool {
	return w.leases < firstLeases+w.state.Pairs || s.alone(j, w)
}

func (s *Scheduler) newLease(w *worker, instance string, now time.Time) *lease {
	s.lastLease++
	return &lease{id: fmt.Sprintf("%x-%d", s.started.UnixNano(), s.lastLease), worker: w, instance: instance, expires: now}
}

// grant adds a lease with its units.
func (s *Scheduler) grant(l *lease) {
	l.term = l.job.term()
	l.renew(l.expires)
	l.extend(l.expires)
	for unit, replayed := range l.units {
		if !replayed {
			l.job.leased[unit] = l
		}
	}
	l.job.active++
	l.worker.leases++
	l.account(1)
	s.leases[l.id] = l
}

// renew extends a lease after progress.
func (l *lease) renew(now time.Time) { l.expires = now.Add(l.term) }

// extend sets the deadline of the next result, so that a worker that claims progress without
// delivering anything loses its lease.
func (l *lease) extend(now time.Time) {
	l.extended, l.deadline = now, now.Add(10*(l.term+l.job.pace))
}

// term is how long a worker may go without progress: longer than a step.
func (j *job) term() time.Duration { return leaseTime + 2*min(j.about.Step, time.Hour) }

// byNeed returns the open jobs, those with the smallest share of the slots first.
func (s *Scheduler) byNeed() (list []*job) {
	for _, j := range s.order {
		if j.open() {
			list = append(list, j)
		}
	}
	slices.SortStableFunc(list, byPriority)
	return list
}

// leaseSize returns how many units make a lease: as many as take workTime, and fewer
// near the end, so that all slots finish at about the same time.
func (j *job) leaseSize(slots int) int {
	n := 1
	if j.pace > 0 {
		n = int(workTime / j.pace)
	}
	left := j.ledger.Units() - j.ledger.Count() - len(j.leased)
	return max(1, min(n, maxUnits, left/(2*slots)))
}

// resultLinger is how long a worker collects the results of short units.
const resultLinger = time.Second

// linger returns how long a worker collects results before it delivers them.
func (j *job) linger() time.Duration {
	if j.pace == 0 || j.pace >= resultLinger {
		return 0 // the next result would come too late
	}
	return resultLinger
}

// account adds the lease to the counts of its instance, or with -1 removes it.
func (l *lease) account(by int) {
	if i := l.worker.instances[l.instance]; i != nil {
		i.leases += by
		i.memory += by * l.job.about.Memory
	}
}

// missingMemory returns the least memory that a slot needs for an open job if an instance has
// too little for all of them, and otherwise 0.
func (s *Scheduler) missingMemory(i *instance) (least int) {
	for _, j := range s.order {
		switch {
		case !j.open():
		case i.able(j, i.seen):
			return 0
		case least == 0 || j.about.Memory < least:
			least = j.about.Memory
		}
	}
	return least
}

// takeUnits returns the first units of a lease's job that have no result and are not leased. A
// unit that failed before is leased alone, so that a lost lease tells which unit failed.
func (s *Scheduler) takeUnits(l *lease, n int, now time.Time) map[int]bool {
	j, units, at := l.job, map[int]bool{}, 0
	var skipped []int
	take := func(unit int) {
		switch {
		case !j.free(unit):
		case len(j.attempts[unit]) == 0 && !s.othersFirst(j, unit, l.worker, now):
			units[unit] = false
		case len(j.attempts[unit]) == 0:
			skipped = append(skipped, unit)
		case len(units) == 0 && s.mayRetry(j, unit, l.worker, l.host(), now):
			units[unit] = false
			n = 1
		default:
			skipped = append(skipped, unit)
		}
	}
	for ; len(units) < n && at < len(j.holes) && j.holes[at] < j.end(); at++ {
		take(j.holes[at])
	}
	j.holes = j.holes[at-len(skipped):]
	copy(j.holes, skipped)
	skipped = nil
	for ; len(units) < n && j.next < j.end(); j.next++ {
		take(j.next)
	}
	j.holes = append(j.holes, skipped...)
	return units
}

// othersFirst reports whether a worker has lost a unit before, and another that has not could do it.
func (s *Scheduler) othersFirst(j *job, unit int, w *worker, now time.Time) bool {
	former := j.former[unit]
	return slices.Contains(former, w.index) && slices.ContainsFunc(s.list, func(other *worker) bool {
		return !slices.Contains(former, other.index) && other.able(j, now)
	})
}

// host returns the machine that has a lease.
func (l *lease) host() string {
	if i := l.worker.instances[l.instance]; i != nil {
		return i.hello.Host
	}
	return "" // the worker is gone
}

func (j *job) free(unit int) bool { return !j.ledger.Has(unit) && j.leased[unit] == nil }

// reopen makes units available again.
func (j *job) reopen(units []int) {
	for _, unit := range units {
		if at, found := slices.BinarySearch(j.holes, unit); unit < j.next && !found {
			j.holes = slices.Insert(j.holes, at, unit)
		}
	}
}

// message returns the lease as its worker gets it.
func (l *lease) message() farm.Lease {
	return farm.Lease{ID: l.id, Job: l.job.id, Units: slices.Sorted(maps.Keys(l.units)), Linger: l.job.linger()}
}

// adopt restores a lease from before a restart, without the units that have a result or are leased
// to another worker.
func (s *Scheduler) adopt(w *worker, instance string, c farm.Lease, now time.Time) {
	j := s.jobs[c.Job]
	if j == nil || !j.open() || len(c.Units) > maxUnits+1 || len(c.ID) > 64 || s.leases[c.ID] != nil || w.leases >= maxLeases {
		return
	}
	l := &lease{id: c.ID, job: j, worker: w, instance: instance, expires: now, units: map[int]bool{}}
	for _, unit := range c.Units {
		if unit >= 0 && unit < j.ledger.Units() && j.free(unit) {
			l.units[unit] = false
		}
	}
	if len(l.units) > 0 {
		s.grant(l)
	}
}

// drop ends a lease. Its units are available again.
func (s *Scheduler) drop(l *lease) {
	if s.leases[l.id] == nil {
		return
	}
	delete(s.leases, l.id)
	l.job.active--
	l.worker.leases--
	l.account(-1)
	var open []int
	for unit, replayed := range l.units {
		if replayed {
			continue
		}
		if l.job.leased[unit] == l {
			delete(l.job.leased, unit)
		}
		if !l.job.ledger.Has(unit) {
			open = append(open, unit)
			l.job.former[unit] = appendOnce(l.job.former[unit], l.worker.index)
		}
	}
	l.job.reopen(open)
}

// maxFormer bounds the workers that may deliver a unit after their lease has expired.
const maxFormer = 8

func appendOnce(list []int, n int) []int {
	if slices.Contains(list, n) || len(list) >= maxFormer {
		return list
	}
	return append(list, n)
}

// done removes a unit from a lease. A lease without units ends.
func (s *Scheduler) done(l *lease, unit int, now time.Time) {
	delete(l.units, unit)
	l.extend(now)
	l.renew(now)
	if len(l.units) == 0 {
		s.drop(l)
	}
}

// lost returns why a lease has expired, or "".
func (l *lease) lost(now time.Time) string {
	i := l.worker.instances[l.instance]
	switch {
	case i == nil || now.Sub(i.seen) > leaseTime:
		return "its worker did not come back"
	case now.After(l.expires):
		return fmt.Sprintf("no progress for %v", l.term)
	case now.After(l.deadline):
		return fmt.Sprintf("no result for %v", l.deadline.Sub(l.extended).Round(time.Second))
	}
	return ""
}

// extendLease renews a lease whose result cannot be stored now, because its worker waits.
func (s *Scheduler) extendLease(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.leases[id]; l != nil {
		l.renew(s.config.Now())
		l.extend(s.config.Now())
	}
}

// resume renews all leases after a pause, because heartbeats came that were not read.
func (s *Scheduler) resume(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.Log.Warn("the coordinator was paused: renewing all leases")
	for _, l := range s.leases {
		l.renew(now)
		l.extend(now)
		if i := l.worker.instances[l.instance]; i != nil {
			i.seen = now
		}
	}
}

// Sweep ends the leases that have expired or whose worker has disconnected, and removes
// disconnected workers.
func (s *Scheduler) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.config.Now()
	for _, l := range s.leases {
		if reason := l.lost(now); reason != "" {
			s.config.Log.Warn("a lease expired", "worker", l.worker.key, "instance", l.instance, "job", l.job.id[:12], "units", len(l.units), "reason", reason)
			s.loseLease(l, reason)
		}
	}
	for _, w := range s.list {
		for id, i := range w.instances {
			if now.Sub(i.seen) > 4*absentAfter {
				delete(w.instances, id)
			}
		}
	}
}
