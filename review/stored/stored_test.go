package stored_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/review"
	"quintet/review/stored"
)

// three is the review of a game of three plies, two of which are assessed.
const three = `{"id":"x","state":"running","game":"othello","options":{"size":"8"},"position":"",
"moves":["e3","F3","f4"],"plies":[
{"ply":2,"side":"second","move":"f3","score":-40,"best_score":50,"best":"d3","pv":["d3","c4","z9"],"loss":0.12,"judgement":"?","why":"loses 1 disc"},
{"ply":3,"side":"first","move":"f4","score":30,"best_score":30,"best":"f4","pv":[],"loss":0,"judgement":""}],
"accuracy":{"first":90,"second":100}}`

// TestRead reads a review with everything that the terminal shows.
func TestRead(t *testing.T) {
	r, err := stored.Read(strings.NewReader(three))
	if err != nil {
		t.Fatal(err)
	}
	at := r.Start.Clone()
	var texts []string
	for _, m := range r.Moves {
		texts = append(texts, at.Format(m))
		at.Play(m)
	}
	if r.Game.Name != "othello" || r.Setup["size"] != "8" || !slices.Equal(texts, []string{"e3", "f3", "f4"}) || r.Done() {
		t.Errorf("%s %v %v, done: %v", r.Game.Name, r.Setup, texts, r.Done())
	}
	first := r.Plies[0]
	if line := first.Line; len(line) != 2 || r.Start.Format(line[0]) != "d3" || line[0] != first.Best {
		t.Errorf("the line %v of %v", line, first.Best)
	}
	first.Line, first.Best = nil, 0
	want := review.Move{Side: game.Second, Played: r.Moves[1], Value: 50, After: -40, Loss: 90, ExpectedLoss: 0.12, Mark: review.Mistake, Why: "loses 1 disc"}
	if d := cmp.Diff(want, first); d != "" {
		t.Error(d)
	}
	if got, want := review.Scores(r.Plies), []int{-50, 40, 30}; !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
}

// TestReadRejects lists texts that are no reviews, and one change for each mistake in a review.
func TestReadRejects(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{three, `[Event "?"]`, "expected the JSON of GET"},
		{three, `{"game":"othello","moves":["e3"]}`, "no plies: expected the JSON of GET"},
		{`"othello"`, `"go"`, `"go"`},
		{`"size":"8"`, `"size":"7"`, "size"},
		{`"position":""`, `"position":"nonsense"`, "nonsense"},
		{`"position":""`, `"position":"6/6/2XO2/2OX2/6/6 X"`, "size"},
		{`"e3","F3","f4"`, "", "no moves"},
		{`"e3","F3","f4"`, `"e3","a1","f4"`, "ply 2"},
		{`"e3","F3","f4"`, `"e3"`, "2 plies: expected at most 1"},
		{`"e3","F3","f4"`, strings.TrimSuffix(strings.Repeat(`"e3",`, 2001), ","), "2001 moves: expected at most 2000"},
		{`"ply":2`, `"ply":1`, "ply 2: an assessment of ply 1"},
		{`"move":"f3"`, `"move":"f4"`, `ply 2: an assessment of ply 2, "f4": expected one of f3`},
		{`"best":"d3"`, `"best":"a1"`, "ply 2: the best move: "},
		{`"score":-40`, `"score":-30001`, "scores -30001 and 50"},
		{`"best_score":50`, `"best_score":1000000000`, "scores -40 and 1000000000"},
		{`"loss":0.12`, `"loss":1.5`, "a loss of 1.5: expected 0 to 1"},
		{`"loss":0.12`, `"loss":-1`, "a loss of -1"},
		{`loses 1 disc`, `\u001b[2J`, `the reason "\x1b[2J"`},
		{`loses 1 disc`, strings.Repeat("x", 101), "at most 100"},
		{`"judgement":"?"`, `"judgement":"\u001b[2J"`, "judgement \"\\x1b[2J\""},
	} {
		text := strings.Replace(three, c.from, c.to, 1)
		if _, err := stored.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%s: %v, want %s", c.to[:min(len(c.to), 40)], err, c.want)
		}
	}
	if _, err := stored.Read(strings.NewReader(`{"game":"go","plies":[]}`)); errors.Is(err, stored.ErrOther) {
		t.Errorf("a review with a mistake is no review at all: %v", err)
	}
	if _, err := stored.Read(bytes.NewReader(make([]byte, stored.MaxBytes+1))); err == nil || !strings.Contains(err.Error(), "at most 8 MB") {
		t.Errorf("a large review: %v", err)
	}
}

// TestOpen reads a file.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "review.json")
	if err := os.WriteFile(path, []byte(three), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := stored.Open(path); err != nil || len(r.Plies) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := stored.Open(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// FuzzRead reads any text: it must not panic, and what it accepts fits together.
func FuzzRead(f *testing.F) {
	f.Add([]byte(three))
	f.Add([]byte(`{"game":"chess","moves":["e2e4"],"plies":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := stored.Read(bytes.NewReader(data))
		if err == nil && (len(r.Moves) == 0 || len(r.Plies) > len(r.Moves)) {
			t.Errorf("%+v", r)
		}
	})
}
