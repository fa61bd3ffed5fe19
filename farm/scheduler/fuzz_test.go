package scheduler_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"quintet/farm"
)

// FuzzRequests checks that no request of a worker or client panics, and that none ends the
// work of an honest worker.
func FuzzRequests(f *testing.F) {
	for _, verb := range []string{"hello", "take", "deliver", "fail", "beat", "bye", "program", "spec", "submit", "show", "results", "priority"} {
		f.Add(verb, []byte("{}"))
	}
	f.Add("hello", []byte(`{"version":3,"instance":"1","host":"h","slots":1,"leases":[{"lease":"x","units":[-1]}]}`))
	f.Add("beat", []byte(`{"instance":"1","plies":{"x":18446744073709551615}}`))
	f.Add("fail", []byte(`{"lease":"x","unit":-9223372036854775808}`))
	f.Add("deliver", []byte(`{"results":[{"lease":"x","unit":-1},{"unit":3,"payload":"{}"}]}`))
	f.Add("upload", []byte(`{"sha256":"*","size":-1,"part":1}`))
	f.Add("submit", []byte(`{"spec":"e30="}`))
	s := spec(2, nil)
	f.Fuzz(func(t *testing.T, verb string, body []byte) {
		if verb == "stop" || verb == "remove" || verb == "results" {
			return // a client may end a job, and results are waited for
		}
		sim := newSimulation(t, s, 1)
		sim.hellos("A")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, _ = sim.scheduler.Worker(ctx, "B", verb, body)
		if answer, err := sim.scheduler.Client(ctx, verb, body); err == nil && !json.Valid(answer) {
			t.Errorf("%s answers %q", verb, answer)
		}
		sim.at = sim.at.Add(time.Hour)
		sim.scheduler.Sweep()
		sim.hellos("A")
		if leases := sim.take("A"); len(leases) == 0 {
			t.Errorf("%s %q: no work is left", verb, body)
		}
	})
}

// FuzzSpec checks that a spec that is accepted can be written and read again.
func FuzzSpec(f *testing.F) {
	text, _, err := spec(2, nil).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"kind":"version","program":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := farm.DecodeSpec(text)
		if err != nil {
			return
		}
		written, id, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := farm.DecodeSpec(written)
		if err != nil {
			t.Fatalf("%s is written as %s: %v", text, written, err)
		}
		if _, other, err := again.Encode(); err != nil || other != id {
			t.Errorf("%s has the identifiers %s and %s, %v", text, id, other, err)
		}
	})
}
