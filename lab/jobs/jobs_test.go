package jobs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/bots/othello/pattern"
	"quintet/farm"
	"quintet/farm/scheduler"
	"quintet/games/loa"
	"quintet/lab/farmtest"
	"quintet/lab/jobs"
	"quintet/lab/train"
	"quintet/lab/train/selfplay"
	"quintet/learn/puzzle"
)

func build() farm.Build {
	return farm.Build{Program: farm.Program{Fingerprint: 7, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
}

// job is a job of a kind, small enough for a test.
type job struct {
	kind     string
	settings any
	blob     []byte
}

func selfPlay() *jobs.SelfPlaySettings {
	return &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa", Nodes: 5, Games: 23, Seed: 3}, Batch: 4}
}

// linearWeights is a file of weights for boards of any size.
func linearWeights(t testing.TB) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := train.UntrainedBoards().Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func all(t testing.TB) []job {
	return []job{
		{kind: jobs.SelfPlayName, settings: selfPlay()},
		{jobs.SelfPlayName, &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "othello", Boards: "8x8", Depth: 2, Exact: 6, Games: 5, Seed: 3, Given: true}, Batch: 2}, pattern.Packed()},
		{jobs.SelfPlayName, &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "othello", Boards: "any", Nodes: 5, Games: 7, Seed: 3, Given: true}, Batch: 2}, linearWeights(t)},
		{kind: jobs.PuzzlesName, settings: &jobs.PuzzlesSettings{Game: "chess", Seed: 1, Count: 1, First: 1}},
	}
}

func specOf(t testing.TB, j job) *farm.Spec {
	t.Helper()
	s, err := farm.NewSpec(build().Program, j.kind, j.settings)
	if err != nil {
		t.Fatal(err)
	}
	if j.blob != nil {
		s.Blob = farm.NewBlobRef(j.blob)
	}
	return s
}

// shared does a job by workers of which one takes work and dies, and returns the
// payloads that count.
func shared(t *testing.T, s *farm.Spec, blob []byte) (payloads []string) {
	t.Helper()
	now := time.Unix(1e9, 0)
	types := jobs.Types()
	h, err := scheduler.New(t.Context(), farmtest.NewMemory(), scheduler.Config{
		Build: build(), Kinds: types, Now: func() time.Time { return now }, Random: rand.New(rand.NewPCG(1, 1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	text, id, err := s.Encode()
	if err == nil {
		_, err = h.Submit(t.Context(), farm.SubmitRequest{Build: build(), Spec: text})
	}
	for i, part := range farm.Cut(blob) {
		err = errors.Join(err, h.Upload(t.Context(), farm.BlobPart{Job: id, Part: i, Data: part}))
	}
	for _, key := range []string{"dies", "lives"} {
		err = errors.Join(err, h.Hello(key, farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 1}))
	}
	if err != nil {
		t.Fatal(err)
	}
	task, err := types.Task(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := task.NewRunner(blob, 0)
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
	for _, j := range all(t) {
		s := specOf(t, j)
		task, err := jobs.Types().Task(s)
		if err != nil {
			t.Fatal(err)
		}
		got := shared(t, s, j.blob)
		r, err := task.NewRunner(j.blob, 0)
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

// TestSelfPlayRecords checks that the records of a farm's games equal those of local games, from the
// first or from a later one on.
func TestSelfPlayRecords(t *testing.T) {
	settings := selfPlay()
	payloads := shared(t, specOf(t, job{kind: jobs.SelfPlayName, settings: settings}), nil)
	games, err := settings.Plan(loa.Game)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []int{0, 6, 8} {
		from := source(settings, payloads)
		for i := first; i < settings.Games; i++ {
			got, err := from(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := games.Record(t.Context(), i); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("game %d from game %d on differs, %v", i, first, err)
			}
		}
	}
	early := source(settings, payloads[:2])
	for i := range 9 {
		if _, err := early(t.Context(), i); errors.Is(err, io.ErrUnexpectedEOF) != (i == 8) {
			t.Errorf("game %d of results that end early: %v", i, err)
		}
	}
}

func source(s *jobs.SelfPlaySettings, payloads []string) selfplay.Source {
	return s.Records(func(_ context.Context, unit int) (string, error) {
		if unit >= len(payloads) {
			return "", io.EOF
		}
		return payloads[unit], nil
	})
}

// TestPuzzles checks that the requested number of different puzzles is found, besides
// known ones.
func TestPuzzles(t *testing.T) {
	settings := &jobs.PuzzlesSettings{Game: "chess", Seed: 1, Count: 2}
	var found []string
	for _, payload := range shared(t, specOf(t, job{kind: jobs.PuzzlesName, settings: settings}), nil) {
		p, err := jobs.DecodePuzzle([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		if p != nil {
			found = append(found, p.ID)
		}
	}
	if len(found) != 2 || found[0] == found[1] {
		t.Fatalf("puzzles %v: want two", found)
	}
	settings.Known, settings.Count = found[:1], 1
	payloads := shared(t, specOf(t, job{kind: jobs.PuzzlesName, settings: settings}), nil)
	if p, err := jobs.DecodePuzzle([]byte(payloads[len(payloads)-1])); err != nil || p == nil || p.ID != found[1] {
		t.Errorf("%+v, %v: want puzzle %s after the known one", p, err, found[1])
	}
}

// TestCheck checks that results that no honest worker sends are rejected.
func TestCheck(t *testing.T) {
	for _, j := range all(t) {
		s := specOf(t, j)
		task, err := jobs.Types().Task(s)
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
}

// TestForgedPuzzle checks that a puzzle of another game of the seed is rejected.
func TestForgedPuzzle(t *testing.T) {
	list, err := puzzle.Embedded("othello")
	if err != nil {
		t.Fatal(err)
	}
	p := list[0]
	task, err := jobs.Types().Task(specOf(t, job{kind: jobs.PuzzlesName, settings: &jobs.PuzzlesSettings{Game: "othello", Seed: p.Seed, Count: 1, First: 1}}))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		unit   int
		change func(p *puzzle.Puzzle)
		ok     bool
	}{
		"the puzzle":      {p.Source - 1, func(*puzzle.Puzzle) {}, true},
		"of another game": {p.Source, func(*puzzle.Puzzle) {}, false},
		"of another seed": {p.Source - 1, func(p *puzzle.Puzzle) { p.Seed++ }, false},
		"another name":    {p.Source - 1, func(p *puzzle.Puzzle) { p.ID = "othello-00000000" }, false},
		"an illegal move": {p.Source - 1, func(p *puzzle.Puzzle) { p.Turns = []puzzle.Turn{{Moves: []string{"zz"}}} }, false},
	} {
		forged := p
		test.change(&forged)
		payload, err := json.Marshal(forged)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := task.Check(test.unit, payload); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
