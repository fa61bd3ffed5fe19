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
	"quintet/tui/remote"
)

// servedForTournaments starts a server, and sets the environment to it and to a token of a new account. So does signUp
// for another account.
func servedForTournaments(t *testing.T) (a remote.Client, signUp func(name string) remote.Client) {
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
	var browser http.Client
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
	signUp = func(name string) remote.Client {
		t.Helper()
		browser.Jar, _ = cookiejar.New(nil) // a browser of its own
		post("/api/accounts", `{"name":"`+name+`","password":"correct horse"}`)
		a := remote.Client{Base: h.URL, Token: post("/api/account/tokens", `{"label":"test","scopes":["play","account"]}`).Token}
		t.Setenv(serverVariable, a.Base)
		t.Setenv(tokenVariable, a.Token)
		return a
	}
	return signUp("Olga"), signUp
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
	a, _ := servedForTournaments(t)
	id, page, _ := strings.Cut(strings.TrimSpace(ranTournament(t, 0, "make", "Evening", "--form", "robin", "--game", "othello size=4", "--pause", "0", "--code", "abc", "--series", "Fridays")), " ")
	if !strings.HasSuffix(page, "/tournament/"+id) {
		t.Fatalf("made %q at %q", id, page)
	}
	if got := ranTournament(t, 0, "list"); !strings.Contains(got, id) || !strings.Contains(got, "Evening") {
		t.Errorf("the list is %s", got)
	}
	ranTournament(t, 0, "join", page)
	if err := a.Ask(t.Context(), http.MethodPost, "/api/tournaments/"+id+"/levels", map[string]int{"level": 1}, new(remote.Tournament)); err != nil {
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
		if _, at, ok := strings.Cut(lines.Text(), "side: "+a.Base+"/g/"); ok {
			if err := a.Ask(t.Context(), http.MethodPost, "/api/games/"+at+"/resign", nil, &struct{}{}); err != nil {
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
	await.Until(t, "the table of the series", func() bool { // a moment after the last event
		got := ranTournament(t, 0, "series", id)
		return strings.HasPrefix(got, "Fridays, tournaments: 1\n") && strings.Contains(got, "1       1      1    1    1 level:1\n") && strings.Contains(got, " Olga\n")
	})
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
		{1, "tournament play needs a terminal", []string{"play", "abc"}},
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

// TestTournamentTerminals plays a round of a tournament in two terminals, by keyboard: both join, their game opens by
// itself, they move, one withdraws in the end, and both see the standings.
func TestTournamentTerminals(t *testing.T) {
	a, signUp := servedForTournaments(t)
	id, _, _ := strings.Cut(ranTournament(t, 0, "make", "Evening", "--form", "robin", "--game", "othello size=4", "--pause", "0", "--code", "abc"), " ")
	olga := openPTY(t, t.TempDir(), 80, 24, "tournament", "play", id)
	olga.sees("You are not playing")
	signUp("Piet")
	piet := openPTY(t, t.TempDir(), 120, 40, "tournament", "play", id)
	piet.sees("You are not playing")
	olga.press("Jabc\r")
	piet.press("Jabc\r")
	olga.sees("Players waiting: 2")
	if err := a.Ask(t.Context(), http.MethodPost, "/api/tournaments/"+id+"/start", nil, new(remote.Tournament)); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*terminal{olga, piet} {
		p.sees("ply 0")
	}
	first, second := olga, piet
	first.await("whose turn it is", func() bool {
		if strings.Contains(piet.screen.String(), "Your turn") {
			first, second = piet, olga
		}
		return strings.Contains(first.screen.String(), "Your turn")
	})
	first.press(":c1\r")
	second.sees("ply 1")
	second.sees("Your turn")
	first.sees("White to move")
	second.press("Ry")
	for _, p := range []*terminal{olga, piet} {
		p.sees("Black wins by resignation")
		p.sees("The tournament is over")
		p.press("q")
		p.sees("Points")
	}
	if got := ranTournament(t, 0, "show", id); !strings.Contains(got, "1/0/0") || !strings.Contains(got, "0/0/1") {
		t.Errorf("the standings are %s", got)
	}
}
