package farm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/farmtest"
	"quintet/game"
)

func TestMemory(t *testing.T) {
	farmtest.TestStore(t,
		func(*testing.T) farm.Store { return farm.NewMemory() },
		func(_ *testing.T, s farm.Store) farm.Store { return s })
}

// spec is a job: a match of Othello on a small board.
func spec(games int, sprt *arena.SPRT) *farm.Spec {
	return &farm.Spec{
		Version: farm.SpecVersion, Kind: farm.KindMatch, Program: farm.Program{Fingerprint: 1, Arch: "amd64"},
		Match: &farm.Match{
			Header: arena.Header{
				Game: "othello", Start: "4/1XO1/1OX1/4 X", Format: arena.RoundRobin, Seed: 5, Threads: 1, SPRT: sprt,
				Players:  []arena.HeaderPlayer{{Name: "a", Player: "mcts", Limit: "nodes=20"}, {Name: "b", Player: "random", Limit: "nodes=20"}},
				Openings: "random:2",
			},
			Games: games, Openings: "random:2",
		},
	}
}

func maker(player string, g game.Game, threads int) (engine.Player, error) {
	return bots.NewPlayer(player, g, bots.Options{Threads: threads})
}

// played plays all pairs of a job, and returns their payloads.
func played(t testing.TB, s *farm.Spec) (payloads [][]byte) {
	t.Helper()
	o, err := s.Match.Options(maker, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := arena.NewPairPlayer(o)
	if err != nil {
		t.Fatal(err)
	}
	for pair := range o.Pairs() {
		games, err := p.Play(context.Background(), pair)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := farm.EncodePair(games, []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	return payloads
}

// TestLedger adds results in any order, some twice and some by workers whose results
// are voided, and wants the standings of the local arena.
func TestLedger(t *testing.T) {
	for _, sprt := range []*arena.SPRT{nil, {Elo0: 0, Elo1: 60}} {
		s := spec(80, sprt)
		o, err := s.Match.Options(maker, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := arena.Run(context.Background(), *o)
		if err != nil {
			t.Fatal(err)
		}
		if sprt != nil && want.Games == want.Planned {
			t.Fatal("the test has not decided: want a stop in the middle")
		}
		task, err := farm.NewTask(s)
		if err != nil {
			t.Fatal(err)
		}
		var digests []farm.Digest
		for unit, payload := range played(t, s) {
			d, err := task.Check(unit, payload)
			if err != nil {
				t.Fatal(err)
			}
			digests = append(digests, d)
		}
		rapid.Check(t, func(t *rapid.T) { checkLedger(t, task, digests, want) })
	}
}

func checkLedger(t *rapid.T, task farm.Task, digests []farm.Digest, want arena.Standings) {
	l := farm.NewLedger(task)
	liar := digests[0]
	for _, unit := range rapid.SliceOfN(rapid.IntRange(-1, len(digests)), 0, 60).Draw(t, "lies") {
		had := l.Has(unit)
		if l.Add(unit, 1, liar) == (had || unit < 0 || unit >= len(digests)) {
			t.Fatalf("unit %d: added wrongly", unit)
		}
	}
	for _, unit := range rapid.Permutation(ascending(len(digests))).Draw(t, "order") {
		l.Add(unit, 0, digests[unit])
	}
	for _, unit := range l.Void(1) {
		if l.Has(unit) {
			t.Fatalf("unit %d still has a result", unit)
		}
		l.Add(unit, 2, digests[unit])
	}
	if l.Count() != len(digests) || !l.Complete() || l.Prefix() != want.Games/2 {
		t.Fatalf("%d results, prefix %d, complete %v: want prefix %d", l.Count(), l.Prefix(), l.Complete(), want.Games/2)
	}
	got := l.Fold().(*farm.MatchFold).Standings()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func ascending(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// TestCheck wants results to be refused that no honest worker sends.
func TestCheck(t *testing.T) {
	s := spec(4, nil)
	task, err := farm.NewTask(s)
	if err != nil {
		t.Fatal(err)
	}
	good := played(t, s)
	for name, payload := range map[string]string{
		"of another unit": string(good[1]),
		"nothing":         "",
		"one game":        strings.SplitN(string(good[0]), "\n", 2)[0],
		"a wrong result":  strings.NewReplacer(`"first wins"`, `"second wins"`, `"second wins"`, `"first wins"`).Replace(string(good[0])),
		"too long":        string(good[0]) + strings.Repeat(" ", farm.MaxPayloadBytes),
		"another opening": strings.Replace(string(good[0]), `"opening":"`, `"opening":"a1 `, 1),
	} {
		if _, err := task.Check(0, []byte(payload)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSpecErrors wants one clear error for each mistake, and equal identifiers for
// equal jobs alone.
func TestSpecErrors(t *testing.T) {
	for want, change := range map[string]func(s *farm.Spec){
		"":             func(*farm.Spec) {},
		"version 2":    func(s *farm.Spec) { s.Version = 2 },
		"kind":         func(s *farm.Spec) { s.Kind = "mine" },
		"no match":     func(s *farm.Spec) { s.Match = nil },
		"players":      func(s *farm.Spec) { s.Match.Header.Players = nil },
		"threads":      func(s *farm.Spec) { s.Match.Header.Threads = 1 << 30 },
		"another prog": func(s *farm.Spec) { s.Match.Header.Players[0].Player = "ugi:rm -rf /" },
		"are called":   func(s *farm.Spec) { s.Match.Header.Players[0].Name = "b" },
		"text":         func(s *farm.Spec) { s.Match.Header.Players[0].Name = "a\x1b[2J" },
		`game "go"`:    func(s *farm.Spec) { s.Match.Header.Game = "go" },
		"start":        func(s *farm.Spec) { s.Match.Header.Start = "x" },
		"limit":        func(s *farm.Spec) { s.Match.Header.Players[1].Limit = "soon" },
		"openings":     func(s *farm.Spec) { s.Match.Openings = "file:/etc/passwd" },
		"pairs":        func(s *farm.Spec) { s.Match.Games = 1 << 62 },
		"games":        func(s *farm.Spec) { s.Match.Games = 0 },
		"format":       func(s *farm.Spec) { s.Match.Header.Format = "swiss" },
		"max-plies":    func(s *farm.Spec) { s.Match.Header.Adjudicate.MaxPlies = 1 << 40 },
	} {
		s := spec(4, nil)
		change(s)
		text, _, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = farm.DecodeSpec(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	if _, err := farm.DecodeSpec([]byte(`{"version":1,"surprise":1}`)); err == nil {
		t.Error("an unknown field: no error")
	}
}

// FuzzCheck wants no payload to crash the check.
func FuzzCheck(f *testing.F) {
	s := spec(4, nil)
	task, err := farm.NewTask(s)
	if err != nil {
		f.Fatal(err)
	}
	for _, payload := range played(f, s) {
		f.Add(payload)
	}
	f.Fuzz(func(_ *testing.T, payload []byte) {
		d, err := task.Check(0, payload)
		if err == nil {
			task.Fold().Add(0, d)
		}
	})
}

// TestBuild wants different programs to be told apart.
func TestBuild(t *testing.T) {
	b := farm.Build{Program: farm.Program{Fingerprint: 1, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
	for want, change := range map[string]func(b *farm.Build){
		"":            func(b *farm.Build) { b.OS, b.SHA256 = "darwin", "bb" },
		"SHA-256":     func(b *farm.Build) { b.SHA256 = "bb" },
		"fingerprint": func(b *farm.Build) { b.Fingerprint++ },
		"arm64":       func(b *farm.Build) { b.Arch = "arm64" },
	} {
		other := b
		change(&other)
		err := b.Compatible(other)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			text, _ := json.Marshal(other)
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}
