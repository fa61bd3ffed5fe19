package jobs

// Reservation is work of a client that is done elsewhere. It counts as a task of the client,
// and takes no turns.
type Reservation struct {
	queue  *Queue
	client string
	used   bool // guarded by queue.mu: the task was submitted, or the reservation released
}

// Reserve counts work of a client that is done elsewhere. The error is ErrClient. The caller
// releases the reservation or submits a task in its place.
func (q *Queue) Reserve(client string) (*Reservation, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.held[client] >= q.config.PerClient {
		return nil, ErrClient
	}
	q.hold(client)
	return &Reservation{queue: q, client: client}, nil
}

// Submit adds a task in place of the reservation, also if as many tasks wait as may.
func (r *Reservation) Submit(t Task) *Ticket {
	r.queue.mu.Lock()
	defer r.queue.mu.Unlock()
	r.used = true
	return r.queue.submit(r.client, t)
}

// Release gives the reservation up, unless a task was submitted in its place.
func (r *Reservation) Release() {
	r.queue.mu.Lock()
	defer r.queue.mu.Unlock()
	if !r.used {
		r.used = true
		r.queue.release(r.client)
	}
}
