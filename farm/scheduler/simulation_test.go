package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/farm/scheduler"
	"quintet/game"
	"quintet/lab/farmtest"
)

// build is the program of the tests.
func build() farm.Build {
	return farm.Build{Program: farm.Program{Fingerprint: 7, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
}

// spec is a job: random players on the smallest board.
func spec(games int, sprt *arena.SPRT) *farm.Spec {
	s, err := farm.NewSpec(build().Program, jobtypes.MatchName, settings(games, sprt))
	if err != nil {
		panic(err)
	}
	return s
}

func settings(games int, sprt *arena.SPRT) *jobtypes.MatchSettings {
	return &jobtypes.MatchSettings{
		Header: arena.Header{
			Game: "othello", Start: "4/1XO1/1OX1/4 X", Format: arena.RoundRobin, Seed: 5, Threads: 1, SPRT: sprt,
			Players:  []arena.HeaderPlayer{{Name: "a", Player: "random", Limit: "depth=1"}, {Name: "b", Player: "random", Limit: "depth=1"}},
			Openings: "random:2",
		},
		Games: games, Openings: "random:2",
	}
}

// settingsOf returns the settings of a job.
func settingsOf(t testing.TB, s *farm.Spec) *jobtypes.MatchSettings {
	t.Helper()
	m, err := jobtypes.DecodeMatch(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func maker(player string, g game.Game, threads int) (engine.Player, error) {
	return bots.NewPlayer(player, g, bots.Options{Threads: threads})
}

// play plays a pair; with another seed it is a forgery.
func play(t testing.TB, s *farm.Spec, pair int, seed uint64) []byte {
	t.Helper()
	o, err := settingsOf(t, s).Options(maker, nil)
	if err != nil {
		t.Fatal(err)
	}
	own := o.Seed
	o.Seed += seed
	p, err := arena.NewPairPlayer(o)
	if err != nil {
		t.Fatal(err)
	}
	games, err := p.Play(context.Background(), pair)
	if err := errors.Join(err, p.Close()); err != nil {
		t.Fatal(err)
	}
	for i := range games {
		games[i].Seed = own + uint64(2*pair+i)
	}
	payload, err := jobtypes.EncodePair(games, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// simulation is a scheduler with a clock and workers that the test moves.
type simulation struct {
	t         testing.TB
	spec      *farm.Spec
	id        string
	store     farm.Store
	scheduler *scheduler.Scheduler
	at        time.Time
	random    *rand.Rand
	played    int
	slots     int // of each worker
	keep      time.Duration
	build     farm.Build
	kinds     farm.Kinds
}

func newSimulation(t testing.TB, s *farm.Spec, seed uint64) *simulation {
	t.Helper()
	f := &simulation{t: t, spec: s, store: farmtest.NewMemory(), at: time.Unix(1e9, 0), slots: 2, random: rand.New(rand.NewPCG(seed, 1))}
	f.build, f.kinds = build(), farm.Kinds{jobtypes.MatchName: jobtypes.Match(maker, nil)}
	f.start(0)
	text, id, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f.id = id
	if _, err := f.scheduler.Submit(context.Background(), farm.SubmitRequest{Build: build(), Spec: text}); err != nil {
		t.Fatal(err)
	}
	return f
}

// start starts a scheduler on what the store has.
func (f *simulation) start(grace time.Duration) {
	f.t.Helper()
	h, err := scheduler.New(context.Background(), f.store, scheduler.Config{
		Build: f.build, Kinds: f.kinds, Now: func() time.Time { return f.at }, Random: rand.New(rand.NewPCG(f.random.Uint64(), 2)), Grace: grace, Keep: f.keep,
		Referee: func(_ context.Context, _ farm.Task, unit int) ([]byte, error) {
			return play(f.t, f.spec, unit, 0), nil
		},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.scheduler = h
}

func (f *simulation) hello(key string, leases ...farm.Lease) error {
	return f.scheduler.Hello(key, farm.Hello{Version: farm.Version, Build: f.build, Instance: "1", Host: "h", Slots: f.slots, Leases: leases})
}

func (f *simulation) take(key string) []farm.Lease {
	f.t.Helper()
	taken, err := f.scheduler.Take(key, farm.TakeRequest{Instance: "1", Slots: 1})
	if err != nil {
		f.t.Fatal(err)
	}
	return taken.Leases
}

func (f *simulation) result(key string, c farm.Lease, unit int, seed uint64) error {
	f.played++
	return f.scheduler.Result(context.Background(), key, farm.Result{
		Lease: c.ID, Job: c.Job, Unit: unit, Took: 500 * time.Millisecond, Payload: string(play(f.t, f.spec, unit, seed)),
	})
}

// results returns all results that count, as a client gets them.
func (f *simulation) results() (list []string) {
	f.t.Helper()
	for {
		r, err := f.scheduler.Results(context.Background(), farm.JobRequest{Job: f.id, From: len(list)})
		if err != nil {
			f.t.Fatal(err)
		}
		list = append(list, r.Payloads...)
		if r.Complete {
			return list
		}
	}
}

// local returns the payloads of the local arena.
func local(t testing.TB, s *farm.Spec) (payloads []string, games int) {
	t.Helper()
	o, err := settingsOf(t, s).Options(maker, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Report = func(_ arena.Standings, pair [2]arena.Record) {
		payload, err := jobtypes.EncodePair(pair, []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, string(payload))
	}
	standings, err := arena.Run(context.Background(), *o)
	if err != nil {
		t.Fatal(err)
	}
	return payloads, standings.Games
}

// withoutTimes cuts the times out of payloads: they depend on the machine.
func withoutTimes(list []string) (cut []string) {
	for _, text := range list {
		for {
			before, after, ok := strings.Cut(text, `"times_ms":[`)
			if !ok {
				break
			}
			_, after, _ = strings.Cut(after, "]")
			text = before + after
		}
		cut = append(cut, text)
	}
	return cut
}

// chaos plays until the job is complete.
func (f *simulation) chaos(workers int) {
	held := make([][]farm.Lease, workers)
	for w := range workers {
		if err := f.hello(fmt.Sprint("W", w)); err != nil {
			f.t.Fatal(err)
		}
	}
	for {
		if v, err := f.scheduler.Show(f.id); err != nil || v.Status != "open" {
			return
		}
		f.at = f.at.Add(time.Second)
		w := f.random.IntN(workers)
		key := fmt.Sprint("W", w)
		switch f.random.IntN(40) {
		case 0: // the process is killed; another takes its place
			held[w] = nil
			_ = f.hello(key)
		case 1: // it is paused, and everything expires
			f.at = f.at.Add(40 * time.Second)
			f.scheduler.Sweep()
		case 2: // the coordinator is killed
			f.start(5 * time.Second)
			for w := range workers {
				if err := f.hello(fmt.Sprint("W", w), held[w]...); err != nil {
					f.t.Fatal(err)
				}
			}
			f.at = f.at.Add(6 * time.Second)
		default:
			held[w] = f.step(key, held[w])
		}
	}
}

// step takes work or delivers a unit, sometimes twice.
func (f *simulation) step(key string, held []farm.Lease) []farm.Lease {
	_, err := f.scheduler.Take(key, farm.TakeRequest{Instance: "1"})
	if err != nil && f.hello(key) != nil {
		f.t.Fatal(err)
	}
	if len(held) == 0 {
		return f.take(key)
	}
	c := held[0]
	for range 1 + f.random.IntN(2) {
		if err := f.result(key, c, c.Units[0], 0); err != nil && !farm.HasCode(err, farm.CodeInvalid) {
			f.t.Fatal(err)
		}
	}
	if held[0].Units = c.Units[1:]; len(c.Units) == 1 {
		return held[1:]
	}
	return held
}
