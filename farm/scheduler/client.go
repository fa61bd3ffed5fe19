package scheduler

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"quintet/farm"
)

// Client answers a request of a client, which may submit, watch and stop jobs.
func (s *Scheduler) Client(ctx context.Context, verb string, body []byte) ([]byte, error) {
	if err := s.checkLead(); err != nil {
		return nil, err
	}
	switch verb {
	case "submit":
		return answer(body, func(m farm.SubmitRequest) (any, error) { return s.Submit(ctx, m) })
	case "jobs":
		return json.Marshal(s.Jobs())
	case "workers":
		return json.Marshal(s.Workers())
	case "show":
		return answer(body, func(m farm.JobRequest) (any, error) { return s.Show(m.Job) })
	case "spec":
		return answer(body, func(m farm.JobRequest) (any, error) { return s.Spec(m.Job) })
	case "results":
		return answer(body, func(m farm.JobRequest) (any, error) { return s.Results(ctx, m) })
	case "stop":
		return answer(body, func(m farm.JobRequest) (any, error) {
			return s.setState(ctx, m.Job, func(to *farm.JobState) { to.Stopped = true })
		})
	case "remove":
		return answer(body, func(m farm.JobRequest) (any, error) { return s.Remove(ctx, m.Job) })
	case "priority":
		return answer(body, func(m farm.JobRequest) (any, error) {
			if m.Priority < 1 || m.Priority > farm.MaxPriority {
				return nil, farm.Refuse(farm.CodeInvalid, "priority %d: expected 1 to %d", m.Priority, farm.MaxPriority)
			}
			return s.setState(ctx, m.Job, func(to *farm.JobState) { to.Priority = m.Priority })
		})
	}
	return nil, farm.Refuse(farm.CodeInvalid, "no such request: %.20q", verb)
}

// Submit adds a job, or resumes it if it was stopped.
func (s *Scheduler) Submit(ctx context.Context, m farm.SubmitRequest) (JobView, error) {
	if err := s.config.Build.Compatible(m.Build); err != nil {
		return JobView{}, farm.Refuse(farm.CodeVersion, "%v", err)
	}
	spec, err := farm.DecodeSpec(m.Spec)
	if err != nil {
		return JobView{}, farm.Refuse(farm.CodeInvalid, "%v", err)
	}
	if spec.Program != s.config.Build.Program {
		return JobView{}, farm.Refuse(farm.CodeVersion, "the job is for another program than the farm's: submit it with the farm's release")
	}
	state := farm.JobState{Priority: cmp.Or(m.Priority, farm.DefaultPriority), Submitted: s.config.Now().UTC()}
	if state.Priority < 1 || state.Priority > farm.MaxPriority {
		return JobView{}, farm.Refuse(farm.CodeInvalid, "priority %d: expected 1 to %d", state.Priority, farm.MaxPriority)
	}
	task, err := s.config.Kinds.Task(spec)
	if err != nil {
		return JobView{}, farm.Refuse(farm.CodeInvalid, "%v", err)
	}
	fresh := newJob(farm.ID(m.Spec), m.Spec, spec, state, task)
	s.mu.Lock()
	known, full := s.jobs[fresh.id] != nil, len(s.order) >= maxJobs
	s.mu.Unlock()
	switch {
	case known:
		return s.setState(ctx, fresh.id, func(to *farm.JobState) { to.Stopped, to.Failure = false, farm.UnitFailure{} })
	case full:
		return JobView{}, farm.Refuse(farm.CodeFull, "the farm has %d jobs, the most it holds: remove some with quintet jobs remove", maxJobs)
	}
	err = s.store.PutJob(ctx, fresh.id, m.Spec, state)
	if errors.Is(err, farm.ErrFull) {
		return JobView{}, farm.Refuse(farm.CodeFull, "the job cannot be stored: %v", err)
	}
	if err != nil && !errors.Is(err, farm.ErrExists) {
		return JobView{}, err
	}
	s.mu.Lock()
	if s.jobs[fresh.id] == nil { // otherwise another client was faster
		s.addJob(fresh)
	}
	v := s.view(s.jobs[fresh.id])
	s.mu.Unlock()
	s.notify("")
	return v, nil
}

// Remove removes a job with its results, and returns its last state.
func (s *Scheduler) Remove(ctx context.Context, id string) (JobView, error) {
	s.mu.Lock()
	j, err := s.find(id)
	if err != nil {
		s.mu.Unlock()
		return JobView{}, err
	}
	v := s.view(j)
	j.state.Stopped = true // so that nothing is leased meanwhile
	s.mu.Unlock()
	if v.Status == "open" {
		s.finish(j)
	}
	if err := s.store.DeleteJob(ctx, j.id); err != nil {
		s.config.Log.Error("cannot remove a job", "job", j.id[:12], "error", err)
		return JobView{}, farm.Refuse(farm.CodeBusy, "the coordinator cannot remove the job now: it is stopped; try again")
	}
	s.forgetJob(j)
	return v, nil
}

