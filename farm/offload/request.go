package offload

import "quintet/farm"

// tries is how many workers get a request: one that has just begun something else declines.
const tries = 2

// request is a request to workers, which the caller must end.
type request struct {
	send    func() (answers <-chan farm.ThinkAnswer, id string, end func(), err error)
	sent    int                     // how often it was sent
	answers <-chan farm.ThinkAnswer // of the worker that has it now
	id      string                  // its name in leases; "" for a move
	cancel  func()                  // stops the answers
}

// sendNext sends the request to a worker, and ends it at the one that had it before.
func (r *request) sendNext() error {
	r.end()
	r.sent++
	answers, id, cancel, err := r.send()
	if err != nil {
		return err
	}
	r.answers, r.id, r.cancel = answers, id, cancel
	return nil
}

// declined reports whether another worker should be asked after an answer.
func (r *request) declined(a farm.ThinkAnswer) bool {
	return a.State == farm.ThinkBusy && r.sent < tries
}

// end stops the answers.
func (r *request) end() {
	if r.cancel != nil {
		r.cancel()
		r.cancel = nil
	}
}
