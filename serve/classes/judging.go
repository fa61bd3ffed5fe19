package classes

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"quintet/judge"
	"quintet/live"
	"quintet/people/class"
	"quintet/serve/api"
	"quintet/serve/clock"
	"quintet/serve/fair"
)

// The log is the queue of the judge: a submission without a verdict waits. Start finds those that a killed server
// left behind, and Deliver finds new ones. A verdict is a record that can be written only once. The event about it
// follows; if the server is killed between the two, it finds the record when it starts again. If two servers judge
// the same submission, the first verdict counts.

// Limits of the queue. A class has room for four times as many submissions as a student. What finds no room is
// queued when the queue is empty, so one class cannot keep others out.
const (
	maxWaiting = 5000 // submissions
	maxOfEach  = 100  // of a student
)

// entry is a submission in the queue.
type entry struct {
	class, student, submission string

	plays bool   // a round or the final of a league, not a verdict
	final string // the assignment whose final it is, or ""
	tries int    // that failed
	runs  bool   // it is being judged
	order int
}

// client returns the client of an entry: classes take turns, and in a class its students.
func (e entry) client() string { return e.class + fair.Part + e.student }

// urgent reports whether an entry comes before the rounds of leagues: somebody waits for it.
func (e entry) urgent() bool { return !e.plays || e.final != "" }

// queue holds the submissions that wait or are being judged. No submission is in it twice.
type queue struct {
	mu      sync.Mutex // guards the rest
	entries map[string]entry
	count   int
	missed  bool // an entry was rejected because the line was full
}

// add adds an entry, and reports whether it is new.
func (q *queue) add(e entry) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, ok := q.entries[e.submission]; ok {
		return false
	}
	q.count++
	e.order = q.count
	q.entries[e.submission] = e
	return true
}

// remove removes an entry; lost means that the line was full.
func (q *queue) remove(submission string, lost bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.entries, submission)
	q.missed = q.missed || lost
}

// begin notes that an entry is being judged.
func (q *queue) begin(submission string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e, ok := q.entries[submission]; ok {
		e.runs = true
		q.entries[submission] = e
	}
}

// runs reports whether a submission is being judged.
func (q *queue) runs(submission string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.entries[submission].runs
}

// takeMissed reports whether the line was full for an entry since the last call.
func (q *queue) takeMissed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	missed := q.missed
	q.missed = false
	return missed
}

// place returns the place of a submission in the queue, at worst: in each round every class has a turn, and within
// a class every student. Rounds of leagues come later. It is 0 if the submission does not wait for one.
func (q *queue) place(submission string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	e, ok := q.entries[submission]
	if !ok || e.plays || e.runs {
		return 0
	}
	mine, students, classes := 0, map[string]int{}, map[string]int{}
	for _, o := range q.entries {
		if !o.urgent() || o.runs {
			continue
		}
		if o.client() == e.client() && o.order <= e.order {
			mine++
		}
		if o.class == e.class {
			students[o.student]++
		} else {
			classes[o.class]++
		}
	}
	place := 0
	for _, n := range students {
		place += min(n, mine)
	}
	inClass := place
	for _, n := range classes {
		place += min(n, inClass)
	}
	return place
}

// push queues a submission.
func (s *Service) push(e entry) {
	if s.config.Judge == nil || !s.queue.add(e) {
		return
	}
	if s.line.Push(e.client(), e.urgent(), e) != nil {
		s.queue.remove(e.submission, true)
	}
}

// Deliver applies an entry of the log, and queues its submission if it has one.
func (s *Service) Deliver(e live.Entry) {
	if live.CategoryOf(e.Stream) != live.ClassCategory {
		return
	}
	s.store.Deliver(e)
	var v class.Event
	id := e.Stream[len(live.ClassCategory.Stream("")):]
	switch err := json.Unmarshal(e.Data, &v); {
	case err != nil:
	case v.Kind == class.Submitted:
		s.push(entry{class: id, student: v.Student, submission: v.Submission})
	case v.Kind == class.FinalHeld:
		s.push(finalEntry(id, v.To))
	}
}

// Start finishes what a stopped server left unfinished: classes to erase, and submissions to judge.
func (s *Service) Start(ctx context.Context) {
	for _, c := range s.directory.All(func(class.Class) bool { return true }) {
		switch {
		case ctx.Err() != nil:
			return
		case c.Erasing:
			s.finishErasing(ctx, c.ID)
		case s.config.Judge != nil:
			s.queueWaiting(ctx, c.ID)
		}
	}
}

// queueWaiting queues the submissions of a class that have no verdict.
func (s *Service) queueWaiting(ctx context.Context, id string) {
	d, err := s.document(ctx, id)
	if err != nil {
		s.Log.Error("the submissions of a class cannot be read", "class", id, "error", err)
		return
	}
	var list []entry
	c, _ := s.directory.Class(id)
	d.view(func(st *class.State) {
		for _, n := range st.Submissions {
			if n.Waits() {
				list = append(list, entry{class: id, student: n.Student, submission: n.ID})
			}
		}
		list = append(list, unplayed(st, c)...)
	})
	for _, e := range list {
		s.push(e)
	}
}

