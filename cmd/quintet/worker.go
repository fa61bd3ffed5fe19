package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"quintet/engine/remote/workers"
	"quintet/farm"
	"quintet/farm/natsrpc"
	"quintet/farm/worker"
	"quintet/internal/cli"
	"quintet/internal/platform"
)

// workerFlags are the flags of quintet worker.
type workerFlags struct {
	at            farmAt
	slots, memory int
	live, judge   int
	sandbox       string
	nice, update  bool
	log           string
}

// megabytesOfSlot is what a slot takes at a match of two engines: players, tables and a
// game. Jobs that need more get fewer slots.
const megabytesOfSlot = 64

// megabytesOfWorker is what the process takes without slots.
const megabytesOfWorker = 64

// maxSlots is more than any machine has processors.
const maxSlots = 1024

// workerNice is the nice value of workers with --nice.
const workerNice = 10

func newWorker() *cobra.Command {
	f := workerFlags{at: farmAt{role: natsrpc.RoleWorker}}
	c := &cobra.Command{
		Use:   "worker URL",
		Short: "Work for a farm",
		Long: `Worker plays games for the coordinator at a URL, in as many slots as this machine has
processors. Stop it at any time: others take over what it has begun. URL is what the
coordinator prints, or its folder if it runs on this machine.

The coordinator refuses a program of another version. With --self-update the worker
downloads the coordinator's program then, checks that the farm's key has signed it, and
runs it in its place.`,
		Example: `  quintet worker nats://farm.example.org:7420 --key worker.key
  quintet worker nats://farm.example.org:7420 --key worker.key --slots 4 --nice
  quintet worker nats://farm.example.org:7420 --key live.key --slots 0 --live 4
  quintet worker nats://farm.example.org:7420 --key live.key --slots 0 --judge 2`,
		Args: cli.Exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			ctx, stop := interruptible(c)
			defer stop()
			logger := newLogger(c.ErrOrStderr(), f.log, slog.LevelInfo)
			err := f.run(ctx, args[0], logger)
			if errors.Is(err, context.Canceled) && ctx.Err() != nil {
				return nil // the user stopped it
			}
			return failed(err)
		},
	}
	f.at.add(c)
	flags := c.Flags()
	cli.Number(c, &f.slots, "slots", runtime.NumCPU(), "games to play at a time").Between(0, maxSlots)
	cli.Number(c, &f.live, "live", 0, "the `number` of searches for servers to do at a time, half of them reviews and analyses at most, besides the slots; needs a key of role live").Between(0, farm.MaxLive)
	cli.Number(c, &f.judge, "judge", 0, "the `number` of students' programs to judge at a time for servers with --judge-farm, in a sandbox, besides the slots; needs a key of role live").Between(0, maxJudges)
	flags.StringVar(&f.sandbox, "judge-sandbox", "", "`NAME` of the sandbox: bubblewrap or namespaces (default: the strongest that works)")
	cli.Number(c, &f.memory, "memory", 0, "the most memory to use, in `MB`; 0 for no limit")
	flags.BoolVar(&f.nice, "nice", false, "run at the lowest priority")
	flags.BoolVar(&f.update, "self-update", false, "if the coordinator refuses this version, run its program instead, if the farm's key has signed it")
	addLog(c, &f.log)
	return c
}

func (f *workerFlags) check() error {
	switch {
	case f.slots == 0 && f.live == 0 && f.judge == 0:
		return errors.New(`--slots "0": give 1 or more, or --live or --judge`)
	case f.memory > 0 && f.memory < megabytesOfWorker+megabytesOfSlot:
		return fmt.Errorf(`--memory "%d": give %d or more, or 0 for no limit`, f.memory, megabytesOfWorker+megabytesOfSlot)
	}
	return nil
}

func (f *workerFlags) run(ctx context.Context, at string, logger *slog.Logger) error {
	if f.memory > 0 {
		debug.SetMemoryLimit(int64(f.memory) << 20)
		if most := (f.memory - megabytesOfWorker) / megabytesOfSlot; most < f.slots {
			logger.Warn("memory limits the slots", "slots", most, "wanted", f.slots)
			f.slots = most
		}
	}
	if f.nice {
		if err := platform.LowerProcess(workerNice); err != nil {
			return fmt.Errorf("--nice: %w", err)
		}
	}
	conn, err := f.at.dial(at)
	if err != nil {
		return err
	}
	defer conn.Close()
	build, speed, err := farmBuild(ctx, max(f.slots, 1))
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	end, err := f.judgeForServers(ctx, conn, programText(build.Program))
	if err != nil {
		return err
	}
	defer end()
	if f.slots+f.live == 0 { // the coordinator has no work for it
		logger.Info("judging", "submissions", f.judge)
		<-ctx.Done()
		return ctx.Err()
	}
	searches := searchServer(programText(build.Program))
	err = worker.Run(ctx, worker.Config{
		Live: func(ctx context.Context, most int) (func(), error) {
			w, err := workers.Serve(ctx, conn.Searches(), searches, most, workers.LongSearches(most))
			if err != nil {
				return nil, err
			}
			return w.Close, nil
		},
		TooSmall: func(needed int) {
			logger.Warn(fmt.Sprintf("no open job fits into --memory %d: a slot needs %d MB: give --memory %d or more", f.memory, needed, needed+megabytesOfWorker))
		},
		Coordinator: conn, Kinds: farmKinds(), Log: logger,
		Hello: farm.Hello{Version: farm.Version, Build: build, Instance: randomName(), Host: host, Slots: f.slots, Live: f.live, Analyses: workers.LongSearches(f.live), Memory: max(f.memory-megabytesOfWorker, 0), Speed: speed},
	})
	if !farm.HasCode(err, farm.CodeVersion) {
		return err
	}
	if !f.update {
		return fmt.Errorf("%w, or use --self-update", err)
	}
	return selfUpdate(ctx, conn, build, err, logger)
}

// programText identifies the program of a worker or server to the other.
func programText(p farm.Program) string {
	return fmt.Sprintf("%d %d %s", farm.Version, p.Fingerprint, p.Arch)
}
