package attack

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"
)

// attackers configures a process of attacking clients: whom to ask for what.
type attackers struct {
	At    string
	Games []string
	N     int
}

// attackersEnv holds the attackers, as JSON, of a process that is one of clients.
const attackersEnv = "QUINTET_ATTACK_CLIENTS"

// startClients starts n clients that ask for the dearest things, in a process of their
// own at the lowest priority: they stand for other machines, and must not take the
// server's cores. stop ends it, and returns how many answers of each status there were.
func (a *target) startClients(n int, ids []string) (stop func() map[int]int) {
	a.t.Helper()
	data, err := json.Marshal(attackers{a.at, ids, n})
	if err != nil {
		a.t.Fatal(err)
	}
	args := []string{os.Args[0], "-test.run=^TestClients$"}
	if nice, err := exec.LookPath("nice"); err == nil {
		args = append([]string{nice, "-n", "19"}, args...)
	}
	c := exec.CommandContext(a.t.Context(), args[0], args[1:]...)
	c.Env = append(os.Environ(), attackersEnv+"="+string(data))
	var out bytes.Buffer
	c.Stdout = &out
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return func() (answers map[int]int) {
		_ = in.Close() // it may have ended
		if err := c.Wait(); err != nil {
			a.t.Fatalf("the clients: %v: %s", err, &out)
		}
		line, _, _ := bytes.Cut(out.Bytes(), []byte("\n"))
		if err := json.Unmarshal(line, &answers); err != nil {
			a.t.Fatalf("the clients say %q: %v", &out, err)
		}
		return answers
	}
}

// TestClients is the process of startClients. It ends when its input does.
func TestClients(t *testing.T) {
	var c attackers
	text := os.Getenv(attackersEnv)
	if text == "" {
		t.Skip("TestDearest starts it")
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is closed
		cancel()
	}()
	a := &target{t: t, at: c.At, client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: c.N}}}
	if err := json.NewEncoder(os.Stdout).Encode(a.clients(ctx, c.N, c.Games)); err != nil {
		t.Fatal(err)
	}
}
