// Package scheduler is the coordinator of a farm: it leases units of jobs to workers, checks
// and stores their results, and replays a share of them to find workers that cheat.
//
// Start with [New], which loads the jobs of a store, and pass requests to [Scheduler.Worker] and
// [Scheduler.Client]; farm/natsrpc receives them over NATS. Only jobs and results are stored.
// Leases are in memory: a restart loses them, and workers claim them again.
package scheduler

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"quintet/farm"
)

// Config configures a scheduler.
type Config struct {
	Build  farm.Build // of this program: workers and clients must have the same
	Kinds  farm.Kinds
	Now    func() time.Time
	Random *rand.Rand // chooses what is replayed; workers must not be able to predict it
	Log    *slog.Logger

	// Referee runs a unit in this process, to decide between two results. Results are
	// not replayed without one.
	Referee func(ctx context.Context, t farm.Task, unit int) (payload []byte, err error)

	// Program, if not nil, is offered to workers of another version.
	Program *Program

	// Notify, if not nil, is called with a job that has ended, and with "" when there may be
	// work for idle workers.
	Notify func(job string)

	// Leads, if not nil, reports whether this coordinator leads: requests are refused while
	// another may.
	Leads func() bool

	// Grace is how long after the start workers may claim their leases from before it. No
	// new leases are granted in this time.
	Grace time.Duration

	// Keep is how long a job is kept after its end; 0 keeps it forever.
	Keep time.Duration
}

// Scheduler is the coordinator. It is safe for concurrent use.
type Scheduler struct {
	config   Config
	store    farm.Store
	started  time.Time
	disputes chan dispute
	parts    chan struct{} // a token for each part of a program that is downloaded

	mu        sync.Mutex // guards the rest
	jobs      map[string]*job
	order     []*job // as they were submitted
	workers   map[string]*worker
	list      []*worker // by index
	leases    map[string]*lease
	lastLease int
	replays   []replay
	rate      rate
	unsaved   map[*job]bool // jobs with a state that is not stored yet
}

// New returns a scheduler with the jobs of a store.
func New(ctx context.Context, store farm.Store, c Config) (*Scheduler, error) {
	s := &Scheduler{
		config: c, store: store, started: c.Now(), disputes: make(chan dispute, maxDisputes),
		jobs: map[string]*job{}, workers: map[string]*worker{}, leases: map[string]*lease{},
		unsaved: map[*job]bool{},
		parts:   make(chan struct{}, maxParts),
	}
	s.config.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return s, s.load(ctx)
}

// Run expires leases, resolves disputes, stores states and removes old jobs until the context
// ends.
func (s *Scheduler) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { s.resolveDisputes(ctx) })
	defer all.Wait()
	ticks := time.NewTicker(sweepInterval)
	defer ticks.Stop()
	for last := s.config.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		now := s.config.Now()
		if now.Sub(last) > maxSweepGap {
			s.resume(now)
		}
		last = now
		s.Sweep()
		s.saveStates(ctx)
		s.removeOld(ctx)
	}
}

// Times of sweeps. After a longer gap this process was paused, so no lease expires.
const (
	sweepInterval = time.Second
	maxSweepGap   = 10 * time.Second
)

// job is a job with its results.
type job struct {
	id     string
	text   []byte
	spec   *farm.Spec
	task   farm.Task
	about  farm.About
	state  farm.JobState
	closed string // why this release cannot continue the job; "" if it can
	ledger *farm.Ledger

	next    int            // units from here on were never leased
	holes   []int          // units before next that were leased and are neither leased nor done now, ascending
	leased  map[int]*lease // by unit
	former  map[int][]int  // workers whose lease of a unit has expired, by unit
	active  int            // leases
	pace    time.Duration  // average time of a unit
	changed chan struct{}  // closed when there is something new
	voids   []int          // the first unit of each voiding, by epoch
	scores  map[int]*score // by worker

	attempts map[int][]attempt // without a result, by unit
}

// maxJobs bounds the jobs of a farm.
const maxJobs = 10_000

// newJob returns a job without results.
func newJob(id string, text []byte, spec *farm.Spec, state farm.JobState, task farm.Task) *job {
	return &job{
		id: id, text: text, spec: spec, task: task, about: task.About(), state: state, ledger: farm.NewLedger(task),
		leased: map[int]*lease{}, former: map[int][]int{}, changed: make(chan struct{}), scores: map[int]*score{},
		attempts: map[int][]attempt{},
	}
}

