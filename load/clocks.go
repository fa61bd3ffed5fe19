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

// grace is how much of an outage a clock may run: some beats of a server, which
// tell how far the time had come before, are a second apart.
const grace = time.Second

// clocks holds what each turn has cost, by the log, against the time that it took,
// outages apart; those after a time. It returns what clocks ran in outages, and
// what is wrong.
func (c *crowd) clocks(id string, turns []turn, left []int64, after time.Time) (run []time.Duration, wrong []string) {
	before, was := int64(2*mainTime), time.Duration(0) // was: how much of the turn before was an outage
	for i, t := range turns {
		if i+1 >= len(left) {
			break
		}
		cost := before - left[i+1]
		if before = left[i+1]; t.passed {
			cost += increment
		}
		out, spent := c.out(t.from, t.to), time.Duration(cost)*time.Millisecond
		most := t.to.Sub(t.from) - out
		if t.to.After(after) && out+was > silence {
			run = append(run, max(spent-most, 0))
			most += grace
		}
		if t.to.After(after) && spent > most+slack {
			wrong = append(wrong, fmt.Sprintf("game %s, ply %d: a turn of %.3f s, %.3f s of it an outage, cost %.3f s", id, i+1, t.to.Sub(t.from).Seconds(), out.Seconds(), spent.Seconds()))
		}
		was = out
	}
	return run, wrong
}
