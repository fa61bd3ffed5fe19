package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote"
	"quintet/engine/remote/pipe"
	"quintet/game"
	"quintet/internal/cli"
)

// engineProcessCommand is the name of the hidden command that the engine process runs.
const engineProcessCommand = "engine-process"

// newEngineProcess returns the engine process of a server. The caller closes it.
func newEngineProcess(logger *slog.Logger) *pipe.Process {
	return pipe.New(pipe.Config{Command: ownEngineProcess, Build: buildText(), Log: logger})
}

// buildText identifies the build of this program.
func buildText() string {
	b := thisBuild()
	return fmt.Sprintf("%s %s %s", b.release, b.revision, b.compiler)
}

// Limits of the engine process, in its environment. One thread searches at a time. Sixteen
// searches take 160 MB, and what they share up to 100 MB.
var engineProcessLimits = []string{"GOMAXPROCS=1", "GOMEMLIMIT=400MiB", "GOGC=100"}

// ownEngineProcess returns the command of the engine process: this program. On Linux
// /proc/self/exe is the running program even after an upgrade has replaced its file. The
// program keeps its name, by which a test binary knows what it must be.
func ownEngineProcess(ctx context.Context) (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	if runtime.GOOS == "linux" {
		path = "/proc/self/exe"
	}
	c := exec.CommandContext(ctx, path, engineProcessCommand) //nolint:gosec // this program
	c.Args[0] = os.Args[0]
	c.Env = append(os.Environ(), engineProcessLimits...)
	return c, nil
}

func newEngineProcessCommand() *cobra.Command {
	return &cobra.Command{
		Use:    engineProcessCommand,
		Short:  "Search for a server, which starts this command itself",
		Long:   `Engine-process searches what quintet serve asks for on standard input, in a private format.`,
		Args:   cli.NoArgs,
		Hidden: true,
		RunE:   func(c *cobra.Command, _ []string) error { return failed(runEngineProcess(c)) },
	}
}

// exitTime is how long the engine process may take to end its searches when the server is
// gone. They take milliseconds, but must never outlive it.
const exitTime = 10 * time.Second

func runEngineProcess(c *cobra.Command) error {
	// The server ends it, by the end of its input, when the requests in progress are answered.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	if err := pipe.Background(); err != nil {
		_, _ = fmt.Fprintln(c.ErrOrStderr(), "quintet:", err) // it searches all the same
	}
	input := inputEnd{Reader: c.InOrStdin(), ended: func() { time.AfterFunc(exitTime, func() { os.Exit(1) }) }}
	return pipe.Serve(c.Context(), input, c.OutOrStdout(), searchServer(buildText()))
}

// searchServer returns how this program searches for another of a build.
func searchServer(build string) remote.Server {
	cache := bots.NewCache()
	return remote.Server{Build: build, Open: func(name []byte) (engine.Searcher, game.Game, error) {
		return bots.OpenSearch(name, cache)
	}}
}

// inputEnd is the input of the engine process. It calls ended when the server is gone.
type inputEnd struct {
	io.Reader
	ended func()
}

// Read implements io.Reader.
func (r inputEnd) Read(p []byte) (n int, err error) {
	if n, err = r.Reader.Read(p); err != nil {
		r.ended()
	}
	return n, err
}
