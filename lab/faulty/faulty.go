// Package faulty provides engines that violate a protocol, to test the checks: it
// injects faults between one of our engines and the client.
package faulty

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"quintet/protocol/program"
)

// Fault is a fault of an engine: functions that rewrite its input and output lines.
// They do not see empty lines; a line for which they return "" is dropped.
type Fault struct {
	Greeting string // sent before the handshake
	Input    func(line string) string
	Output   func(line string) string
}

// Special results of Input.
const (
	End  = "\x00end"  // the engine exits
	Hang = "\x00hang" // the engine sends nothing more
)

// Start runs an engine in this process; serve is its server loop.
func (f Fault) Start(serve func(in io.Reader, out io.Writer) error) *program.Program {
	input, say := io.Pipe()
	listen, says := io.Pipe()
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		f.forwardInput(input, feed)
		_ = feed.Close()
		_ = input.Close()
		_ = out.Close()
	}()
	go func() {
		_ = serve(in, out)
		_ = out.Close()
		_ = input.Close()
	}()
	go func() {
		f.forwardOutput(answers, says)
		_ = says.Close()
		_ = answers.Close()
	}()
	return program.FromStreams(say, listen)
}

// forwardInput forwards lines to the engine.
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
			for s.Scan() { // until the client disconnects
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

// forwardOutput forwards lines from the engine.
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
