package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// TestReviewOfServer opens a review that a server computes, by the address of its page.
func TestReviewOfServer(t *testing.T) {
	s, err := serve.New(context.Background(), live.NewMemory(), serve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	h := httptest.NewServer(s.Handler())
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		h.Close()
	}()
	k := killable{t: t, url: h.URL}
	await.Until(t, "a server that takes reviews", func() bool { return startedUp(t, h.URL) })
	made := k.ask(http.MethodPost, "/api/reviews", "", `{"game":"othello","moves":["e3","f3","f4"]}`)
	id, _ := made["id"].(string)
	awaitReview(t, h.URL+"/api/reviews/"+id+"/events")
	for _, at := range []string{made["url"].(string), h.URL + "/review/" + id + "#2", h.URL + "/api/reviews/" + id + "/events"} {
		r, err := findReview(t.Context(), at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Game.Name != "othello" || len(r.Moves) != 3 || !r.Done() {
			t.Errorf("%s: %+v", at, r)
		}
	}
	_, err = findReview(t.Context(), h.URL+"/review/22222222222222222222", nil)
	if err == nil || !strings.Contains(err.Error(), `404 Not Found: "there is no such review`) {
		t.Errorf("a missing review: %v", err)
	}
}

// startedUp reports whether a server knows its live games: before that it refuses reviews.
func startedUp(t *testing.T, url string) bool {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/api/reviews", strings.NewReader(`{"game":"othello","moves":["e3"]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	_ = got.Body.Close()
	return got.StatusCode != http.StatusServiceUnavailable
}

// awaitReview reads the events of a review to their end.
func awaitReview(t *testing.T, url string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	if _, err := io.Copy(io.Discard, got.Body); err != nil {
		t.Fatal(err)
	}
}
