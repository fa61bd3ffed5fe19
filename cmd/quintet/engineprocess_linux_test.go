package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/games"
	"quintet/lab/await"
)

// engineProcesses returns the identifiers of the running engine processes of a server.
func engineProcesses(t *testing.T, server int) (list []int) {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		text := string(data)
		fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && fields[1] == strconv.Itoa(server) && fields[0] != "Z" {
			list = append(list, id)
		}
	}
	return list
}

// killEngines ends the engine process of a server at once. After an earlier kill it waits
// until the server has started another.
func (k *killable) killEngines() {
	k.t.Helper()
	var list []int
	await.Until(k.t, "one engine process", func() bool {
		list = engineProcesses(k.t, k.cmd.Process.Pid)
		return len(list) == 1
	})
	if err := syscall.Kill(list[0], syscall.SIGKILL); err != nil {
		k.t.Fatal(err)
	}
}

// lines posts a request, or gets an address if there is no body, and calls see with each line
// of the answer.
func (k *killable) lines(path, body string, see func(line map[string]any)) {
	k.t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(k.t.Context(), method, k.url+path, strings.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	in := bufio.NewScanner(got.Body)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		v := map[string]any{}
		if err := json.Unmarshal(in.Bytes(), &v); err != nil || got.StatusCode != http.StatusOK {
			k.t.Fatalf("%s: %d %s, %v", path, got.StatusCode, in.Text(), err)
		}
		see(v)
	}
}

// restarts returns how many times the server has started its engine process again.
func (k *killable) restarts() string {
	k.t.Helper()
	r, err := http.NewRequestWithContext(k.t.Context(), http.MethodGet, k.url+"/metrics", nil)
	if err != nil {
		k.t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	found := regexp.MustCompile(`(?m)^quintet_engine_process_restarts_total (\d+)$`).FindSubmatch(text)
	if err != nil || found == nil {
		k.t.Fatalf("the metrics have no restarts: %v, %.2000s", err, text)
	}
	return string(found[1])
}

// randomMoves returns random moves of a game, as JSON.
func randomMoves(t *testing.T, name string, plies int) string {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	moves, random := []string{}, rand.NewPCG(3, 0)
	for range plies {
		m := game.Sample(p, random, nil)
		moves = append(moves, p.Format(m))
		p.Play(m)
	}
	text, err := json.Marshal(moves)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEngineProcessKilled kills the engine process of a server during a review and during an
// analysis, and checks that both find what they find without the kills. Then it kills the
// server, and checks that the engine process ends.
func TestEngineProcessKilled(t *testing.T) {
	t.Parallel()
	calm, hit := serveKillable(t, t.TempDir()), serveKillable(t, t.TempDir())
	for _, k := range []*killable{calm, hit} {
		await.Until(t, "a server that takes reviews", func() bool { return startedUp(t, k.url) })
	}
	spec := fmt.Sprintf(`{"game":"loa","moves":%s}`, randomMoves(t, "loa", 16))
	want, _ := reviewKilling(calm, spec, nil)
	got, kills := reviewKilling(hit, spec, hit.killEngines)
	if diff := cmp.Diff(want, got); diff != "" || len(want) != 16 || kills < 2 {
		t.Errorf("a review of %d plies with %d kills differs: %s", len(want), kills, diff)
	}
	spec = fmt.Sprintf(`{"game":"othello","lines":2,"moves":%s}`, randomMoves(t, "othello", 38))
	wantLines, _ := analyzeKilling(calm, spec, nil)
	gotLines, more := analyzeKilling(hit, spec, hit.killEngines)
	if diff := cmp.Diff(wantLines, gotLines); diff != "" || more != 1 || !strings.Contains(fmt.Sprint(wantLines), "exact") {
		t.Errorf("an analysis with %d kills differs: %s; %v", more, diff, wantLines)
	}
	if got, want := hit.restarts(), strconv.Itoa(kills+more); got != want {
		t.Errorf("%s restarts, want %s", got, want)
	}
	left := engineProcesses(t, hit.cmd.Process.Pid)
	hit.kill()
	for _, id := range left {
		await.Until(t, "the end of the engine process after its server", func() bool { return syscall.Kill(id, 0) != nil || ended(id) })
	}
}

// ended reports whether a process has ended and only its parent has not noticed.
func ended(id int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	text := string(data)
	return err != nil || strings.HasPrefix(text[strings.LastIndex(text, ")")+1:], " Z")
}

// reviewKilling lets a server review a game. It kills after some plies.
func reviewKilling(k *killable, spec string, kill func()) (plies []any, kills int) {
	made := k.ask(http.MethodPost, "/api/reviews", "", spec)
	k.lines(fmt.Sprintf("/api/reviews/%s/events", made["id"]), "", func(v map[string]any) {
		list, _ := v["plies"].([]any)
		plies = append(plies, list...)
		if kill != nil && len(plies)/5 > kills && v["state"] == "running" {
			kill()
			kills++
		}
	})
	return plies, kills
}

// analyzeKilling lets a server search a position, and returns the last scores and why it ended. It
// kills after the first lines.
func analyzeKilling(k *killable, spec string, kill func()) (last []any, kills int) {
	k.lines("/api/analysis/lines", spec, func(v map[string]any) {
		if v["done"] != nil {
			last = append(last, v["reason"])
		}
		lines, ok := v["lines"].([]any)
		if !ok {
			return
		}
		last = nil
		for _, l := range lines {
			line := l.(map[string]any)
			last = append(last, line["text"], line["proved"], line["chance"])
		}
		if kill != nil && kills == 0 {
			kill()
			kills++
		}
	})
	return last, kills
}
