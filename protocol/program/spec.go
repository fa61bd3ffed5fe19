package program

import (
	"fmt"
	"strings"
	"time"

	"quintet/engine"
)

// Spec describes a program that plays: how it is started, and what it is told
// first.
type Spec struct {
	Command   string   // words separated by blanks
	Dir       string   // the folder that it runs in; "" is the current one
	Options   []Option // of the program, in their order
	ReportCPU bool     // how much processor time it uses is to be told
}

// Option is something that a program can be told before it plays.
type Option struct{ Name, Value string }

// ParsePlayer reads how a player that is another program is named: a protocol,
// options in brackets if there are any, a colon and a command, such as
//
//	uci:./engine --quiet
//	nboard[depth=12,dir=/opt/ntest]:./ntest x
//
// The option dir is the folder that the program runs in, and cpu=tell asks for
// the processor time that it uses; the others are the program's, or the
// protocol's. Values go up to the next comma or "]:". It is
// not ok if the text does not begin with one of the protocols.
func ParsePlayer(text string, protocols []string) (protocol string, s Spec, ok bool, err error) {
	for _, protocol := range protocols {
		rest, ok := strings.CutPrefix(text, protocol)
		if !ok || rest == "" || rest[0] != ':' && rest[0] != '[' {
			continue
		}
		options := ""
		if rest[0] == '[' {
			options, rest, ok = strings.Cut(rest[1:], "]:")
			if !ok {
				return "", Spec{}, true, fmt.Errorf("%q: want %s[NAME=VALUE,...]:COMMAND", text, protocol)
			}
		} else {
			rest = rest[1:]
		}
		s.Command = strings.TrimSpace(rest)
		if s.Command == "" {
			return "", Spec{}, true, fmt.Errorf("%q: want a command behind the colon", text)
		}
		return protocol, s, true, s.parseOptions(options)
	}
	return "", Spec{}, false, nil
}

func (s *Spec) parseOptions(text string) error {
	if text == "" {
		return nil
	}
	for word := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(word, "=")
		switch {
		case !ok || name == "" || value == "" || strings.ContainsAny(word, "\r\n"):
			return fmt.Errorf("option %q: want NAME=VALUE", word)
		case name == "dir":
			s.Dir = value
		case name == "cpu" && value == "tell":
			s.ReportCPU = true
		default:
			s.Options = append(s.Options, Option{name, value})
		}
	}
	return nil
}

// StartTimeout is how long a program may take for what is not a move, such as
// loading what it needs.
const StartTimeout = 20 * time.Second

// moveGrace is by how much a program may overrun the time of a move before it
// counts as stalled.
const moveGrace = 2 * time.Second

// MoveTimeout returns for how long a move within limits is waited for.
func MoveTimeout(l engine.Limit) time.Duration {
	switch {
	case l.Time > 0:
		return l.Time + moveGrace
	case l.Clock.Left > 0:
		return l.Clock.Left + moveGrace
	}
	return time.Hour // limits of depth and nodes say nothing of time
}
