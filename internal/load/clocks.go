package load

import (
	"fmt"
	"time"
)

// turn is one ply, as its player saw it.
type turn struct {
	from, to time.Time // from one acknowledgement to the next
	passed   bool      // the turn went to the other side, who got the increment
}

// mainTime and increment are the clock that begin asks for, in milliseconds.
const (
	mainTime  = 3_600_000
	increment = 5_000
)

// grace is how much of an outage a clock may run. A server takes moves for two
// seconds after its last heartbeat; and players whose server alone is cut off wait for it
// as long as they do before they go to another, while the log goes on elsewhere.
const grace = max(2*time.Second, askTime)

// shift is how long a move may take to be written before that counts as an outage:
// the clock of who moves next starts when the move before is decided, and who has
// moved pays so much less.
const shift = 2 * time.Second

// drift is how much the service time of servers may differ for a moment: one heartbeat
// interval.
const drift = time.Second

// clocks holds what each turn has cost, by the log, against the time that it took,
// outages apart; those after a time. It returns what clocks ran in outages, and
// what is wrong.
func (c *crowd) clocks(id string, turns []turn, left []int64, after time.Time) (run []time.Duration, wrong []string) {
	before, was, spare := int64(2*mainTime), time.Duration(0), time.Duration(0) // of the turn before: how much was an outage, and what it did not cost
	for i, t := range turns {
		if i+1 >= len(left) {
			break
		}
		cost := before - left[i+1]
		if before = left[i+1]; t.passed {
			cost += increment
		}
		out, spent := c.out(t.from, t.to), time.Duration(cost)*time.Millisecond
		took := t.to.Sub(t.from) - out
		most := took + spare + drift
		if t.to.After(after) && out+was > silence {
			run = append(run, max(spent-took-spare, 0))
			most += grace
		}
		if t.to.After(after) && spent > most {
			wrong = append(wrong, fmt.Sprintf("game %s, ply %d: a turn of %.3f s, %.3f s of it an outage, cost %.3f s; the one before cost %.3f s less than it took",
				id, i+1, t.to.Sub(t.from).Seconds(), out.Seconds(), spent.Seconds(), spare.Seconds()))
		}
		was, spare = out, min(max(took-spent, 0), shift)
	}
	return run, wrong
}
