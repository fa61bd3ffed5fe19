package farm

// Ledger holds the digests of a job's results. It counts each unit once, and folds only the
// contiguous prefix: short games finish first, so a test that counted them early would be
// biased. It is not safe for concurrent use.
type Ledger struct {
	task    Task
	fold    Fold
	units   int
	workers []uint32 // by unit: 1 + the worker whose result counts; 0 for none. It grows as results come.
	digests []Digest // as long as workers
	count   int
	prefix  int // units that are folded
	next    int // no unit before it is missing
	done    bool
}

// NewLedger returns the ledger of a job without results.
func NewLedger(t Task) *Ledger {
	return &Ledger{task: t, fold: t.Fold(), units: t.About().Units}
}

// Units returns the number of units of the job.
func (l *Ledger) Units() int { return l.units }

// Has reports whether a unit has a result. Units out of range have none.
func (l *Ledger) Has(unit int) bool { return unit >= 0 && unit < len(l.workers) && l.workers[unit] > 0 }

// Result returns the digest of a unit and the worker who did it.
func (l *Ledger) Result(unit int) (worker int, d Digest, ok bool) {
	if !l.Has(unit) {
		return 0, "", false
	}
	return int(l.workers[unit]) - 1, l.digests[unit], true
}

// Add adds a result, and reports whether it counts: the first result of a unit does.
func (l *Ledger) Add(unit, worker int, d Digest) bool {
	if unit < 0 || unit >= l.units || l.Has(unit) {
		return false
	}
	if more := unit + 1 - len(l.workers); more > 0 {
		l.workers, l.digests = append(l.workers, make([]uint32, more)...), append(l.digests, make([]Digest, more)...)
	}
	l.workers[unit], l.digests[unit] = uint32(worker)+1, d
	l.count++
	l.advance()
	return true
}

// advance folds the units that are now contiguous.
func (l *Ledger) advance() {
	for l.next < len(l.workers) && l.workers[l.next] > 0 {
		if !l.done {
			l.done = l.fold.Add(l.next, l.digests[l.next])
			l.prefix = l.next + 1
		}
		l.next++
	}
}

// Void removes all results of a worker and returns their units. It folds the rest again, so a
// complete job may be open afterwards.
func (l *Ledger) Void(worker int) (units []int) {
	for unit, w := range l.workers {
		if int(w) == worker+1 {
			l.workers[unit], l.digests[unit] = 0, ""
			units = append(units, unit)
		}
	}
	if len(units) == 0 {
		return nil
	}
	l.count -= len(units)
	l.fold, l.prefix, l.next, l.done = l.task.Fold(), 0, 0, false
	l.advance()
	return units
}

// Count returns the number of units with a result.
func (l *Ledger) Count() int { return l.count }

// Prefix returns the number of units that are folded: the results that count.
func (l *Ledger) Prefix() int { return l.prefix }

// Complete reports whether the fold is complete: every unit is done, or it has decided.
func (l *Ledger) Complete() bool { return l.done }

// Fold returns the fold.
func (l *Ledger) Fold() Fold { return l.fold }
