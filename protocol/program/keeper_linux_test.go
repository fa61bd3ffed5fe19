package program_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"quintet/internal/platform"
	"quintet/protocol/program"
)

// TestMain makes the test a keeper, or a process that starts an engine and waits.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 2 && os.Args[1] == platform.KeeperCommand:
		os.Exit(platform.RunKeeper(os.Args[2:]))
	case len(os.Args) > 2 && os.Args[1] == "arena":
		p, err := program.Start(context.Background(), program.Spec{Command: "sh testdata/deserter.sh " + os.Args[2]})
		if err == nil {
			_, err = p.ReadLine(context.Background(), time.Minute)
		}
		fmt.Println("started", err)
		select {}
	}
	os.Exit(m.Run())
}

// TestKeeper ends programs whose children have left their process group: the children end too,
// also when the process that started them is killed.
func TestKeeper(t *testing.T) {
	t.Setenv(platform.Keeper, "1")
	start := func(t *testing.T, ctx context.Context, held *os.File) *program.Program {
		t.Helper()
		p, err := program.Start(ctx, program.Spec{Command: "sh testdata/deserter.sh " + held.Name()})
		if err != nil {
			t.Fatal(err)
		}
		if line, err := p.ReadLine(context.Background(), time.Minute); line != "here" || err != nil {
			t.Fatalf("%q, %v", line, err)
		}
		return p
	}
	for name, end := range map[string]func(t *testing.T, held *os.File){
		"closed": func(t *testing.T, held *os.File) {
			t.Helper()
			if err := start(t, t.Context(), held).Close("quit"); err != nil {
				t.Error(err)
			}
		},
		"cancelled": func(t *testing.T, held *os.File) {
			t.Helper()
			ctx, cancel := context.WithCancel(context.Background())
			p := start(t, ctx, held)
			cancel()
			if err := p.Close("quit"); err != nil {
				t.Error(err)
			}
		},
		"the arena is killed": func(t *testing.T, held *os.File) {
			t.Helper()
			c := exec.CommandContext(t.Context(), os.Args[0], "arena", held.Name())
			out, err := c.StdoutPipe()
			if err := errors.Join(err, c.Start()); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "started <nil>\n" || err != nil {
				t.Fatalf("%q, %v", line, err)
			}
			_ = c.Process.Kill()
			_ = c.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			held := fifo(t)
			end(t, held)
			if _, err := held.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("a child still runs: %v", err)
			}
		})
	}
	p, err := program.Start(t.Context(), program.Spec{Command: "sh testdata/exits.sh"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.ReadLine(t.Context(), time.Minute); !errors.Is(err, program.ErrEnded) || err.Error() != `the program has ended (exit status 3), its last error output: "bye"` {
		t.Errorf("%v, want the program's own status", err)
	}
}
