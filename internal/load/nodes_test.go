package load_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"quintet/internal/load"
)

// build builds a program into a folder of the test.
func build(t *testing.T, dir, name, pkg string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, pkg).CombinedOutput()
	if err != nil {
		t.Fatalf("building %s: %v\n%s", pkg, err, out)
	}
	return path
}

// TestNodes lets some of everything happen to three machines: make nodes does the
// whole. What is lost, doubled, different or charged is a fault; how long writes are
// away is not, because other tests run beside this one.
func TestNodes(t *testing.T) {
	dir := t.TempDir()
	var c = load.NodesConfig{
		Program: build(t, dir, "quintet", "quintet/cmd/quintet"),
		NATS:    build(t, dir, "nats-server", "github.com/nats-io/nats-server/v2"),
		Dir:     filepath.Join(dir, "machines"), Times: 1, Games: 5, Rate: 25, Pause: 2 * time.Second, Stand: time.Second, Seed: 1,
		Faults: []string{"kill follower", "kill server", "pause server", "stop server", "cut follower"},
		Report: func(line string) { t.Log(time.Now().Format("15:04:05.0 ") + line) },
	}
	if raced { // the programs are not: it would only take as long again
		c.Faults = []string{"cut follower"}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	r, err := load.Nodes(ctx, c)
	if err != nil {
		for i := range 3 {
			for _, name := range []string{"nats.log", "quintet.log"} {
				text, _ := os.ReadFile(filepath.Join(c.Dir, "machine"+string(rune('0'+i)), name)) // it may be missing
				t.Logf("machine %d, %s:\n%s", i, name, text)
			}
		}
		t.Fatal(err)
	}
	if r.Acknowledged == 0 || r.Rivals == 0 || int64(r.Events) < r.Acknowledged || len(r.Tried) != len(c.Faults) || r.Refusals != 1 {
		t.Errorf("the result is %+v", r)
	}
	for what, list := range map[string][]string{"lost": r.Lost, "twice": r.Twice, "clock": r.Wrong, "differs": r.Differ, "refused": r.Refused, "failed": r.Failed} {
		for _, text := range list {
			t.Errorf("%s: %s", what, text)
		}
	}
}

// TestNodesRefuses wants runs refused that cannot be meant.
func TestNodesRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := load.NodesConfig{Dir: t.TempDir(), Times: 1, Games: 1, Rate: 1, Pause: time.Second}
	for name, change := range map[string]func(*load.NodesConfig){
		"never":         func(c *load.NodesConfig) { c.Times = 0 },
		"no games":      func(c *load.NodesConfig) { c.Games = 0 },
		"short pauses":  func(c *load.NodesConfig) { c.Pause = time.Millisecond },
		"a full folder": func(c *load.NodesConfig) { c.Dir = full },
		"unknown fault": func(c *load.NodesConfig) { c.Faults = []string{"kill nobody"} },
	} {
		c := good
		change(&c)
		if _, err := load.Nodes(t.Context(), c); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}