// Work judges submissions until the context ends. Several goroutines may run it.
func (s *Service) Work(ctx context.Context) {
	for ctx.Err() == nil {
		e, err := s.line.Pop(ctx)
		if err != nil {
			return
		}
		s.queue.begin(e.submission)
		work := s.judge
		switch {
		case e.final != "":
			work = s.playFinal
		case e.plays:
			work = s.round
		}
		plays, err := work(ctx, e)
		s.queue.remove(e.submission, false)
		if err != nil && ctx.Err() == nil {
			s.Log.Error("a submission could not be judged", "class", e.class, "submission", e.submission, "error", err)
			clock.Sleep(ctx, time.Second)
			s.retry(ctx, e)
		}
		if plays && (e.final == "" || s.finalHasMatches(ctx, e)) {
			s.push(entry{class: e.class, student: e.student, submission: e.submission, plays: true, final: e.final})
		}
		if s.line.Len() == 0 && s.queue.takeMissed() {
			s.Start(ctx)
		}
	}
}

// retry queues work that failed. The log counts the failures of verdicts. A round that has failed class.MaxFaults times waits until the server restarts.
func (s *Service) retry(ctx context.Context, e entry) {
	switch {
	case !e.plays:
		s.queueWaiting(ctx, e.class)
	case e.tries+1 < class.MaxFaults:
		e.tries++
		s.push(e)
	}
}

// judge judges a submission, and stores the verdict; plays reports whether it plays in a league now. Faults of the
// server are events, too, so that a submission that kills it is not retried for ever.
func (s *Service) judge(ctx context.Context, e entry) (plays bool, err error) {
	d, err := s.document(ctx, e.class)
	if err != nil {
		return false, err
	}
	var n class.Submission
	var a class.Assignment
	d.view(func(st *class.State) {
		n, _ = st.Submission(e.submission)
		a, _ = st.Assignment(n.Assignment)
	})
	if !n.Waits() || n.ID == "" {
		return false, nil
	}
	v, err := s.verdict(ctx, a, n)
	if ctx.Err() != nil {
		return false, ctx.Err() //nolint:wrapcheck // the server stops; the next one judges
	}
	event, kind := class.Event{Submission: n.ID, Verdict: v.Verdict, Rule: api.Clip(v.Rule, 300), Points: v.Points, Of: v.Of}, class.Judged
	if err != nil {
		event, kind = class.Event{Submission: n.ID}, class.Failed
	}
	err = errors.Join(err, s.append(ctx, d, kind, event, func(st *class.State) error {
		if now, _ := st.Submission(n.ID); !now.Waits() { // another server was first
			return errJudged
		}
		return nil
	}))
	if err != nil || a.League == nil || !v.OK() {
		return false, err
	}
	return true, s.eraseReplaced(ctx, d, n)
}

// eraseReplaced erases the games of the programs that a program has replaced.
func (s *Service) eraseReplaced(ctx context.Context, d *document, by class.Submission) (err error) {
	var list []class.Submission
	d.view(func(st *class.State) { list = st.Of(by.Student, by.Assignment) })
	for _, n := range list {
		if n.Replaced && n.Rounds > 0 {
			err = errors.Join(err, s.directory.EraseGames(ctx, n))
		}
	}
	return err
}

var errJudged = errors.New("another server has judged it")

// verdict returns the stored verdict of a submission, or judges it and stores the verdict.
func (s *Service) verdict(ctx context.Context, a class.Assignment, n class.Submission) (v judge.Verdict, err error) {
	if v, ok, err := s.stored(ctx, n.ID); ok || err != nil {
		return v, err
	}
	files, err := s.files(ctx, n.ID)
	if err != nil {
		return v, err
	}
	if !s.config.Hall.Contain("judging", func() { v, err = s.config.Judge.Judge(ctx, Work{a, files}) }) {
		err = errors.New("a fault stopped the judge")
	}
	if err != nil {
		return v, err
	}
	v = Trim(v)
	err = s.directory.Put(ctx, class.Verdict, n.ID, api.Encode(v))
	if errors.Is(err, live.ErrStale) {
		v, _, err = s.stored(ctx, n.ID)
	}
	return v, err
}

// Trim returns a verdict without what is not kept: the conversation shows it.
func Trim(v judge.Verdict) judge.Verdict {
	v.Expected, v.Actual, v.Checks = "", "", nil
	v.Talk, v.Message = api.Clip(v.Talk, maxTalk), api.Clip(v.Message, maxTalk)
	return v
}

// stored returns the stored verdict of a submission.
func (s *Service) stored(ctx context.Context, id string) (v judge.Verdict, ok bool, err error) {
	data, err := s.directory.Get(ctx, class.Verdict, id)
	if err != nil || len(data) == 0 {
		return v, false, err
	}
	return v, true, json.Unmarshal(data, &v)
}

// maxTalk bounds the texts of a verdict, in bytes.
const maxTalk = 32 << 10
