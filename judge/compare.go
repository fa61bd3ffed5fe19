package judge

import (
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/run"
)

// difference describes how an outcome differs from the expected output.
type difference struct {
	kind deviation
	at   int // offset of the first different byte
}

type deviation int

const (
	same         deviation = iota
	differs                // prints different text
	stopsShort             // ends too early
	waitsShort             // waits for input when it should print more
	waitsAtEnd             // waits for input after the end of the game
	runsOn                 // neither ends nor waits after printing everything
	runsShort              // keeps computing before printing everything
	printsOn               // prints more than it should
	crashes                // killed by a signal
	crashesAtEnd           // killed by a signal after printing everything
	machineMove            // the machine's move is missing or illegal
)

// compare compares an outcome with the expected output.
func compare(want dialogue.Conversation, out run.Outcome) difference {
	right := want.Output()
	at := commonPrefix(right, out.Output)
	whole := at == len(right)
	switch {
	case want.Endless && at == len(out.Output) && stoppedInLongGame(out):
		return difference{same, at}
	case want.Free && at < len(right):
		return difference{machineMove, at}
	case want.Cut && at >= min(len(right), len(out.Output)) && out.Ending == run.OutputExceeded:
		return difference{same, at}
	case whole && want.Over:
		return difference{atEnd(out, len(right)), at}
	case whole:
		return difference{atPrompt(out, len(right)), at}
	case at < len(out.Output):
		return difference{differs, at}
	}
	return difference{tooShort(out), at}
}

// longGame is the output in bytes after which a game between machines is long enough: a
// program that has printed this much is not stuck.
const longGame = 256 << 10

// stoppedInLongGame reports whether a program was stopped in the middle of a long game.
func stoppedInLongGame(out run.Outcome) bool {
	return out.Ending == run.OutputExceeded || out.Ending == run.TimedOut && len(out.Output) >= longGame
}

// atEnd judges a program that has printed a complete game.
func atEnd(out run.Outcome, length int) deviation {
	switch {
	case len(out.Output) > length:
		return printsOn
	case out.Ending == run.Crashed:
		return crashesAtEnd
	case out.Ending == run.Waiting:
		return waitsAtEnd
	case out.Ending == run.TimedOut:
		return runsOn
	}
	return same
}

// atPrompt judges a program that has printed everything up to a prompt, where it must
// wait. Its behaviour at the end of the input is not judged.
func atPrompt(out run.Outcome, length int) deviation {
	switch {
	case out.EOF:
		return same
	case out.Ending == run.Crashed:
		return crashes
	case len(out.Output) > length:
		return printsOn
	case out.Ending == run.Exited:
		return stopsShort
	case out.Ending == run.TimedOut:
		return runsShort
	}
	return same
}

// tooShort judges a program whose output is a prefix of the expected output.
func tooShort(out run.Outcome) deviation {
	switch {
	case out.Ending == run.Crashed && !out.EOF:
		return crashes
	case out.Ending == run.TimedOut && !out.EOF:
		return runsShort
	case out.Ending == run.Waiting, out.EOF:
		return waitsShort
	case out.Ending == run.OutputExceeded:
		return differs
	}
	return stopsShort
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// onlySpace reports whether two texts differ only in white space.
func onlySpace(a, b string) bool { return squeeze(a) == squeeze(b) }

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
