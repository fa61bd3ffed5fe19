// Package faulty makes engines that break a protocol, for tests of what must
// find that out: an engine of ours with a fault between it and the client.
package faulty

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"quintet/protocol/program"
)

// Fault is what is wrong with an engine: lines that it is told and that it says
// pass through functions, empty lines apart. Nothing is passed on where they
// return "".
type Fault struct {
	Greeting string // what it says before it is asked
	Input    func(line string) string
	Output   func(line string) string
}

// What Told may return besides a line.
const (
	End  = "\x00end"  // the engine ends
	Hang = "\x00hang" // it says nothing any more
)

// Start starts an engine within this process: serve answers lines as a server
// does.
func (f Fault) Start(serve func(in io.Reader, out io.Writer) error) *program.Program {
	told, say := io.Pipe()
	listen, says := io.Pipe()
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		f.forwardInput(told, feed)
		_ = feed.Close()
		_ = told.Close()
		_ = out.Close()
	}()
	go func() {
		_ = serve(in, out)
		_ = out.Close()
		_ = told.Close()
	}()
	go func() {
		f.forwardOutput(answers, says)
		_ = says.Close()
		_ = answers.Close()
	}()
	return program.FromStreams(say, listen)
}

// forwardInput passes on what the engine is told.
func (f Fault) forwardInput(from io.Reader, to io.Writer) {
	s := bufio.NewScanner(from)
	for s.Scan() {
		line := s.Text()
		if f.Input != nil {
			line = f.Input(line)
		}
		switch line {
		case End:
			return
		case Hang:
			for s.Scan() { // until the client goes
			}
			return
		case "":
			continue
		}
		if _, err := fmt.Fprintln(to, line); err != nil {
			return
		}
	}
}

// forwardOutput passes on what the engine says.
func (f Fault) forwardOutput(from io.Reader, to io.Writer) {
	if f.Greeting != "" {
		_, _ = fmt.Fprintln(to, f.Greeting)
	}
	s := bufio.NewScanner(from)
	for s.Scan() {
		line := s.Text()
		if f.Output != nil && line != "" {
			if line = f.Output(line); line == "" {
				continue
			}
		}
		if _, err := fmt.Fprintln(to, line); err != nil {
			return
		}
	}
}

// Prefix returns a function that replaces the beginning of lines.
func Prefix(prefix, by string) func(string) string {
	return func(line string) string {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return by + rest
		}
		return line
	}
}

// Line returns a function that replaces whole lines that have a beginning.
func Line(prefix, by string) func(string) string {
	return func(line string) string {
		if strings.HasPrefix(line, prefix) {
			return by
		}
		return line
	}
}
