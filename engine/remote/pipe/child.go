package pipe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"quintet/engine/remote"
)

// child is a running engine process.
type child struct {
	config Config
	cmd    *exec.Cmd
	stop   context.CancelFunc // ends it; it is killed if it does not end soon
	in     io.WriteCloser
	out    io.Reader
	errs   io.Reader

	requests chan []byte
	done     chan struct{} // closed by the Process when it has ended

	mu       sync.Mutex // guards the rest
	why      error      // the process was killed
	sessions map[uint64]func(remote.Reply)
}

const (
	maxRequests = 256             // requests that a process has not read; each is at most remote.MaxMessage
	endTime     = 2 * time.Second // in which a process ends by itself when its input has ended
)

// nested is set in the environment of an engine process, which starts none: a program that
// does not know how to be one, such as a test, would otherwise start itself without end.
const nested = "QUINTET_ENGINE_PROCESS"

// startChild starts the engine process. The caller calls run, and stop at the end.
func startChild(ctx context.Context, config Config) (c *child, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer func() {
		if err != nil {
			stop()
		}
	}()
	if os.Getenv(nested) != "" {
		return nil, errors.New("this is an engine process itself")
	}
	cmd, err := config.Command(ctx)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Environ(), nested+"=1")
	c = &child{
		config: config, cmd: cmd, stop: stop,
		requests: make(chan []byte, maxRequests), done: make(chan struct{}), sessions: map[uint64]func(remote.Reply){},
	}
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if c.errs, err = cmd.StderrPipe(); err != nil {
		return nil, err
	}
	cmd.Cancel, cmd.WaitDelay = c.in.Close, endTime
	return c, cmd.Start()
}

// run handles the messages of the process until it has ended, and returns why it has.
func (c *child) run() error {
	var all sync.WaitGroup
	ended := make(chan struct{})
	all.Go(func() { c.writeRequests(ended) })
	all.Go(func() { c.logErrors() })
	if err := readMessages(c.out, c.deliver); err != nil {
		c.kill(err)
	}
	close(ended)
	c.stop()
	all.Wait()
	err := c.cmd.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.why != nil:
		return c.why
	case err == nil:
		return errors.New("it exited")
	}
	return err
}

// kill ends the process at once.
func (c *child) kill(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.why == nil {
		c.why = why
	}
	_ = c.cmd.Process.Kill() // it may have ended
}

// send sends a request. It does not block: a process that does not read is killed.
func (c *child) send(r remote.Request) error {
	data, err := encode(r)
	if err != nil {
		return err
	}
	select {
	case c.requests <- data:
	default:
		c.kill(fmt.Errorf("it has not read %d requests", maxRequests))
	}
	return nil
}

// writeRequests writes the requests until the process has ended.
func (c *child) writeRequests(ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case data := <-c.requests:
			if _, err := c.in.Write(data); err != nil {
				return // it has ended, or is ending
			}
		}
	}
}

// Bounds of what the process writes to the log.
const (
	maxLogLines = 200
	maxLogLine  = 1000 // bytes
)

// logErrors logs the first lines that the process writes to its standard error, and reads
// the rest.
func (c *child) logErrors() {
	in := bufio.NewReaderSize(c.errs, maxLogLine)
	for n := 0; ; n++ {
		line, _, err := in.ReadLine()
		if err != nil {
			return
		}
		if n < maxLogLines {
			c.config.Log.Warn("the engine process says", slog.String("text", string(line)))
		}
	}
}

// deliver gives a message of the process to its session.
func (c *child) deliver(r remote.Reply) error {
	c.mu.Lock()
	deliver := c.sessions[r.Session]
	c.mu.Unlock()
	if deliver != nil { // otherwise the session was released
		deliver(r)
	}
	return nil
}
