package scheduler

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"

	"quintet/farm"
)

// Worker answers a request of a worker. The caller has authenticated the key.
func (s *Scheduler) Worker(ctx context.Context, key, verb string, body []byte) ([]byte, error) {
	if err := s.checkLead(); err != nil {
		return nil, err
	}
	switch verb {
	case "hello":
		return answer(body, func(m farm.Hello) (any, error) { return struct{}{}, s.Hello(key, m) })
	case "take":
		return answer(body, func(m farm.TakeRequest) (any, error) { return s.Take(key, m) })
	case "deliver":
		return answer(body, func(m farm.DeliverRequest) (any, error) { return s.Deliver(ctx, key, m) })
	case "fail":
		return answer(body, func(m farm.Failure) (any, error) { return struct{}{}, s.Fail(ctx, key, m) })
	case "beat":
		return answer(body, func(m farm.HeartbeatRequest) (any, error) { return s.Heartbeat(key, m) })
	case "bye":
		return answer(body, func(m farm.TakeRequest) (any, error) { return struct{}{}, s.Bye(key, m.Instance) })
	case "program":
		return answer(body, func(m farm.ProgramRequest) (any, error) { return s.program(key, m) })
	case "spec":
		return answer(body, func(m farm.JobRequest) (any, error) { return s.Spec(m.Job) })
	}
	return nil, farm.Refuse(farm.CodeInvalid, "no such request: %.20q", verb)
}

// checkLead refuses requests if another coordinator may lead.
func (s *Scheduler) checkLead() error {
	if s.config.Leads != nil && !s.config.Leads() {
		return farm.Refuse(farm.CodeBusy, "another coordinator leads")
	}
	return nil
}

// answer parses a request, handles it and encodes the answer.
func answer[M any](body []byte, handle func(M) (any, error)) ([]byte, error) {
	var m M
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, farm.Refuse(farm.CodeInvalid, "expected the request as JSON: %v", err)
	}
	v, err := handle(m)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// Hello registers a worker if its program is compatible, and restores its leases from before a
