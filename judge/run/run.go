// Package run compiles and runs untrusted programs in a sandbox, under limits, with lines
// of input. It reports what a program printed and how it ended.
//
// Start with [FindSandbox], which probes the sandboxes of the machine. [Compile] compiles
// C++ sources; [Options.Program] and [Options.Command] prepare a program for the sandbox;
// [Program.Run] runs it.
//
// Run writes the lines to a pipe that stays open, as a terminal would, so that it
// can tell a program that waits for input from one that has ended. It closes the
// pipe only if the program waits before it has printed enough: some programs
// keep their output until the end of the input.
//
// Run returns within the limits whatever the program does, and kills every
// process of the program that it can reach. The kernel is the boundary of the
// sandbox: a program that exploits a kernel bug gets out.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"quintet/internal/platform"
)

// Limits bound what a program may use. A zero field sets no limit.
type Limits struct {
	CPU       time.Duration // processor time of a run, rounded up to seconds
	Wall      time.Duration // elapsed time of a run; waiting for a CPU is counted separately, up to nine times as much
	Memory    int64         // bytes of data, of each process and of all together
	Output    int           // bytes of output beyond the expected ones
	FileSize  int64         // bytes of each written file
	Files     int           // open files
	Processes int           // processes of the user, on systems that limit them; 0 means 32 in a sandbox
}

// defaultProcesses limits the processes of programs in a sandbox. Those of the judge's user do not count.
const defaultProcesses = 32

// DefaultLimits are the limits for programs of a course.
func DefaultLimits() Limits {
	return Limits{CPU: 3 * time.Second, Wall: 6 * time.Second, Memory: 1 << 30, Output: 64 << 10, FileSize: 1 << 20, Files: 64}
}

// Program is a program that can be run.
type Program struct {
	Args   []string // the command and its arguments
	Dir    string   // where it runs
	Limits Limits
	Before []string // the command of the sandbox, to which Args are appended

	// Descriptor is what Before can read from file descriptor 3; nil for nothing.
	// At most 4096 bytes, which fit into a pipe.
	Descriptor []byte

	confine   func() error // called on the thread that starts the program; nil for none
	after     func()       // called when the program has ended; nil for none
	user      int          // whom it runs as; 0 for the judge's user
	sanitized bool         // compiled with a sanitizer: memory is limited only for all processes together
	deaf      bool         // it gets no input, not even an open pipe
}

// Ending is how a run ended.
type Ending string

// The endings.
const (
	Exited         Ending = "exited"
	Waiting        Ending = "waits for input" // killed
	TimedOut       Ending = "runs on"         // beyond a time limit; killed
	OutputExceeded Ending = "prints on"       // beyond the output limit; killed
	Crashed        Ending = "crashed"         // by a signal
	Failed         Ending = "not started"

	outOfMemory Ending = "takes too much memory" // reported as Crashed
)

// Outcome is the result of a run.
type Outcome struct {
	Output      string
	Ending      Ending
	Signal      string // of a crash: "SIGSEGV"
	OutOfMemory bool   // it exceeded the memory limit and was killed; Ending is Crashed
	Status      int    // exit status
	Errors      string // the end of what it wrote to standard error
	EOF         bool   // it read the end of the input
	Elapsed     time.Duration
	Last        time.Duration // time of its last output since the start
	Err         error         // why it could not be started
}

// Run runs the program with lines as its input. A program that waits for input
// before it has printed enough bytes sees the end of the input.
func (p *Program) Run(ctx context.Context, lines []string, enough int) Outcome {
	began := time.Now()
	r := &run{limits: p.Limits, enough: enough, began: began, done: make(chan error, 1)}
	text := ""
	for _, line := range lines {
		text += line + "\n"
	}
	out := r.start(ctx, p, text)
	out.Elapsed = time.Since(began)
	return out
}

