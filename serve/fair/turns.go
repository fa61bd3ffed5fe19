package fair

// Turns decides whose turn it is. Among the widest networks it is the one whose last turn is longest
// ago; inside it the narrower networks take turns in the same way, down to the client. It is not safe
// for concurrent use.
type Turns struct {
	count uint64 // turns so far
	last  map[string]*turn
}

// turn is the last turn of a network.
type turn struct {
	number uint64
	refs   int // clients that have entered and not left
}

// NewTurns returns Turns without clients.
func NewTurns() *Turns { return &Turns{last: map[string]*turn{}} }

// Enter adds a client. It counts as served just now: it comes after the clients that wait already,
// but before their second turns.
func (t *Turns) Enter(client string) {
	for _, network := range Networks(client) {
		if t.last[network] == nil {
			t.last[network] = &turn{number: t.count}
		}
		t.last[network].refs++
	}
}

// Leave removes a client that has entered.
func (t *Turns) Leave(client string) {
	for _, network := range Networks(client) {
		if l := t.last[network]; l != nil {
			if l.refs--; l.refs <= 0 {
				delete(t.last, network)
			}
		}
	}
}

// Take gives a client its turn.
func (t *Turns) Take(client string) {
	t.count++
	for _, network := range Networks(client) {
		if l := t.last[network]; l != nil {
			l.number = t.count
		}
	}
}

// Before reports whether it is the turn of client a before that of client b. Both have entered.
func (t *Turns) Before(a, b string) bool {
	a, b = Apart(a, b)
	return a != b && t.number(a) < t.number(b)
}

func (t *Turns) number(network string) uint64 {
	if l := t.last[network]; l != nil {
		return l.number
	}
	return t.count
}

// Apart returns the widest networks in which two clients differ; "" for the same client. Turns and
// shares of two clients are compared between these.
func Apart(a, b string) (ofA, ofB string) {
	as, bs := Networks(a), Networks(b)
	for i := range min(len(as), len(bs)) {
		ofA, ofB = as[len(as)-1-i], bs[len(bs)-1-i]
		if ofA != ofB {
			return ofA, ofB
		}
	}
	return "", ""
}
