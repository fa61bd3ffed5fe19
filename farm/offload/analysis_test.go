package offload_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/farm"
	"quintet/farm/offload"
	"quintet/game"
	"quintet/games"
	"quintet/games/loa"
	"quintet/serve/analysis"
)

// accepted is what a worker of the name W answers first.
func accepted() farm.ThinkAnswer { return farm.ThinkAnswer{State: farm.ThinkAccepted, Text: "W"} }

// result is a result at a depth, whose first line begins with a move.
func result(depth int, moves ...string) farm.ThinkAnswer {
	r := &farm.AnalysisResult{Depth: depth, Nodes: uint64(100 * depth), Time: time.Duration(depth) * time.Millisecond}
	for i, list := range moves {
		r.Lines = append(r.Lines, farm.AnalyzedLine{Score: -i, Depth: depth, Moves: list})
	}
	return farm.ThinkAnswer{State: farm.ThinkResult, Result: r}
}

func done(reason string) farm.ThinkAnswer {
	return farm.ThinkAnswer{State: farm.ThinkDone, Text: reason}
}

// TestAnalysisLost checks when the server gives up a worker that analyzes, and what is left
// then. The times are exact, because they are simulated.
func TestAnalysisLost(t *testing.T) {
	beat, alive := farm.ThinkBeat, farm.ThinkAnswer{State: farm.ThinkAlive}
	for name, test := range map[string]struct {
		worker scripted
		reason analysis.Reason
		says   string // the error; "" for none
		depth  int
		took   time.Duration
	}{
		"mute":   {scripted{}, analysis.Lost, "no worker has answered", 0, offload.BeatTime},
		"busy":   {scripted{answers: []farm.ThinkAnswer{{State: farm.ThinkBusy}}, after: []time.Duration{time.Millisecond}}, analysis.Lost, "no worker is free", 0, 2 * time.Millisecond}, // two workers
		"nobody": {scripted{answers: []farm.ThinkAnswer{{State: farm.ThinkNobody}}, after: []time.Duration{time.Millisecond}}, analysis.Lost, "no worker is free", 0, time.Millisecond},
		"refuses": {
			scripted{answers: []farm.ThinkAnswer{accepted(), {State: farm.ThinkFailed, Text: "another version"}}, after: []time.Duration{0, beat}}, analysis.Lost, `the worker could not analyze the position: "another version"`, 0, beat,
		},
		"killed early": {scripted{answers: []farm.ThinkAnswer{accepted()}, after: []time.Duration{beat}}, analysis.Lost, "sends no heartbeats", 0, beat + offload.BeatTime},
		"killed after results": {
			scripted{answers: []farm.ThinkAnswer{accepted(), result(1, "a2c0"), result(3, "a2c0"), alive}, after: []time.Duration{0, beat, beat, beat}}, analysis.Lost, "sends no heartbeats", 3, 3*beat + offload.BeatTime,
		},
		"finds nothing":   {scripted{answers: []farm.ThinkAnswer{accepted()}, after: []time.Duration{0}, alive: true}, analysis.Lost, "finds nothing", 0, offload.FirstTime},
		"does not end":    {scripted{answers: []farm.ThinkAnswer{accepted(), result(1, "a2c0")}, after: []time.Duration{0, 0}, alive: true}, analysis.Lost, "finds nothing", 1, farm.MaxAnalysisTime + offload.Overtime},
		"ends":            {scripted{answers: []farm.ThinkAnswer{accepted(), result(1, "a2c0"), done("limit")}, after: []time.Duration{0, beat, beat}}, analysis.Limit, "", 1, 2 * beat},
		"ends too early":  {scripted{answers: []farm.ThinkAnswer{accepted(), done("limit")}, after: []time.Duration{0, beat}}, analysis.Lost, "cannot be right", 0, beat},
		"is not accepted": {scripted{answers: []farm.ThinkAnswer{result(1, "a2c0")}, after: []time.Duration{beat}}, analysis.Lost, "cannot be right", 0, beat},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				a := offload.NewAnalysis(game.NewMatch(loa.Game, loa.Start()), analysis.Options{Lines: 1})
				reason, err := offload.Follow(t.Context(), test.worker, a)
				said := ""
				if err != nil {
					said = err.Error()
				}
				if took := time.Since(began); reason != test.reason || took != test.took || !strings.Contains(said, test.says) || (said == "") != (test.says == "") {
					t.Errorf("%q after %v, %v: want %q after %v, %s", reason, took, err, test.reason, test.took, test.says)
				}
				if got, _ := a.Latest(); got.Depth != test.depth {
					t.Errorf("depth %d is left, want %d", got.Depth, test.depth)
				}
				if bound := 2 * time.Second; name != "does not end" && test.took > bound {
					t.Errorf("the server waits for %v: want at most %v", test.took, bound)
				}
			})
		})
	}
}