// forgetJob drops a job that is no longer stored.
func (s *Scheduler) forgetJob(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs[j.id] != j {
		return
	}
	delete(s.jobs, j.id)
	delete(s.unsaved, j)
	s.order = slices.DeleteFunc(s.order, func(other *job) bool { return other == j })
	s.replays = slices.DeleteFunc(s.replays, func(r replay) bool { return r.job == j })
	j.announce()
}

// setState changes the state of a job.
func (s *Scheduler) setState(ctx context.Context, id string, change func(*farm.JobState)) (JobView, error) {
	s.mu.Lock()
	j, err := s.find(id)
	if err != nil {
		s.mu.Unlock()
		return JobView{}, err
	}
	state, before := j.state, j.state
	s.mu.Unlock()
	change(&state)
	if state != before {
		if err := s.store.SetJobState(ctx, j.id, state); err != nil {
			return JobView{}, err
		}
	}
	s.mu.Lock()
	was, failing := j.open(), j.failing()
	change(&j.state) // other requests may have changed it meanwhile
	delete(s.unsaved, j)
	if j.state != state {
		s.unsaved[j] = true
	}
	if failing && !j.failing() {
		j.attempts = map[int][]attempt{}
	}
	is, v := j.open(), s.view(j)
	j.announce()
	s.mu.Unlock()
	switch {
	case was && !is:
		s.finish(j)
	case is && !was:
		s.notify("")
	}
	return v, nil
}

// notify tells workers that a job has ended, or, if it is "", that there may be work.
func (s *Scheduler) notify(job string) {
	if s.config.Notify != nil {
		s.config.Notify(job)
	}
}

// Waiting time and size of a reply with results.
const (
	resultsWait  = 5 * time.Second
	resultsBytes = 400 << 10
	maxLinger    = 2 * time.Second
	enough       = 256 // results, with which a reply does not linger
)

// Results returns results that count, in the order of their units. It waits for the first, and
// lingers for more.
func (s *Scheduler) Results(ctx context.Context, m farm.JobRequest) (farm.ResultsReply, error) {
	ctx, cancel := context.WithTimeout(ctx, resultsWait)
	defer cancel()
	linger := time.NewTimer(min(m.Linger, maxLinger))
	defer linger.Stop()
	for lingering := m.Linger > 0; ; {
		s.mu.Lock()
		j, err := s.find(m.Job)
		if err != nil {
			s.mu.Unlock()
			return farm.ResultsReply{}, err
		}
		r := farm.ResultsReply{
			From: m.From, Complete: j.ledger.Complete(), Stopped: j.state.Stopped, Games: j.about.Size(j.ledger.Count()), Epoch: len(j.voids), Valid: j.validSince(m.Epoch),
		}
		if j.failed() {
			r.Failed = j.failure()
		}
		prefix, changed := j.ledger.Prefix(), j.changed
		s.mu.Unlock()
		if m.From < 0 || m.From > j.ledger.Units() {
			return farm.ResultsReply{}, farm.Refuse(farm.CodeInvalid, "unit %d: expected 0 to %d", m.From, j.ledger.Units())
		}
		ended := r.Complete || r.Stopped || r.Failed != "" || ctx.Err() != nil || m.Epoch != r.Epoch
		if m.From < prefix && (!lingering || ended || prefix-m.From >= enough) {
			err := s.readResults(ctx, j, &r, prefix)
			return r, err
		}
		if m.From >= prefix && ended {
			return r, nil
		}
		select {
		case <-changed:
		case <-linger.C:
			lingering = false
		case <-ctx.Done():
		}
	}
}

// validSince returns the first unit that was voided since an epoch, or the number of units.
func (j *job) validSince(epoch int) int {
	if epoch < 0 || epoch >= len(j.voids) {
		return j.ledger.Units()
	}
	return slices.Min(j.voids[epoch:])
}

// readResults fills in the results before a unit, up to resultsBytes.
func (s *Scheduler) readResults(ctx context.Context, j *job, r *farm.ResultsReply, until int) error {
	size := 0
	for unit := r.From; unit < until && size < resultsBytes; unit++ {
		_, payload, err := s.store.Result(ctx, j.id, unit)
		if errors.Is(err, farm.ErrNotFound) || err != nil && len(r.Payloads) > 0 {
			break // the result is being voided, or the time is over
		}
		if err != nil {
			return farm.Refuse(farm.CodeBusy, "the coordinator cannot read results now")
		}
		r.Payloads = append(r.Payloads, string(payload))
		size += len(payload)
	}
	if r.From+len(r.Payloads) < until {
		r.Complete = false // more will follow
	}
	return nil
}