// restart of the coordinator.
func (s *Scheduler) Hello(key string, m farm.Hello) error {
	if m.Version != farm.Version {
		return farm.Refuse(farm.CodeVersion, "the program speaks version %d, and the farm version %d: install the farm's release", m.Version, farm.Version)
	}
	if err := s.config.Build.Compatible(m.Build); err != nil {
		return farm.Refuse(farm.CodeVersion, "%v", err)
	}
	switch {
	case m.Live < 0 || m.Live > farm.MaxLive:
		return farm.Refuse(farm.CodeInvalid, "%d live games: expected 0 to %d", m.Live, farm.MaxLive)
	case m.Analyses < 0 || m.Analyses > m.Live:
		return farm.Refuse(farm.CodeInvalid, "%d analyses: expected 0 to %d", m.Analyses, m.Live)
	case m.Slots < 0 || m.Slots > maxSlots || m.Slots+m.Live == 0:
		return farm.Refuse(farm.CodeInvalid, "%d slots: expected 1 to %d", m.Slots, maxSlots)
	case len(m.Instance) > 64 || !farm.Printable(m.Instance) || !farm.Printable(m.Host):
		return farm.Refuse(farm.CodeInvalid, "expected an instance of at most 64 bytes, and the name of a host")
	case m.Memory < 0:
		return farm.Refuse(farm.CodeInvalid, "%d MB of memory: expected 0 or more", m.Memory)
	case !(m.Speed >= 0) || math.IsInf(m.Speed, 1):
		return farm.Refuse(farm.CodeInvalid, "speed %g: expected 0 or more", m.Speed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w, now := s.worker(key), s.config.Now()
	if err := w.banned(); err != nil {
		return err
	}
	if w.instances[m.Instance] == nil && len(w.instances) >= maxInstances {
		return farm.Refuse(farm.CodeBusy, "this key has %d workers, the most that are allowed", maxInstances)
	}
	i := &instance{hello: m, seen: now}
	i.hello.Leases = nil
	if old := w.instances[m.Instance]; old != nil {
		i.leases, i.memory = old.leases, old.memory
	}
	w.instances[m.Instance] = i
	for _, l := range s.leases { // that the process no longer knows
		if l.worker == w && l.instance == m.Instance && !holds(m.Leases, l.id) {
			s.drop(l)
		}
	}
	if now.Sub(s.started) < s.config.Grace {
		for _, c := range m.Leases[:min(len(m.Leases), slotLeases*m.Slots)] {
			s.adopt(w, m.Instance, c, now)
		}
	}
	return nil
}

func holds(list []farm.Lease, id string) bool {
	return slices.ContainsFunc(list, func(l farm.Lease) bool { return l.ID == id })
}

func (w *worker) banned() error {
	if w.state.Quarantined {
		return farm.Refuse(farm.CodeQuarantined, "this worker's key is quarantined (%s): ask the operator of the coordinator", w.state.Reason)
	}
	return nil
}

// known returns a worker and its instance, which must have said hello.
func (s *Scheduler) known(key, id string) (*worker, *instance, error) {
	w := s.workers[key]
	if w == nil || w.instances[id] == nil {
		return nil, nil, farm.Refuse(farm.CodeUnknown, "the coordinator does not know this worker: say hello first")
	}
	return w, w.instances[id], w.banned()
}

// Take leases work to a worker.
func (s *Scheduler) Take(key string, m farm.TakeRequest) (farm.TakeReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, i, err := s.known(key, m.Instance)
	if err != nil {
		return farm.TakeReply{}, err
	}
	now := s.config.Now()
	i.seen = now
	if left := s.config.Grace - now.Sub(s.started); left > 0 {
		return farm.TakeReply{Wait: left}, nil
	}
	taken := farm.TakeReply{Leases: s.takeLocked(w, m.Instance, m.Slots, now)}
	if len(taken.Leases) < m.Slots {
		taken.Wait, taken.Memory = time.Second, s.missingMemory(i)
	}
	return taken, nil
}

// Heartbeat renews the leases whose plies have advanced, and returns those that the
// worker has lost.
func (s *Scheduler) Heartbeat(key string, m farm.HeartbeatRequest) (lost farm.HeartbeatReply, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, i, err := s.known(key, m.Instance)
	if err != nil {
		return lost, err
	}
	now := s.config.Now()
	i.seen, i.busy = now, min(max(m.Busy, 0), i.hello.Slots)
	for id, plies := range m.Plies {
		l := s.leases[id]
		switch {
		case l == nil || l.worker != w:
			lost.Leases = append(lost.Leases, id)
		case plies > l.plies:
			l.plies = plies
			l.renew(now)
		}
	}
	return lost, nil
}

// Bye ends a worker's leases at once.
func (s *Scheduler) Bye(key, instance string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, _, err := s.known(key, instance)
	if err != nil {
		return err
	}
	for _, l := range s.leases {
		if l.worker == w && l.instance == instance {
			s.drop(l)
		}
	}
	delete(w.instances, instance)
	return nil
}

// Deliver checks and stores results. After an error the worker sends all of them again later;
// those that are stored already do no harm.
func (s *Scheduler) Deliver(ctx context.Context, key string, m farm.DeliverRequest) (d farm.DeliverReply, err error) {
	if len(m.Results) == 0 || len(m.Results) > farm.MaxDelivery {
		return d, farm.Refuse(farm.CodeInvalid, "%d results: expected 1 to %d", len(m.Results), farm.MaxDelivery)
	}
	for _, r := range m.Results {
		err := s.Result(ctx, key, r)
		if farm.HasCode(err, farm.CodeInvalid) {
			d.Refused = append(d.Refused, farm.RefusedResult{Unit: r.Unit, Reason: err.Error()})
		} else if err != nil {
			return d, err
		}
	}
	return d, nil
}

// Result checks and stores a result. The first result of a unit counts; later ones are
// dropped without an error.
func (s *Scheduler) Result(ctx context.Context, key string, m farm.Result) error {
	j, w, replayed, err := s.expected(key, m)
	if err != nil || j == nil {
		return err
	}
	d, err := j.task.Check(m.Unit, []byte(m.Payload))
	if err != nil {
		return s.refuse(ctx, w, j, m, err)
	}
	if replayed {
		s.compare(j, w, m, d)
		return nil
	}
	err = s.store.PutResult(ctx, j.id, farm.Stored{Unit: m.Unit, Worker: key, Digest: d}, []byte(m.Payload))
	switch {
	case errors.Is(err, farm.ErrExists):
		return s.readAgain(ctx, j, m)
	case errors.Is(err, farm.ErrFull):
		s.extendLease(m.Lease)
		return farm.Refuse(farm.CodeFull, "%v: the worker keeps its results until there is space", err)
	case err != nil:
		s.config.Log.Error("cannot store a result", "job", j.id[:12], "unit", m.Unit, "error", err)
		s.extendLease(m.Lease)
		return farm.Refuse(farm.CodeBusy, "the coordinator cannot store results now")
	}
	s.count(ctx, j, w, m, d)
	return nil
}

// expected returns the job and the worker of a result, and whether it is a replay. The job is
// nil if the unit has a result already.
func (s *Scheduler) expected(key string, m farm.Result) (*job, *worker, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.workers[key]
	if w == nil {
		return nil, nil, false, farm.Refuse(farm.CodeUnknown, "the coordinator does not know this worker: say hello first")
	}
	if err := w.banned(); err != nil {
		return nil, nil, false, err
	}
	j := s.jobs[m.Job]
	if j == nil || m.Unit < 0 || m.Unit >= j.ledger.Units() {
		return nil, nil, false, farm.Refuse(farm.CodeInvalid, "no such job or unit")
	}
	l := s.leases[m.Lease]
	if l != nil && (l.worker != w || l.job != j) {
		l = nil
	}
	replayed, leased := false, false
	if l != nil {
		replayed, leased = l.units[m.Unit]
	}
	switch {
	case leased:
		return j, w, replayed, nil
	case j.ledger.Has(m.Unit):
		return nil, nil, false, nil // the result came twice, or another worker was first
	case slices.Contains(j.former[m.Unit], w.index), j.leased[m.Unit] != nil && j.leased[m.Unit].worker == w:
		return j, w, false, nil
	}
	return nil, nil, false, farm.Refuse(farm.CodeInvalid, "unit %d is not leased to this worker", m.Unit)
}

// count adds a stored result.
func (s *Scheduler) count(ctx context.Context, j *job, w *worker, m farm.Result, d farm.Digest) {
	s.mu.Lock()
	was, now := j.open(), s.config.Now()
	s.release(j, m, now)
	if w.state.Quarantined || s.jobs[j.id] != j { // since it was checked
		s.mu.Unlock()
		s.discard(ctx, j, m.Unit)
		return
	}
	if !j.ledger.Add(m.Unit, w.index, d) {
		s.mu.Unlock()
		return
	}
	s.forget(j, m.Unit)
	s.rate.add(now, j.about.Size(m.Unit+1)-j.about.Size(m.Unit))
	w.state.Pairs++
	j.measure(m.Took)
	j.addScore(w.index, d)
	s.considerReplay(j, w, m.Unit)
	j.announce()
	ended := was && !j.open()
	s.mu.Unlock()
	if ended {
		s.finish(j)
	}
}

// discard deletes a stored result that must not count. Its unit is leased again.
func (s *Scheduler) discard(ctx context.Context, j *job, unit int) {
	if err := s.store.DeleteResult(ctx, j.id, unit); err != nil {
		s.config.Log.Error("cannot delete a result", "job", j.id[:12], "unit", unit, "error", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	j.reopen([]int{unit})
}

// release removes the unit from every lease that has it.
func (s *Scheduler) release(j *job, m farm.Result, now time.Time) {
	if l := s.leases[m.Lease]; l != nil && l.job == j {
		s.done(l, m.Unit, now)
	}
	if l := j.leased[m.Unit]; l != nil {
		s.done(l, m.Unit, now)
	}
	delete(j.leased, m.Unit)
	delete(j.former, m.Unit)
}

// readAgain counts a result that is in the store but not in the ledger, because its
// acknowledgement was lost.
func (s *Scheduler) readAgain(ctx context.Context, j *job, m farm.Result) error {
	r, _, err := s.store.Result(ctx, j.id, m.Unit)
	if err != nil {
		return farm.Refuse(farm.CodeBusy, "the coordinator cannot read results now")
	}
	s.mu.Lock()
	w := s.worker(r.Worker)
	void := w.state.Quarantined
	s.mu.Unlock()
	if void {
		s.discard(ctx, j, m.Unit) // the leader before us may have stored it
		return farm.Refuse(farm.CodeBusy, "the result of a quarantined worker is being deleted")
	}
	s.count(ctx, j, w, m, r.Digest)
	return nil
}

// measure updates the average time of a unit.
func (j *job) measure(took time.Duration) {
	took = min(max(took, time.Millisecond), time.Hour)
	if j.pace == 0 {
		j.pace = took
	}
	j.pace += (took - j.pace) / 8
}

// finish ends all leases of a job that has ended, and tells workers.
func (s *Scheduler) finish(j *job) {
	s.mu.Lock()
	for _, l := range s.leases {
		if l.job == j {
			s.drop(l)
		}
	}
	s.mu.Unlock()
	s.config.Log.Info("a job has ended", "job", j.id[:12], "state", j.status())
	s.notify(j.id)
}
