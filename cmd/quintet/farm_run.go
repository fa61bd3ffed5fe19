package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/natsrpc"
	"quintet/farm/scheduler"
	"quintet/internal/cli"
)

// farmFlags are the flags of a command that can run on a farm.
type farmFlags struct {
	url      string
	at       farmAt
	detach   bool
	priority int
	changed  func(flag string) bool
}

func (f *farmFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.url, "farm", "", "run on the farm at this `URL`, or that of the coordinator in this folder")
	flags.BoolVar(&f.detach, "detach", false, "submit to the farm and do not wait")
	cli.Number(c, &f.priority, "priority", farm.DefaultPriority, "the share of the farm's slots, 1 to 100").Between(1, farm.MaxPriority)
	f.at.role = natsrpc.RoleClient
	f.at.add(c)
	f.changed = flags.Changed
}

// wanted reports whether the command is to run on a farm.
func (f *farmFlags) wanted() bool { return f.url != "" }

// check refuses flags that need a farm if there is none.
func (f *farmFlags) check() error {
	for _, name := range []string{"detach", "key", "priority"} {
		if f.changed(name) && !f.wanted() {
			return fmt.Errorf("--%s: give --farm with the address of a coordinator, too", name)
		}
	}
	return nil
}

// farmRun is jobs that a command has submitted. Close closes the connection; the jobs go
// on.
type farmRun struct {
	flags  *farmFlags
	conn   *natsrpc.Conn
	build  farm.Build // of this program
	errs   io.Writer
	jobs   []scheduler.JobView
	warned bool // that the coordinator does not answer
}

// specsOf returns the jobs of a command for this program, whose speed is in nodes a second.
type specsOf func(p farm.Program, speed float64) ([]*farm.Spec, error)

// start submits the jobs of a command.
func (f *farmFlags) start(ctx context.Context, errs io.Writer, specs specsOf) (r *farmRun, err error) {
	conn, err := f.at.dial(f.url)
	if err != nil {
		return nil, err
	}
	r = &farmRun{flags: f, conn: conn, errs: errs}
	defer func() {
		if err != nil {
			conn.Close()
		}
	}()
	var speed float64
	if r.build, speed, err = farmBuild(ctx, 1); err != nil {
		return nil, err
	}
	list, err := specs(r.build.Program, speed)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if err := r.submit(ctx, s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// runJobs submits jobs of a kind, one for each of a list of settings, and calls each with
// their results in order unless nobody waits for them.
func runJobs[S any](ctx context.Context, c *cobra.Command, f *farmFlags, kind string, list []S, each func(payload []byte) error) error {
	run, err := f.start(ctx, c.ErrOrStderr(), func(p farm.Program, _ float64) (specs []*farm.Spec, err error) {
		for _, settings := range list {
			s, err := farm.NewSpec(p, kind, settings)
			if err != nil {
				return nil, err
			}
			specs = append(specs, s)
		}
		return specs, nil
	})
	if err != nil {
		return failed(err)
	}
	defer run.Close()
	if detached, err := run.detached(c.OutOrStdout()); detached || err != nil {
		return err
	}
	return failed(run.payloads(ctx, each))
}

// submit submits a job, which the coordinator checks. The request is sent again if the
// coordinator restarts, or another takes over; that is harmless. A coordinator that is not
// there at first is an error.
func (r *farmRun) submit(ctx context.Context, s *farm.Spec) error {
	text, _, err := s.Encode()
	if err != nil {
		return err
	}
	request := farm.SubmitRequest{Build: r.build, Spec: text, Priority: r.flags.priority}
	var v scheduler.JobView
	err = r.conn.Ask(ctx, "submit", request, &v)
	if errors.Is(err, natsrpc.ErrUnreachable) {
		err = r.conn.Persist(ctx, "submit", request, &v, r.warnUnreachable)
	}
	if err == nil {
		r.jobs = append(r.jobs, v)
	}
	return err
}

// Close closes the connection.
func (r *farmRun) Close() { r.conn.Close() }

// detached prints how to watch the jobs, and reports whether the command ends now.
func (r *farmRun) detached(out io.Writer) (bool, error) {
	if !r.flags.detach {
		return false, nil
	}
	text := ""
	for _, v := range r.jobs {
		text += fmt.Sprintf("job %.12s: quintet jobs watch %.12s --farm %s\n", v.ID, v.ID, r.flags.url)
	}
	_, err := io.WriteString(out, text)
	return true, failed(err)
}

// resultLinger is how long results wait for others: a command shows what is new once a second.
const resultLinger = time.Second

// follow returns the results of a job.
func (r *farmRun) follow(job int) *coordinator.Follower {
	return &coordinator.Follower{Conn: r.conn, Job: r.jobs[job].ID, Linger: resultLinger, Unreachable: r.warnUnreachable}
}

// warnUnreachable says, once, that the coordinator does not answer.
func (r *farmRun) warnUnreachable(err error) {
	if !r.warned {
		r.warned = true
		_, _ = fmt.Fprintf(r.errs, "waiting for the coordinator: %v\n", err)
	}
}

// ended says what becomes of the jobs if an interrupt has ended a command, and returns
// the error.
func (r *farmRun) ended(err error) error {
	if errors.Is(err, context.Canceled) {
		for _, v := range r.jobs {
			_, _ = fmt.Fprintf(r.errs, "the job goes on: quintet jobs stop %.12s ends it, and the same command watches it again\n", v.ID)
		}
	}
	return err
}

// payloads calls each with the results of all jobs in order.
func (r *farmRun) payloads(ctx context.Context, each func(payload []byte) error) error {
	for i := range r.jobs {
		for f := r.follow(i); ; {
			payload, err := f.Next(ctx)
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				err = each([]byte(payload))
			}
			if err != nil {
				return r.ended(err)
			}
		}
	}
	return nil
}

// specBudget is how many bytes of a list go into one job: well below farm.MaxSpecBytes,
// because JSON escapes some signs.
const specBudget = farm.MaxSpecBytes / 2

// portions cuts a list into parts that fit into a job each.
func portions[T any](list []T, size func(T) int) (parts [][]T) {
	bytes := 0
	for i, v := range list {
		if bytes += size(v); i == 0 || bytes > specBudget {
			parts, bytes = append(parts, nil), size(v)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], v)
	}
	return parts
}
