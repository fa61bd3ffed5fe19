package jet

import (
	"errors"
	"strings"
	"testing"
)

// TestIntactElsewhere lists the answers of two servers after which a damaged copy may be set aside, and those
// after which it must stay.
func TestIntactElsewhere(t *testing.T) {
	mine := memberCopy{Problem: "damaged", Last: 9, LastRecord: 4, Heartbeat: 7}
	good := memberCopy{Server: "b", Last: 9, Sum: "s", LastRecord: 4, Records: "r", Heartbeat: 7}
	for _, k := range []struct {
		name   string
		change func(*memberCopy) // of the second answer; nil if there is none
		want   string            // in the error; "" for none
	}{
		{"both intact", func(*memberCopy) {}, ""},
		{"further events", func(c *memberCopy) { c.Last, c.Heartbeat = 12, 20 }, ""},
		{"no second answer", nil, "1 of the 2"},
		{"damaged", func(c *memberCopy) { c.Problem = "3 bytes" }, "3 bytes"},
		{"damaged, and stopped", func(c *memberCopy) { c.Problem, c.Stopped = "3 bytes", true }, "two servers are damaged"},
		{"fewer events", func(c *memberCopy) { c.Last = 8 }, "not caught up"},
		{"fewer records", func(c *memberCopy) { c.LastRecord = 3 }, "not caught up"},
		{"an older heartbeat", func(c *memberCopy) { c.Heartbeat = 6 }, "not caught up"},
		{"other events", func(c *memberCopy) { c.Sum = "x" }, "different events"},
		{"other records", func(c *memberCopy) { c.Records = "x" }, "different records"},
		{"another end of the records", func(c *memberCopy) { c.LastRecord = 5 }, ""},
	} {
		others := map[string]memberCopy{"b": good}
		if k.change != nil {
			c := good
			c.Server = "c"
			k.change(&c)
			others["c"] = c
		}
		err := intactElsewhere(mine, others)
		if k.want == "" && err != nil || k.want != "" && (err == nil || !strings.Contains(err.Error(), k.want)) {
			t.Errorf("%s: %v, want %q", k.name, err, k.want)
		}
		if errors.Is(err, errTwoDamaged) != strings.HasPrefix(k.want, "two") {
			t.Errorf("%s: %v, want it to say whether two copies are damaged", k.name, err)
		}
	}
}
