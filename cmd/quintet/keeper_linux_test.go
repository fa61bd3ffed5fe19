package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"quintet/lab/await"
)

// TestEnginesOfKilled checks that no descendant of an engine outlives the command that started it, even
// if the command is killed and the descendant has left its process group.
func TestEnginesOfKilled(t *testing.T) {
	for name, args := range map[string][]string{
		"arena": {"arena", "othello", "--a", "ugi:ENGINE", "--b", "random", "--games", "2"},
		"check": {"engine", "othello", "--check", "ugi:ENGINE"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			pipe, engine := filepath.Join(dir, "pipe"), filepath.Join(dir, "engine")
			err := errors.Join(
				syscall.Mkfifo(pipe, 0o600),
				os.WriteFile(engine, []byte("#!/bin/sh\nsetsid sh -c 'echo here; sleep 1000' > "+pipe+" &\nwhile read line; do :; done\n"), 0o700),
			)
			if err != nil {
				t.Fatal(err)
			}
			for i, a := range args {
				if a == "ugi:ENGINE" {
					args[i] = "ugi:" + engine
				}
			}
			c := exec.CommandContext(t.Context(), os.Args[0], args...)
			c.Env = append(os.Environ(), asProgram+"=1")
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			held, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer held.Close()
			await.Until(t, "the descendant", func() bool { n, _ := held.Read(make([]byte, 5)); return n == 5 })
			if err := held.SetReadDeadline(time.Now().Add(await.Limit)); err != nil {
				t.Fatal(err)
			}
			_ = c.Process.Kill()
			_ = c.Wait()
			if _, err := held.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("it still runs: %v", err)
			}
		})
	}
}
