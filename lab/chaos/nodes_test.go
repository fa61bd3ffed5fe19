package chaos_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"quintet/internal/platform"
	"quintet/lab/chaos"
)

// build builds a program into a folder of the test.
func build(t *testing.T, dir, name, pkg string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", path, pkg).CombinedOutput()
	if err != nil {
		t.Fatalf("building %s: %v\n%s", pkg, err, out)
	}
	return path
}

// TestNodes injects a few faults; make nodes injects all. It fails for anything lost,
// doubled, different or charged, but not for slow recoveries: other tests run at the
// same time.
func TestNodes(t *testing.T) {
	t.Setenv(platform.KeepPriority, "1")
	dir := t.TempDir()
	var c = chaos.Config{
		Program: build(t, dir, "quintet", "quintet/cmd/quintet"),
		NATS:    build(t, dir, "nats-server", "github.com/nats-io/nats-server/v2"),
		Dir:     filepath.Join(dir, "machines"), Times: 1, Games: 5, Rate: 25, Pause: 2 * time.Second, Hold: time.Second, Seed: 1,
		Faults: []string{"kill follower", "kill server", "pause server", "stop server", "cut follower"},
		Report: func(line string) { t.Log(time.Now().Format("15:04:05.0 ") + line) },
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	r, err := chaos.Nodes(ctx, c)
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

// TestNodesRefuses lists invalid configurations.
func TestNodesRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := chaos.Config{Dir: t.TempDir(), Times: 1, Games: 1, Rate: 1, Pause: time.Second}
	for name, change := range map[string]func(*chaos.Config){
		"never":         func(c *chaos.Config) { c.Times = 0 },
		"no games":      func(c *chaos.Config) { c.Games = 0 },
		"short pauses":  func(c *chaos.Config) { c.Pause = time.Millisecond },
		"a full folder": func(c *chaos.Config) { c.Dir = full },
		"unknown fault": func(c *chaos.Config) { c.Faults = []string{"kill nobody"} },
	} {
		c := good
		change(&c)
		if _, err := chaos.Nodes(t.Context(), c); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}
