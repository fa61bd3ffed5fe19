package think_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/farm/think"
	"quintet/games"
	"quintet/serve/analysis"
)

// analysisRequest asks for an analysis of the start of a game.
func analysisRequest(t testing.TB, name string) farm.AnalysisRequest {
	t.Helper()
	r := request(t, name)
	return farm.AnalysisRequest{Version: r.Version, Program: r.Program, Game: r.Game, Start: r.Start, Lines: 2}
}

// TestAnalyze checks that the results of all games get deeper, have legal lines, and end when
// the server does not want more.
func TestAnalyze(t *testing.T) {
	enough := errors.New("enough")
	thinker := think.New(program())
	for _, g := range games.All() {
		r := analysisRequest(t, g.Name)
		start, err := g.Read(r.Start)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		depth, nodes := 0, uint64(0)
		_, err = thinker.Analyze(ctx, r, func(found farm.AnalysisResult) {
			if found.Depth <= depth || found.Nodes < nodes || len(found.Lines) != 2 {
				t.Errorf("%s: %+v after depth %d and %d nodes", g.Name, found, depth, nodes)
			}
			for _, l := range found.Lines {
				if moves, err := jobtypes.ReadLine(start, l.Moves); err != nil || len(moves) == 0 {
					t.Errorf("%s: %+v: %v", g.Name, l, err)
				}
			}
			if depth, nodes = found.Depth, found.Nodes; depth >= 3 {
				cancel(enough)
			}
		})
		if !errors.Is(err, enough) || depth < 3 {
			t.Errorf("%s: %v at depth %d", g.Name, err, depth)
		}
		cancel(nil)
	}
}

// TestAnalyzeEnds checks that an analysis that has found everything says so.
func TestAnalyzeEnds(t *testing.T) {
	r := analysisRequest(t, "chess")
	r.Start, r.Lines = "k7/8/1K6/8/8/8/8/7R w", 1
	var last farm.AnalysisResult
	reason, err := think.New(program()).Analyze(t.Context(), r, func(found farm.AnalysisResult) { last = found })
	if err != nil || reason != string(analysis.Exact) || !strings.HasPrefix(last.Lines[0].Moves, "h1h8") {
		t.Errorf("%q, %v, %+v: want mate by h1h8", reason, err, last)
	}
}

// TestAnalyzeErrors checks that requests that no server sends have an error and no result.
func TestAnalyzeErrors(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(r *farm.AnalysisRequest)
	}{
		{"another version", func(r *farm.AnalysisRequest) { r.Version++ }},
		{"another version", func(r *farm.AnalysisRequest) { r.Program.Fingerprint++ }},
		{"0 lines: expected 1 to 5", func(r *farm.AnalysisRequest) { r.Lines = 0 }},
		{"6 lines: expected 1 to 5", func(r *farm.AnalysisRequest) { r.Lines = 6 }},
		{`game "go"`, func(r *farm.AnalysisRequest) { r.Game = "go" }},
		{"start: ", func(r *farm.AnalysisRequest) { r.Start = "9/9" }},
		{"move 1: ", func(r *farm.AnalysisRequest) { r.Moves = "zz" }},
		{"the game is over", func(r *farm.AnalysisRequest) { r.Start = "8/8/8/3BB3/8/8/8/W6W W" }},
	} {
		r := analysisRequest(t, "loa")
		test.change(&r)
		found := 0
		_, err := think.New(program()).Analyze(t.Context(), r, func(farm.AnalysisResult) { found++ })
		if err == nil || found > 0 || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d results, %v: want one line with %q", found, err, test.want)
		}
	}
}

// TestAnswerSize checks that the largest results fit into an answer: the values of all moves
// on the largest board of Othello.
func TestAnswerSize(t *testing.T) {
	r := analysisRequest(t, "othello")
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(map[string]string{"size": "26"})
	if err != nil {
		t.Fatal(err)
	}
	for range 80 { // more moves are legal later
		start.Play(start.Moves(nil)[0])
	}
	r.Start, r.Values = start.String(), true
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	largest, legal := 0, len(start.Moves(nil))
	_, _ = think.New(program()).Analyze(ctx, r, func(found farm.AnalysisResult) {
		body, err := json.Marshal(farm.ThinkAnswer{State: farm.ThinkResult, Result: &found})
		if err != nil || len(found.Lines) != legal {
			t.Errorf("%d lines, %v, want %d", len(found.Lines), err, legal)
		}
		largest = max(largest, len(body))
		cancel()
	})
	const longestLine = 5 * analysis.MaxPV // bytes of moves
	if most := largest + legal*longestLine; largest == 0 || most > farm.MaxThinkAnswer {
		t.Errorf("%d bytes for %d lines: want at most %d with long lines", largest, legal, farm.MaxThinkAnswer)
	}
}

// FuzzAnalyze checks that no request panics.
func FuzzAnalyze(f *testing.F) {
	for _, g := range games.All() {
		text, err := json.Marshal(analysisRequest(f, g.Name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	thinker := think.New(program())
	f.Fuzz(func(t *testing.T, data []byte) {
		var r farm.AnalysisRequest
		if len(data) > 4096 || json.Unmarshal(data, &r) != nil {
			return
		}
		r.Version, r.Program = farm.Version, program()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if _, err := thinker.Analyze(ctx, r, func(farm.AnalysisResult) { cancel() }); err != nil && strings.Contains(err.Error(), "panic") {
			t.Error(err)
		}
	})
}