// run is one run of a program.
type run struct {
	limits Limits
	enough int
	began  time.Time
	done   chan error // receives the result of cmd.Wait; output may still be in the pipes
	cmd    *exec.Cmd
	out    *output
	errs   *output
	input  *os.File // our end of its standard input
	typed  atomic.Bool

	mu     sync.Mutex // guards the fields below
	output []byte
	errors []byte
	flood  bool
	last   time.Duration
}

func (r *run) start(ctx context.Context, p *Program, text string) Outcome {
	if err := r.begin(ctx, p, r.takeOutput); err != nil {
		return Outcome{Ending: Failed, Err: err}
	}
	var typing sync.WaitGroup
	if p.deaf {
		_ = r.input.Close()
	} else {
		typing.Go(func() {
			_, _ = io.WriteString(r.input, text)
			r.typed.Store(true)
		})
	}
	ending, eof, err := r.watch(p.deaf)
	if p.after != nil {
		p.after()
	}
	r.out.finish()
	r.errs.finish()
	_ = r.input.Close() // not before: the processes of a sandbox may outlive it for a moment, and would print
	typing.Wait()
	return r.outcome(ending, eof, err)
}

// begin starts the program with pipes as its input and outputs. The program's output goes to take.
func (r *run) begin(ctx context.Context, p *Program, take writerFunc) error {
	theirs, err := r.pipes(take)
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
	}()
	if err != nil {
		return err
	}
	args := p.command()
	r.cmd = exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // running what the user names is the purpose
	r.cmd.Dir, r.cmd.Env = p.Dir, environment()
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	platform.LeadGroup(r.cmd)
	if p.user != 0 {
		runAs(r.cmd, p.user)
	}
	if err = r.attach(p.Descriptor); err == nil {
		err = r.launch(p.confine)
	}
	for _, f := range r.cmd.ExtraFiles {
		_ = f.Close()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("starting %s: %w", args[0], err), r.input.Close(), r.out.from.Close(), r.errs.from.Close())
	}
	go r.out.read() // until finish
	go r.errs.read()
	return nil
}

// launch starts the program and waits for its end in the background. A thread cannot undo
// confine, so a confined program has a thread of its own. The thread lives as long as the
// program, because the system kills the sandbox when the thread ends. The program has the priority of the caller.
func (r *run) launch(confine func() error) error {
	started, takePriority := make(chan error), platform.SharePriority()
	go func() {
		takePriority()
		var err error
		if confine != nil {
			runtime.LockOSThread() // until the goroutine ends, and the thread with it
			err = confine()
		}
		if err == nil {
			err = r.cmd.Start()
		}
		if started <- err; err == nil {
			err = r.cmd.Wait()
			_ = platform.KillGroup(r.cmd.Process) // children left behind
			r.done <- err
		}
	}()
	return <-started
}

// attach lets the program read text from file descriptor 3.
func (r *run) attach(text []byte) error {
	if text == nil {
		return nil
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	r.cmd.ExtraFiles = []*os.File{theirs}
	_, err = ours.Write(text)
	return errors.Join(err, ours.Close())
}

func (r *run) printed() (n int, flood bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.output), r.flood
}

// watch waits until the program ends, and kills it if it waits for input or exceeds
// a limit. eof says whether its input has been closed.
func (r *run) watch(eof bool) (ending Ending, _ bool, err error) {
	idle := inputWatcher{pid: r.cmd.Process.Pid, input: r.input, output: r.out.from}
	wall := stopwatch{limit: r.limits.Wall, last: r.began}
	memory := memoryMeter{max: r.limits.Memory, next: r.began.Add(memoryInterval)}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err = <-r.done:
			return Exited, eof, err
		case <-tick.C:
		}
		now := time.Now()
		if wall.due(now) {
			wall.add(now, sampleCPU(r.cmd.Process.Pid))
		}
		n, flood := r.printed()
		switch {
		case flood:
			ending = OutputExceeded
		case wall.expired():
			ending = TimedOut
		case memory.exceeded(r.cmd.Process.Pid, now):
			ending = outOfMemory
		case eof || !r.typed.Load() || !idle.waits(n, r.enough):
			continue
		case n < r.enough:
			eof = true
			_ = r.input.Close()
			continue
		default:
			ending = Waiting
		}
		_ = platform.KillGroup(r.cmd.Process)
		return ending, eof, <-r.done
	}
}

