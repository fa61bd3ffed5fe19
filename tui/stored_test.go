package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/review/stored"
)

// reviewText is a review of which one ply of two is assessed.
const reviewText = `{"game":"othello","options":{"size":"8"},"moves":["e3","f3"],"plies":[
{"ply":2,"side":"second","move":"f3","score":-40,"best_score":50,"best":"d3","pv":["d3"],"loss":0.12,"judgement":"?"}]}`

// TestStoredReview opens a review from a file and from an address.
func TestStoredReview(t *testing.T) {
	path := filepath.Join(t.TempDir(), "review.json")
	if err := os.WriteFile(path, []byte(reviewText), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{path, "http://example.org/review/x"} {
		h := newHarness(t, 100, 30)
		h.app.shared.env.Review = func(_ context.Context, url string) (*stored.Review, error) {
			if url != source {
				return nil, errors.New("another address: " + url)
			}
			return stored.Read(strings.NewReader(reviewText))
		}
		h.press("s", "o", source, "enter")
		h.until("the review", func() bool { _, ok := h.app.shared.top().(*study); return ok })
		for _, want := range []string{"ply 0 of 2", "1... f3? lost 12 %, best d3", "Black ahead", "1.e3  f3?", "it has 1 of 2 moves"} {
			if s := h.screen(); !strings.Contains(s, want) {
				t.Errorf("%s: the screen lacks %q:\n%s", source, want, s)
			}
		}
		if h.press("W"); !strings.Contains(h.screen(), "ply 2 of 2") {
			t.Errorf("W does not go to the worst move:\n%s", h.screen())
		}
	}
}

// TestStoredReviewFails shows why a review cannot be opened, from a file and from an address.
func TestStoredReviewFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "review.json")
	if err := os.WriteFile(path, []byte(strings.Replace(reviewText, `"f3"]`, `"a1"]`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHarness(t, 100, 30)
	h.app.shared.env.Review = func(context.Context, string) (*stored.Review, error) {
		return nil, errors.New("the server answers 404")
	}
	h.press("s", "o", path, "enter")
	if s := h.screen(); !strings.Contains(s, "reading a review: ply 2") {
		t.Errorf("the file's error is missing:\n%s", s)
	}
	h.press("esc", "o", "https://example.org/review/x", "enter")
	h.until("the error", func() bool { return strings.Contains(h.screen(), "the server answers 404") })
}
