package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
	"quintet/serve"
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
	l := live.NewMemory()
	controlRulings(mux, l, func(ctx context.Context, what serve.Erasing) (serve.Erased, error) {
		done, err := serve.Erase(ctx, l, what, time.UnixMilli(0))
		done.Kept = what.Name != "" // as after many events
		return done, err
	})
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
	if _, err := l.Append(t.Context(), "study-abcdefgh2345", 0, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	for _, what := range []serve.Erasing{{Stream: "study-abcdefgh2345"}, {Stream: "study-abcdefgh2345"}, {Name: "Rude"}} {
		if err := erase(t.Context(), &out, at, what); err != nil {
			t.Fatal(err)
		}
	}
	if err := listRulings(t.Context(), &out, at); err != nil {
		t.Fatal(err)
	}
	want := "study abcdefgh2345: 1 events erased\nstudy abcdefgh2345: already erased\nname \"Rude\": erased in 0 games\n" + keptText + "\n1970-01-01 00:00:00  study abcdefgh2345 (erased)\n"
	if out.String() != want {
		t.Errorf("it says %q, want %q", out.String(), want)
	}
	if err := erase(t.Context(), &out, at, serve.Erasing{Stream: "abcdefgh2345"}); err == nil || !strings.Contains(err.Error(), "there is no game") {
		t.Errorf("a game that is missing: %v", err)
	}
}

// TestEraseFolder erases a game of many events while no server runs. It checks that the bytes leave the log
// and the list, and that the command asks first.
func TestEraseFolder(t *testing.T) {
	data := t.TempDir()
	l, err := jet.Open(t.Context(), filepath.Join(data, "log"), nil)
	for after := uint64(0); err == nil && after < 500; {
		after, err = l.Append(t.Context(), "abcdefgh2345", after, []byte(`{"text":"Rude"}`))
	}
	if err == nil {
		err = l.Close()
	}
	for _, name := range []string{"list.sqlite", "list.sqlite-wal", "other"} {
		if err == nil {
			err = os.WriteFile(filepath.Join(data, name), nil, 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, int) {
		var out strings.Builder
		status := execute(t.Context(), append([]string{"admin", "erase", "game", "abcdefgh2345", "--data", data}, args...), strings.NewReader("yes\n"), &out, &out)
		return out.String(), status
	}
	if out, status := run(); status != 2 || !strings.Contains(out, "--yes") {
		t.Errorf("status %d, %q, want it to ask for --yes", status, out)
	}
	if out, status := run("--yes"); status != 0 || out != "game abcdefgh2345: 500 events erased\n" {
		t.Errorf("status %d, %q", status, out)
	}
	entries, err := os.ReadDir(data)
	if err != nil || len(entries) != 2 || entries[0].Name() != "log" || entries[1].Name() != "other" {
		t.Errorf("the folder has %v, %v, want log and other", entries, err)
	}
	if at := await.FilesWith(t, data, "Rude"); at != nil {
		t.Errorf("%v have a text of the game", at)
	}
}