func (r *run) outcome(ending Ending, eof bool, err error) Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := Outcome{Output: string(r.output), Errors: string(r.errors), Ending: ending, EOF: eof, Last: r.last}
	switch {
	case r.flood:
		out.Ending = OutputExceeded
	case ending == outOfMemory:
		out.Ending, out.OutOfMemory = Crashed, true
		out.Signal = fmt.Sprintf("SIGKILL, because it used more than %d MB of memory", r.limits.Memory>>20)
	}
	if out.Ending != Exited {
		return out
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return out
	}
	status, _ := exit.Sys().(syscall.WaitStatus)
	out.Status = status.ExitStatus()
	signal := syscall.Signal(0)
	// Sandboxes report a killed program in different ways.
	used := r.cmd.ProcessState.UserTime() + r.cmd.ProcessState.SystemTime()
	if cpu := r.limits.CPU; cpu > 0 && used > cpu-cpu/10 {
		out.Ending = TimedOut
		return out
	}
	if why := notStarted(out); why != nil {
		out.Ending, out.Err = Failed, why
		return out
	}
	switch {
	case status.Signaled():
		signal = status.Signal()
	case out.Status > 128 && out.Status < 128+lastSignal: // how shells and sandboxes report a signal
		signal = syscall.Signal(out.Status - 128)
	}
	switch {
	case signal == 0:
	case limitSignal(signal):
		out.Ending = TimedOut
	default:
		out.Ending, out.Signal = Crashed, signalName(signal)
	}
	return out
}

// lastSignal is the last of the common signals: a status above 128 may be one.
const lastSignal = 32

// notStarted returns the error of the shell if it could not execute the program, or nil.
func notStarted(out Outcome) error {
	const noProgram, notFound = 126, 127
	said := strings.TrimSpace(out.Errors)
	_, why, ok := strings.Cut(said, "exec: ")
	if out.Output != "" || !ok || strings.Contains(said, "\n") || out.Status != noProgram && out.Status != notFound {
		return nil
	}
	if strings.Contains(why, "format") {
		why += " (was it built for this system?)"
	}
	return errors.New(why)
}

// environment returns the short environment of every program.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=/tmp", "TERM=dumb",
		// Leaks are not a mistake, and finding them needs ptrace, which the sandboxes refuse.
		"ASAN_OPTIONS=detect_leaks=0", "LSAN_OPTIONS=detect_leaks=0"}
}

// command returns a command line with which a shell sets the limits and then executes the
// program.
func (p *Program) command() []string {
	var w strings.Builder
	set := func(letter string, n int64) {
		if n > 0 {
			fmt.Fprintf(&w, "ulimit -%s %d; ", letter, n)
		}
	}
	l := p.Limits
	set("t", int64((l.CPU+time.Second-1)/time.Second))
	if !p.sanitized { // sanitizers reserve terabytes of data that they never use
		set("d", l.Memory/1024) // not -v: some languages reserve addresses, too
	}
	set("f", l.FileSize/512)
	set("n", int64(l.Files))
	w.WriteString("ulimit -c 0; ")
	if l.Processes > 0 { // the flag depends on the shell
		fmt.Fprintf(&w, "ulimit -p %d 2>/dev/null || ulimit -u %d; ", l.Processes, l.Processes)
	}
	w.WriteString(`exec "$@"`)
	args := append(append([]string{}, p.Before...), "/bin/sh", "-c", w.String(), "sh")
	return append(args, p.Args...)
}