// TestAnalysisLease checks that the server renews the lease while a worker analyzes, and
// releases it when the caller leaves.
func TestAnalysisLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leases := make(chan farm.AnalysisLease, 100)
		w := scripted{answers: []farm.ThinkAnswer{accepted(), result(1, "a2c0")}, after: []time.Duration{0, 0}, alive: true, leases: leases}
		ctx, cancel := context.WithTimeout(t.Context(), 10*farm.AnalysisRenewal+farm.AnalysisRenewal/2)
		defer cancel()
		a := offload.NewAnalysis(game.NewMatch(loa.Game, loa.Start()), analysis.Options{Lines: 1})
		if reason, err := offload.Follow(ctx, w, a); reason != analysis.Lost || err != nil {
			t.Errorf("%q, %v, want %q", reason, err, analysis.Lost)
		}
		close(leases)
		renewed, released := 0, 0
		for l := range leases {
			if l.ID != "id" || released > 0 {
				t.Errorf("%+v after %d releases", l, released)
			}
			if l.Release {
				released++
			} else {
				renewed++
			}
		}
		if renewed != 10 || released != 1 {
			t.Errorf("%d renewals and %d releases, want 10 and 1", renewed, released)
		}
	})
}

// TestFound checks that a result that no honest worker sends ends its analysis, with the
// reason.
func TestFound(t *testing.T) {
	good := func() farm.ThinkAnswer { return result(4, "a2c0 g0g2", "a1c1") }
	for _, test := range []struct {
		says   string
		change func(r *farm.AnalysisResult)
	}{
		{"", func(*farm.AnalysisResult) {}},
		{"not deeper", func(r *farm.AnalysisResult) { r.Depth, r.Lines[0].Depth, r.Lines[1].Depth = 3, 3, 3 }},
		{"not deeper", func(r *farm.AnalysisResult) { r.Nodes = 299 }},
		{"not deeper", func(r *farm.AnalysisResult) { r.Time = 0 }},
		{"0 lines", func(r *farm.AnalysisResult) { r.Lines = nil }},
		{"3 lines: expected 1 to 2", func(r *farm.AnalysisResult) { r.Lines = append(r.Lines, r.Lines[0]) }},
		{"same move", func(r *farm.AnalysisResult) { r.Lines[1] = r.Lines[0] }},
		{"it is better", func(r *farm.AnalysisResult) { r.Lines[1].Score = 1 }},
		{"depth 5: expected at most 4", func(r *farm.AnalysisResult) { r.Lines[1].Depth = 5 }},
		{"depth 0", func(r *farm.AnalysisResult) { r.Depth = 0 }},
		{"depth 100000", func(r *farm.AnalysisResult) { r.Depth = 100_000 }},
		{"nodes", func(r *farm.AnalysisResult) { r.Nodes = 1 << 60 }},
		{"expected", func(r *farm.AnalysisResult) { r.Time = time.Hour }},
		{"score 1000000000", func(r *farm.AnalysisResult) { r.Lines[0].Score = 1_000_000_000 }},
		{"score -1000000000", func(r *farm.AnalysisResult) { r.Lines[1].Score = -1_000_000_000 }},
		{"depth -1", func(r *farm.AnalysisResult) { r.Lines[0].Depth = -1 }},
		{"line 1: 0 moves", func(r *farm.AnalysisResult) { r.Lines[0].Moves = " " }},
		{"line 1: move 1 of the line", func(r *farm.AnalysisResult) { r.Lines[0].Moves = "a2a3" }},
		{"line 2: move 2 of the line", func(r *farm.AnalysisResult) { r.Lines[1].Moves = "a1c1 a1c1" }},
		{"bytes of moves", func(r *farm.AnalysisResult) { r.Lines[1].Moves += strings.Repeat(" ", 2000) }},
		{"17 moves: expected 1 to 16", func(r *farm.AnalysisResult) { r.Lines[0].Moves = long(17) }},
	} {
		a := offload.NewAnalysis(game.NewMatch(loa.Game, loa.Start()), analysis.Options{Lines: 2})
		for _, before := range []farm.ThinkAnswer{accepted(), result(3, "a2c0")} {
			if reason, err := a.Take(before); reason != "" || err != nil {
				t.Fatal(reason, err)
			}
		}
		answer := good()
		test.change(answer.Result)
		reason, err := a.Take(answer)
		if test.says == "" {
			if got, _ := a.Latest(); reason != "" || err != nil || got.Depth != 4 || len(got.Lines) != 2 || got.Lines[0].PV[1] != "g0g2" {
				t.Errorf("%q, %v, %+v", reason, err, got)
			}
			continue
		}
		if got, _ := a.Latest(); reason != analysis.Lost || err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") || got.Depth != 3 {
			t.Errorf("%q, %v, depth %d: want one line with %q", reason, err, got.Depth, test.says)
		}
	}
}

