package jobtypes_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/farm/scheduler"
	"quintet/game"
	"quintet/games"
	"quintet/lab/farmtest"
	"quintet/review"
)

func build() farm.Build {
	return farm.Build{Program: farm.Program{Fingerprint: 7, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
}

// job is a job of a kind, small enough for a test.
type job struct {
	kind     string
	settings any
}

// byName returns a game.
func byName(t testing.TB, name string) game.Game {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// reviewed is a short game of chess.
func reviewed(t testing.TB) jobtypes.ReviewGame {
	t.Helper()
	g := byName(t, "chess")
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := game.NewMatch(g, start)
	for _, text := range strings.Fields("f2f3 e7e5 g2g4 d8h4") {
		if err := m.PlayText(text); err != nil {
			t.Fatal(err)
		}
	}
	return jobtypes.NewReviewGame(g, start, m.Moves())
}

func jobs(t testing.TB) []job {
	return []job{
		{kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "othello", Nodes: 1, Positions: slices.Repeat([]string{"XXXX/XXXX/XXOO/OOO1 X"}, 4)}},
		{kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Depth: 2, Games: slices.Repeat([]jobtypes.ReviewGame{reviewed(t)}, 5)}},
	}
}

func specOf(t testing.TB, j job) *farm.Spec {
	t.Helper()
	s, err := farm.NewSpec(build().Program, j.kind, j.settings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shared does a job by workers of which one takes work and dies, and returns the
// payloads that count.
func shared(t *testing.T, s *farm.Spec) (payloads []string) {
	t.Helper()
	now := time.Unix(1e9, 0)
	all := jobtypes.All(nil, nil)
	h, err := scheduler.New(t.Context(), farmtest.NewMemory(), scheduler.Config{
		Build: build(), Kinds: all, Now: func() time.Time { return now }, Random: rand.New(rand.NewPCG(1, 1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	text, id, err := s.Encode()
	if err == nil {
		_, err = h.Submit(t.Context(), farm.SubmitRequest{Build: build(), Spec: text})
	}
	for _, key := range []string{"dies", "lives"} {
		err = errors.Join(err, h.Hello(key, farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 1}))
	}
	if err != nil {
		t.Fatal(err)
	}
	task, err := all.Task(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := task.NewRunner(0)
	if err != nil {
		t.Fatal(err)
	}
	if taken, err := h.Take("dies", farm.TakeRequest{Instance: "1", Slots: 1}); err != nil || len(taken.Leases) == 0 {
		t.Fatalf("%+v, %v: want work", taken, err)
	}
	for {
		now = now.Add(10 * time.Second)
		taken, err := h.Take("lives", farm.TakeRequest{Instance: "1", Slots: 1})
		if err != nil {
			t.Fatal(err)
		}
		h.Sweep()
		deliver(t, h, r, id, taken.Leases)
		if v, err := h.Show(id); err != nil || v.Status != "open" {
			break
		}
	}
	results, err := h.Results(t.Context(), farm.JobRequest{Job: id})
	if err != nil || !results.Complete {
		t.Fatalf("%+v, %v: want all results", results, err)
	}
	return results.Payloads
}

// deliver runs the units of leases, the last one first.
func deliver(t *testing.T, h *scheduler.Scheduler, r farm.Runner, id string, leases []farm.Lease) {
	t.Helper()
	for _, c := range leases {
		for _, unit := range slices.Backward(c.Units) {
			payload, err := r.Do(t.Context(), unit, func() {})
			if err == nil {
				err = h.Result(t.Context(), "lives", farm.Result{Lease: c.ID, Job: id, Unit: unit, Took: 7 * time.Second, Payload: string(payload)})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSameAsLocal checks that a farm that loses a worker produces the results of a runner
// that does the units in order.
func TestSameAsLocal(t *testing.T) {
	for _, j := range jobs(t) {
		s := specOf(t, j)
		task, err := jobtypes.All(nil, nil).Task(s)
		if err != nil {
			t.Fatal(err)
		}
		got := shared(t, s)
		r, err := task.NewRunner(0)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for unit := range got {
			payload, err := r.Do(t.Context(), unit, func() {})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, string(payload))
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("%s: %s", j.kind, diff)
		}
	}
}

// TestReview checks that a review survives encoding and decoding.
func TestReview(t *testing.T) {
	r := reviewed(t)
	task, err := jobtypes.All(nil, nil).Task(specOf(t, job{kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Depth: 2, Games: []jobtypes.ReviewGame{r}}}))
	if err != nil {
		t.Fatal(err)
	}
	payload, err := farm.Do(t.Context(), task, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Decode(payload)
	if err != nil {
		t.Fatal(err)
	}
	g, start, moves, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	search, err := jobtypes.SearcherFor(g, 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := review.Game(t.Context(), search, g, start, moves, engine.Limit{Depth: 2}, bots.ProfileFor(g).Exact)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		want[i].Line, want[i].Chance = nil, 0 // they are not for the command line
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCheck checks that results that no honest worker sends are rejected.
func TestCheck(t *testing.T) {
	for _, j := range jobs(t) {
		s := specOf(t, j)
		task, err := jobtypes.All(nil, nil).Task(s)
		if err != nil {
			t.Fatal(err)
		}
		for name, payload := range map[string]string{
			"nothing": "", "no JSON": "x", "of another kind": `{"surprise":1}`, "too long": strings.Repeat(" ", farm.MaxPayloadBytes) + "null",
		} {
			if _, err := task.Check(0, []byte(payload)); err == nil {
				t.Errorf("%s, %s: no error", j.kind, name)
			}
		}
	}
	r := reviewed(t)
	good := []jobtypes.ReviewedMove{{"e2e4", 5, 5, 0, "", ""}, {"e7e5", 5, 5, 0, "", ""}, {"e2e4", 5, 5, 0, "", ""}, {"d8h4", 5, 5, 0, "", ""}}
	for name, change := range map[string]func(m *jobtypes.ReviewedMove){
		"nothing": func(*jobtypes.ReviewedMove) {}, "an illegal move": func(m *jobtypes.ReviewedMove) { m.Best = "a1a8" },
		"a gain": func(m *jobtypes.ReviewedMove) { m.After = 6 }, "another mark": func(m *jobtypes.ReviewedMove) { m.Mark = "??" },
		"an escape": func(m *jobtypes.ReviewedMove) { m.Why = "\x1b[2J" }, "a long reason": func(m *jobtypes.ReviewedMove) { m.Why = strings.Repeat("x", 101) },
		"a loss above 1": func(m *jobtypes.ReviewedMove) { m.Share, m.Mark = 2, "??" },
	} {
		list := slices.Clone(good)
		change(&list[1])
		payload, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Decode(payload); (err == nil) != (name == "nothing") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
