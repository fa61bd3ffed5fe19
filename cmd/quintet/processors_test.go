package main

import (
	"io"
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"quintet/serve"
)

// TestProcessors checks that a server lets Go run one more thread for each that reviews
// games, unless GOMAXPROCS says how many.
func TestProcessors(t *testing.T) {
	own := runtime.GOMAXPROCS(0)
	runtime.SetDefaultGOMAXPROCS()
	byDefault := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(own)
	for set, want := range map[string]int{"": byDefault + serve.AnalysisWorkers, "5": 5} {
		t.Setenv("GOMAXPROCS", set)
		if got := processors(t); got != want {
			t.Errorf("GOMAXPROCS=%s: %d, want %d", set, got, want)
		}
	}
}

// processors starts a server and returns its GOMAXPROCS.
func processors(t *testing.T) int {
	t.Helper()
	s := serveKillable(t, t.TempDir())
	defer s.kill()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^go_sched_gomaxprocs_threads (\d+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("the metrics have no GOMAXPROCS: %.2000s", text)
	}
	n, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