// long returns a line of legal moves from the start of LOA.
func long(n int) string {
	p := loa.Start()
	var list []string
	for range n {
		m := p.Moves(nil)[0]
		list = append(list, p.Format(m))
		p.Play(m)
	}
	return strings.Join(list, " ")
}

// TestExact checks that a worker cannot call lines proved that are not.
func TestExact(t *testing.T) {
	for score, want := range map[int]analysis.Reason{0: analysis.Lost, 1000: analysis.Lost, 29_990: analysis.Exact} {
		a := offload.NewAnalysis(game.NewMatch(loa.Game, loa.Start()), analysis.Options{Lines: 1})
		found := result(3, "a2c0")
		found.Result.Lines[0].Score = score
		for _, before := range []farm.ThinkAnswer{accepted(), found} {
			if reason, err := a.Take(before); reason != "" || err != nil {
				t.Fatal(reason, err)
			}
		}
		if got, err := a.Take(done("exact")); got != want || (err == nil) != (want == analysis.Exact) {
			t.Errorf("score %d: %q, %v, want %q", score, got, err, want)
		}
	}
}

// FuzzAnalysis checks that whatever a worker answers, the server shows only legal lines that
// get deeper, and never panics.
func FuzzAnalysis(f *testing.F) {
	for i := range games.All() {
		f.Add(uint8(i), uint8(1), []byte(`{"state":"result","result":{"depth":1,"nodes":1,"lines":[{"score":1,"moves":"b1b3 a2c2"}]}}`))
		f.Add(uint8(i), uint8(3), []byte(`{"state":"result","result":{"depth":2,"nodes":3,"time":4,"lines":[{"score":29999,"depth":2,"moves":"d3"},{"score":-29999,"moves":"e6 f4"}]}}`))
		f.Add(uint8(i), uint8(5), []byte(`{"state":"result","result":{"depth":9,"lines":[{"score":30000,"moves":"e2e4 e7e5"}]}} {"state":"done","text":"exact"}`))
	}
	f.Fuzz(func(t *testing.T, which, lines uint8, data []byte) {
		g := games.All()[int(which)%len(games.All())]
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		m := game.NewMatch(g, start)
		a := offload.NewAnalysis(m, analysis.Options{Lines: 1 + int(lines)%analysis.MaxLines, Values: g.Name == "othello" && lines > 100})
		if _, err := a.Take(accepted()); err != nil {
			t.Fatal(err)
		}
		depth := 0
		for in := json.NewDecoder(strings.NewReader(string(data))); ; {
			var answer farm.ThinkAnswer
			if in.Decode(&answer) != nil {
				return
			}
			reason, _ := a.Take(answer)
			got, _ := a.Latest()
			if got.Depth < depth || len(got.Lines) > len(m.Legal()) {
				t.Fatalf("%+v after depth %d", got, depth)
			}
			depth = got.Depth
			for _, l := range got.Lines {
				at := m.Clone()
				for _, text := range l.PV {
					if err := at.PlayText(text); err != nil {
						t.Fatalf("%+v: %v", l, err)
					}
				}
			}
			if reason != "" {
				return
			}
		}
	})
}
