package chaos

import (
	"fmt"
	"time"

	"quintet/lab/load"
)

// turn is one ply, as its player saw it.
type turn struct {
	from, to time.Time // from one acknowledgement to the next
	passed   bool      // the turn went to the other side, and the mover got the increment
	timeouts int       // servers that did not answer within requestTimeout
}

// The clock of all games, in milliseconds.
const (
	mainTime  = 1000 * load.MainTime
	increment = 1000 * load.Increment
)

// grace returns how long a clock may run in an outage. A server takes moves for two
// seconds after its last heartbeat. A player whose server does not answer, because it
// alone is cut off or the machine is busy, waits for the request timeout before it asks
// another, while the log continues elsewhere. A server without the log answers that at
// once or after its own timeout, so grace does not excuse an outage of the log.
func (t turn) grace() time.Duration {
	return max(2*time.Second, time.Duration(max(t.timeouts, 1))*requestTimeout)
}

// shift is how long writing a move may take before it counts as an outage. The next
// clock starts when the move is decided, so the mover pays that much less and the
// opponent that much more.
const shift = 2 * time.Second

// drift is how much servers may disagree on the service time: one heartbeat.
const drift = time.Second

// checkClocks compares what each turn after a time cost, by the log, with how long it
// took without outages. It returns how long clocks ran in outages, and turns that
// cost too much.
func (c *clients) checkClocks(id string, turns []turn, left []int64, after time.Time) (run []time.Duration, wrong []string) {
	before := int64(2 * mainTime)
	var outageBefore, unpaid time.Duration // of the turn before: its outage, and the time that it did not cost
	for i, t := range turns {
		if i+1 >= len(left) {
			break
		}
		cost := before - left[i+1]
		if before = left[i+1]; t.passed {
			cost += increment
		}
		out, spent := c.outageBetween(t.from, t.to), time.Duration(cost)*time.Millisecond
		took := t.to.Sub(t.from) - out
		most := took + unpaid + drift
		if t.to.After(after) && out+outageBefore > outageThreshold {
			run = append(run, max(spent-took-unpaid, 0))
			most += t.grace()
		}
		if t.to.After(after) && spent > most {
			wrong = append(wrong, fmt.Sprintf("game %s, ply %d: a turn of %.3f s, %.3f s of it an outage, cost %.3f s; the one before cost %.3f s less than it took",
				id, i+1, t.to.Sub(t.from).Seconds(), out.Seconds(), spent.Seconds(), unpaid.Seconds()))
		}
		outageBefore, unpaid = out, min(max(took-spent, 0), shift)
	}
	return run, wrong
}
