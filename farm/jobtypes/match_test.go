package jobtypes_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/game"
)

func kinds() farm.Kinds { return jobtypes.All(maker, nil) }

// spec is a job: a match of Othello on a small board.
func spec(games int, sprt *arena.SPRT) *farm.Spec {
	s, err := farm.NewSpec(farm.Program{Fingerprint: 1, Arch: "amd64"}, jobtypes.MatchName, settings(games, sprt))
	if err != nil {
		panic(err)
	}
	return s
}

func settings(games int, sprt *arena.SPRT) *jobtypes.MatchSettings {
	return &jobtypes.MatchSettings{
		Header: arena.Header{
			Game: "othello", Start: "4/1XO1/1OX1/4 X", Format: arena.RoundRobin, Seed: 5, Threads: 1, SPRT: sprt,
			Players:  []arena.HeaderPlayer{{Name: "a", Player: "mcts", Limit: "nodes=20"}, {Name: "b", Player: "random", Limit: "nodes=20"}},
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

// played plays all pairs of a job, and returns their payloads.
func played(t testing.TB, s *farm.Spec) (payloads [][]byte) {
	t.Helper()
	o, err := settingsOf(t, s).Options(maker, nil)
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
		payload, err := jobtypes.EncodePair(games, []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	return payloads
}

// TestLedger adds results in any order, some twice and some by workers whose results
// are voided, and expects the standings of the local arena.
func TestLedger(t *testing.T) {
	for _, sprt := range []*arena.SPRT{nil, {Elo0: 0, Elo1: 60}} {
		s := spec(80, sprt)
		o, err := settingsOf(t, s).Options(maker, nil)
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
		task, err := kinds().Task(s)
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
	got := l.Fold().(*jobtypes.MatchFold).Standings()
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

// TestCheck checks that results that no honest worker sends are rejected.
func TestMatchCheck(t *testing.T) {
	s := spec(4, nil)
	task, err := kinds().Task(s)
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

// TestSpecErrors checks that each mistake has one clear error, and that only equal jobs
// have equal identifiers.
func TestSpecErrors(t *testing.T) {
	for want, change := range map[string]func(s *farm.Spec, m *jobtypes.MatchSettings){
		"":             func(*farm.Spec, *jobtypes.MatchSettings) {},
		"version 2":    func(s *farm.Spec, _ *jobtypes.MatchSettings) { s.Version = 2 },
		"kind":         func(s *farm.Spec, _ *jobtypes.MatchSettings) { s.Kind = "mine" },
		"players":      func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Players = nil },
		"threads":      func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Threads = 1 << 30 },
		"another prog": func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Players[0].Player = "ugi:rm -rf /" },
		"or has a file": func(_ *farm.Spec, m *jobtypes.MatchSettings) {
			m.Header.Players[0].Player = "engine[OrderDepth=1,book=/dev/zero]"
		},
		"a file":     func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Players[0].Player = "engine[book=/dev/zero]" },
		"are called": func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Players[0].Name = "b" },
		"text":       func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Players[0].Name = "a\x1b[2J" },
		`game "go"`:  func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Game = "go" },
		"start":      func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Start = "x" },
		"limit":      func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Players[1].Limit = "soon" },
		"openings":   func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Openings = "file:/etc/passwd" },
		"pairs":      func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Games = 1 << 62 },
		"games":      func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Games = 0 },
		"format":     func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Format = "swiss" },
		"max-plies":  func(_ *farm.Spec, m *jobtypes.MatchSettings) { m.Header.Adjudicate.MaxPlies = 1 << 40 },
	} {
		err := submitted(t, change)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	for want, text := range map[string]string{
		"no match":                `{"version":1,"kind":"match","program":{}}`,
		"unknown member":          `{"version":1,"kind":"match","match":{},"surprise":1}`,
		"give one printable word": `{"version":1,"kind":"","":{}}`,
		"expected a job as":       `[]`,
		"at most":                 strings.Repeat(" ", farm.MaxSpecBytes+1),
	} {
		if _, err := farm.DecodeSpec([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want an error with %q", text, err, want)
		}
	}
}

// submitted changes a job, and returns the error that a coordinator gives for it.
func submitted(t *testing.T, change func(*farm.Spec, *jobtypes.MatchSettings)) error {
	t.Helper()
	m := settings(4, nil)
	changed := farm.Spec{Version: farm.SpecVersion, Kind: jobtypes.MatchName}
	change(&changed, m)
	s, err := farm.NewSpec(farm.Program{}, jobtypes.MatchName, m)
	if err != nil {
		t.Fatal(err)
	}
	s.Version, s.Kind = changed.Version, changed.Kind
	text, _, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if s, err = farm.DecodeSpec(text); err != nil {
		return err
	}
	_, err = kinds().Task(s)
	return err
}

// FuzzCheck checks that no payload crashes the check.
func FuzzCheck(f *testing.F) {
	s := spec(4, nil)
	task, err := kinds().Task(s)
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
