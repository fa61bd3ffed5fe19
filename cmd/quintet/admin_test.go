package main

import (
	"net/http"
	"strings"
	"testing"

	"quintet/live"
)

// TestAdminOfAServer checks that rulings are written through the server that has the
// folder open, and that its refusals are reported.
func TestAdminOfAServer(t *testing.T) {
	at := &logLocation{data: t.TempDir()}
	listener, end, err := listenControl(t.Context(), at.data)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	controlRulings(mux, live.NewMemory())
	server := &http.Server{Handler: mux}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	defer func() { _ = server.Close(); <-done; end() }()
	var out strings.Builder
	for _, r := range []live.Ruling{{Do: live.Hide, Name: "Rude"}, {Do: live.Hide, Name: "rude"}} {
		if err := moderate(t.Context(), &out, at, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := listRulings(t.Context(), &out, at); err != nil {
		t.Fatal(err)
	}
	if want := "name \"Rude\": hidden\nname \"rude\": hidden already\n1970-01-01 00:00:00  name Rude\n"; out.String() != want {
		t.Errorf("it says %q, want %q", out.String(), want)
	}
	if err := moderate(t.Context(), &out, at, live.Ruling{Do: live.Hide, Game: "abcdefgh2345"}); err == nil || !strings.Contains(err.Error(), "there is no game") {
		t.Errorf("a game that is missing: %v", err)
	}
}
