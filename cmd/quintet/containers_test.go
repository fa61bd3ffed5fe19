//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
)

// containers is the farm of the compose file, in containers of the real image.
type containers struct {
	t       *testing.T
	compose []string // docker compose, or the older docker-compose, with the project
	dir     string
	program string // that is in the image: a farm refuses clients of another
	addr    string // of the coordinator, on this machine
}

// command runs a program and returns what it prints.
func (c *containers) command(args ...string) string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out = append(out, exit.Stderr...)
		}
		c.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// run runs a command of compose.
func (c *containers) run(args ...string) string {
	c.t.Helper()
	return c.command(append(c.compose, args...)...)
}

// start starts the program of the image outside, and returns what waits for its end.
func (c *containers) start(args ...string) (wait func()) {
	c.t.Helper()
	var said bytes.Buffer
	p := exec.CommandContext(c.t.Context(), c.program, args...)
	p.Stdout, p.Stderr = &said, &said
	if err := p.Start(); err != nil {
		c.t.Fatal(err)
	}
	return func() {
		c.t.Helper()
		if err := p.Wait(); err != nil {
			c.t.Fatal(err, said.String())
		}
	}
}

// composeCommand returns the command of compose that is there.
func composeCommand(t *testing.T) []string {
	t.Helper()
	if testing.Short() || exec.CommandContext(t.Context(), "docker", "info").Run() != nil {
		t.Skip("no Docker")
	}
	for _, words := range [][]string{{"docker", "compose"}, {"docker-compose"}} {
		if exec.CommandContext(t.Context(), words[0], append(words[1:], "version")...).Run() == nil {
			return words
		}
	}
	t.Skip("no docker compose")
	return nil
}

// upContainers builds the image and starts a coordinator and two workers. Image, ports and
// project are the test's own, so that it does not disturb a farm that runs.
func upContainers(t *testing.T) *containers {
	t.Helper()
	c := &containers{t: t, compose: composeCommand(t), dir: t.TempDir(), addr: freeAddress(t)}
	name := fmt.Sprintf("quintet-test-%d", os.Getpid())
	c.image(name)
	text := packaged(t, "farm-compose.yaml")
	for before, after := range map[string]string{
		"quintet:latest": name, "127.0.0.1:7420:": c.addr + ":", "127.0.0.1:7421:": freeAddress(t) + ":",
	} {
		if !strings.Contains(text, before) {
			t.Fatalf("the compose file has no %s", before)
		}
		text = strings.ReplaceAll(text, before, after)
	}
	file := filepath.Join(c.dir, "compose.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.compose = append(c.compose, "--file", file, "--project-name", name)
	t.Cleanup(func() { c.run("down", "--volumes") })
	c.run("up", "--detach", "--scale", "worker=2")
	return c
}

// image builds the image of the Dockerfile, as make image does.
func (c *containers) image(name string) {
	c.t.Helper()
	dist := filepath.Join(c.dir, "dist")
	c.program = filepath.Join(dist, "quintet-linux-"+runtime.GOARCH)
	if err := os.MkdirAll(filepath.Join(dist, "data"), 0o755); err != nil {
		c.t.Fatal(err)
	}
	build := exec.CommandContext(c.t.Context(), "go", "build", "-o", c.program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := build.CombinedOutput(); err != nil {
		c.t.Fatalf("%v\n%s", err, out)
	}
	c.command("docker", "build", "--build-arg", "TARGETARCH="+runtime.GOARCH, "--tag", name, "--file", filepath.Join("..", "..", "packaging", "Dockerfile"), dist)
	c.t.Cleanup(func() { c.command("docker", "rmi", name) })
}

// farmFlags returns the flags by which a client outside reaches the farm.
func (c *containers) farmFlags() []string {
	c.t.Helper()
	id, key := c.run("ps", "--quiet", "coordinator"), filepath.Join(c.dir, "client.key")
	await.Until(c.t, "the keys", func() bool {
		return exec.CommandContext(c.t.Context(), "docker", "cp", id+":/data/keys/client.key", key).Run() == nil
	})
	return []string{"--farm", c.addr, "--key", key}
}

// TestContainers plays a match on the farm of the compose file, where Docker runs, while a
// worker and the coordinator are killed. The games are those of one machine.
func TestContainers(t *testing.T) {
	c := upContainers(t)
	flags := c.farmFlags()
	match := []string{"arena", "loa", "--a", "level:2", "--b", "random", "--nodes", "2000", "--games", "40", "--json"}
	local, shared := filepath.Join(c.dir, "local"), filepath.Join(c.dir, "shared")
	over := c.start(append(append(match, "--record", shared), flags...)...)
	c.command("docker", "kill", strings.Fields(c.run("ps", "--quiet", "worker"))[0])
	c.run("kill", "coordinator")
	c.run("up", "--detach", "--no-recreate", "--scale", "worker=2")
	over()
	c.start(append(match, "--record", local)...)()
	want, got := strings.Split(recordedGames(t, local), "\n"), strings.Split(recordedGames(t, shared), "\n")
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("line %d differs, of %d and %d:\n%s\n%s", i+1, len(want), len(got), want[min(i, len(want)-1)], got[min(i, len(got)-1)])
		}
	}
	if log := c.run("logs", "coordinator"); !strings.Contains(log, "The page: http://coordinator:7421/") {
		t.Errorf("the coordinator says %s", log)
	}
}
