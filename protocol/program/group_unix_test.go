//go:build unix

package program_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"quintet/protocol/program"
)

// TestChildren ends programs with children, by Close and by cancelling the context: the
// children end too.
func TestChildren(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		end    func(t *testing.T, p *program.Program, cancel func())
	}{
		"a script that stalls is closed": {"wrapper.sh", func(t *testing.T, p *program.Program, _ func()) {
			t.Helper()
			if err := p.Close("quit"); err != nil {
				t.Error(err)
			}
		}},
		"a script that stalls is cancelled": {"wrapper.sh", func(_ *testing.T, _ *program.Program, cancel func()) { cancel() }},
		"a program that ends leaves a child": {"leaver.sh", func(t *testing.T, p *program.Program, _ func()) {
			t.Helper()
			if err := p.Close("quit"); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held := fifo(t)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			p, err := program.Start(ctx, program.Spec{Command: "sh " + test.script + " " + held.Name(), Dir: "testdata"})
			if err != nil {
				t.Fatal(err)
			}
			if line, err := p.ReadLine(context.Background(), time.Minute); line != "here" || err != nil {
				t.Fatalf("%q, %v", line, err)
			}
			test.end(t, p, cancel)
			if _, err := held.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("its child still runs: %v", err)
			}
			if err := p.Close("quit"); err != nil {
				t.Error(err)
			}
		})
	}
}

// fifo creates a named pipe and opens it for reading: it is at its end when no process has
// it open for writing.
func fifo(t *testing.T) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "held")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := f.SetReadDeadline(time.Now().Add(15 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return f
}