func (s *Scheduler) addJob(j *job) {
	s.jobs[j.id] = j
	s.order = append(s.order, j)
}

// open reports whether units of the job may be leased.
func (j *job) open() bool {
	return !j.state.Stopped && !j.ledger.Complete() && !j.failed()
}

// announce wakes the requests that wait for results of a job.
func (j *job) announce() {
	close(j.changed)
	j.changed = make(chan struct{})
}

// status is a word for the state of a job.
func (j *job) status() string {
	switch {
	case j.ledger.Complete() && j.about.SPRT && j.ledger.Prefix() < j.ledger.Units():
		return "decided"
	case j.ledger.Complete():
		return "finished"
	case j.failed():
		return "failed"
	case j.state.Stopped:
		return "stopped"
	}
	return "open"
}

// find returns the job whose identifier has this prefix.
func (s *Scheduler) find(prefix string) (*job, error) {
	if j := s.jobs[prefix]; j != nil {
		return j, nil
	}
	var found *job
	for _, j := range s.order {
		if len(prefix) < 4 || len(j.id) < len(prefix) || j.id[:len(prefix)] != prefix {
			continue
		}
		if found != nil {
			return nil, farm.Refuse(farm.CodeInvalid, "several jobs begin with %q: give more of the identifier", prefix)
		}
		found = j
	}
	if found == nil {
		return nil, farm.Refuse(farm.CodeUnknown, "there is no job %.64q: quintet jobs list shows all", prefix)
	}
	return found, nil
}

// Spec returns the text of the spec of a job.
func (s *Scheduler) Spec(id string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j, err := s.find(id)
	if err != nil {
		return nil, err
	}
	return j.text, nil
}

// worker returns the worker of a key, and adds it if it is new.
func (s *Scheduler) worker(key string) *worker {
	w := s.workers[key]
	if w == nil {
		w = &worker{key: key, index: len(s.list), instances: map[string]*instance{}}
		s.workers[key] = w
		s.list = append(s.list, w)
	}
	return w
}

// worker is what the scheduler knows of a key.
type worker struct {
	key       string
	index     int
	state     farm.WorkerState
	invalid   int // results that no honest program sends
	instances map[string]*instance
	leases    int
	replayed  int // pairs confirmed by a replay
}

// instance is a process of a worker.
type instance struct {
	hello  farm.Hello
	busy   int
	leases int
	memory int // megabytes of its leases
	seen   time.Time
}

// fits reports whether a lease of a job fits into the memory that is left.
func (i *instance) fits(j *job) bool {
	return i.hello.Memory == 0 || i.memory+j.about.Memory <= i.hello.Memory
}

// able reports whether a worker is not quarantined and one of its instances can do a job.
func (w *worker) able(j *job, now time.Time) bool {
	for _, i := range w.instances {
		if i.able(j, now) && !w.state.Quarantined {
			return true
		}
	}
	return false
}

// able reports whether an instance is connected, and has a slot and the memory for a job.
func (i *instance) able(j *job, now time.Time) bool {
	return i.hello.Slots > 0 && now.Sub(i.seen) < absentAfter && (i.hello.Memory == 0 || j.about.Memory <= i.hello.Memory)
}

// slots returns the slots of all connected workers, at least 1.
func (s *Scheduler) slots(now time.Time) (n int) {
	for _, w := range s.list {
		for _, i := range w.instances {
			if now.Sub(i.seen) < absentAfter {
				n += i.hello.Slots
			}
		}
	}
	return max(n, 1)
}

// absentAfter is how long after its last heartbeat a worker counts as disconnected.
const absentAfter = 15 * time.Second

// rate is an exponential moving average of results a second.
type rate struct {
	at    time.Time
	value float64 // at that time
}

const rateTime = 20 * time.Second

func (r *rate) add(now time.Time, n int) {
	r.at, r.value = now, r.perSecond(now)+float64(n)/rateTime.Seconds()
}

func (r *rate) perSecond(now time.Time) float64 {
	return r.value * math.Exp(-now.Sub(r.at).Seconds()/rateTime.Seconds())
}

// byPriority orders jobs by leases per priority, the smallest first.
func byPriority(a, b *job) int {
	return cmp.Compare(float64(a.active)/float64(a.state.Priority), float64(b.active)/float64(b.state.Priority))
}
