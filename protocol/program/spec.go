package program

import (
	"fmt"
	"strings"
	"time"

	"quintet/engine"
)

// Spec describes an external player: its command and its options.
type Spec struct {
	Command   string   // words separated by blanks
	Dir       string   // working directory; "" is the current one
	Options   []Option // sent to the program in this order
	ReportCPU bool     // report its processor time
	Guided    bool     // UGI and UCI: send the current position without moves, and the legal moves after searchmoves
}

// Option is an option of a program.
type Option struct{ Name, Value string }

// ParsePlayer parses the name of an external player: a protocol, optional options in
// brackets, a colon and a command, such as
//
//	uci:./engine --quiet
//	nboard[depth=12,dir=/opt/ntest]:./ntest x
//
// The option dir is the working directory, cpu=tell reports the processor time, and guided sets Guided;
// the others are options of the program or the protocol. A value ends at the next
// comma or "]:". ok is false if the text does not begin with one of the protocols.
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
				return "", Spec{}, true, fmt.Errorf("%q: write %s[NAME=VALUE,...]:COMMAND", text, protocol)
			}
		} else {
			rest = rest[1:]
		}
		s.Command = strings.TrimSpace(rest)
		if s.Command == "" {
			return "", Spec{}, true, fmt.Errorf("%q: write a command after the colon", text)
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
		case word == "guided":
			s.Guided = true
		case !ok || name == "" || value == "" || strings.ContainsAny(word, "\r\n"):
			return fmt.Errorf("option %q: write NAME=VALUE", word)
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

// StartTimeout limits everything but moves, such as loading.
const StartTimeout = 20 * time.Second

// moveGrace is how long a program may overrun the time of a move before it counts as
// stalled.
const moveGrace = 2 * time.Second

// MoveTimeout returns how long to wait for a move within the limits.
func MoveTimeout(l engine.Limit) time.Duration {
	switch {
	case l.NodesTime > 0:
		return time.Hour // nodes, too
	case l.Time > 0:
		return l.Time + moveGrace
	case l.Clock.Left > 0:
		return l.Clock.Left + moveGrace
	}
	return time.Hour // depth and node limits do not bound the time
}
