package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// servedForTournaments starts a server, and sets the environment to it and to a token of a new account.
func servedForTournaments(t *testing.T) apiClient {
	t.Helper()
	s, err := serve.New(context.Background(), live.NewMemory(), serve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		h.Close()
	})
	await.Until(t, "a server that has started", func() bool { return startedUp(t, h.URL) })
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar}
	post := func(path, body string) (answer struct{ Token string }) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = got.Body.Close() }()
		if err := json.NewDecoder(got.Body).Decode(&answer); err != nil || got.StatusCode/100 != 2 {
			t.Fatalf("%s: %d, %v", path, got.StatusCode, err)
		}
		return answer
	}
	post("/api/accounts", `{"name":"Olga","password":"correct horse"}`)
	a := apiClient{h.URL, post("/api/account/tokens", `{"label":"test","scopes":["play","account"]}`).Token}
	t.Setenv(serverVariable, a.base)
	t.Setenv(tokenVariable, a.token)
	return a
}

// ranTournament runs a command and returns what it prints.
func ranTournament(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if got := execute(t.Context(), append([]string{"tournament"}, args...), strings.NewReader(""), &out, &errs); got != want {
		t.Fatalf("%q: status %d, want %d: %s%s", args, got, want, &out, &errs)
	}
	return out.String() + errs.String()
}

// TestTournamentCommand makes a tournament, plays it against a level by its commands, and exports the standings.
func TestTournamentCommand(t *testing.T) {
	a := servedForTournaments(t)
	id, page, _ := strings.Cut(strings.TrimSpace(ranTournament(t, 0, "make", "Evening", "--form", "robin", "--game", "othello size=4", "--pause", "0", "--code", "abc")), " ")
	if !strings.HasSuffix(page, "/tournament/"+id) {
		t.Fatalf("made %q at %q", id, page)
	}
	if got := ranTournament(t, 0, "list"); !strings.Contains(got, id) || !strings.Contains(got, "Evening") {
		t.Errorf("the list is %s", got)
	}
	ranTournament(t, 0, "join", page)
	if err := a.ask(t.Context(), http.MethodPost, "/api/tournaments/"+id+"/levels", map[string]int{"level": 1}, new(tournamentView)); err != nil {
		t.Fatal(err)
	}
	ranTournament(t, 0, "start", id)
	from, to := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- execute(t.Context(), []string{"tournament", "watch", id}, strings.NewReader(""), to, io.Discard)
		_ = to.Close()
	}()
	var last string
	for lines := bufio.NewScanner(from); lines.Scan(); {
		last += lines.Text() + "\n"
		if _, at, ok := strings.Cut(lines.Text(), "side: "+a.base+"/g/"); ok {
			if err := a.ask(t.Context(), http.MethodPost, "/api/games/"+at+"/resign", nil, &struct{}{}); err != nil {
				t.Error(err)
			}
		}
	}
	if got := <-done; got != 0 || !strings.Contains(last, "0/0/1     Olga") {
		t.Errorf("watching: status %d, %s", got, last)
	}
	file := filepath.Join(t.TempDir(), "standings.csv")
	ranTournament(t, 0, "export", id, "standings.csv", "--out", file)
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "Olga") {
		t.Errorf("the standings are %s, %v", data, err)
	}
	if got := ranTournament(t, 0, "show", id, "--json"); !strings.Contains(got, `"phase": "over"`) {
		t.Errorf("at the end: %s", got)
	}
}

// TestTournamentMistakes checks what the commands say of mistakes.
func TestTournamentMistakes(t *testing.T) {
	servedForTournaments(t)
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, `--server "nowhere"`, []string{"list", "--server", "nowhere"}},
		{1, "there is no such tournament", []string{"show", "abc"}},
		{1, `give options as NAME=VALUE`, []string{"make", "x", "--game", "othello 6"}},
		{1, "the server rejected", []string{"make", "x", "--form", "arena", "--minutes", "999"}},
		{1, "there is no such tournament", []string{"export", "abc", "standings.csv"}},
	} {
		if got := ranTournament(t, c.status, c.args...); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
	t.Setenv(tokenVariable, "")
	if got := ranTournament(t, 1, "join", "abc"); !strings.Contains(got, "$QUINTET_TOKEN") {
		t.Errorf("joining without a token: %s", got)
	}
}
