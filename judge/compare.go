package judge

import (
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/run"
)

// difference is how an outcome differs from what it should be.
type difference struct {
	kind deviation
	at   int // the first byte that differs
}

type deviation int

const (
	same         deviation = iota
	differs                // another text
	stopsShort             // the program ended before its time
	waitsShort             // it waits for input although it should print more
	waitsAtEnd             // it waits for input after the end of the game
	runsOn                 // it neither ends nor waits after it has printed all
	runsShort              // it computes on and on before it has printed all
	printsOn               // it prints more than it should
	crashes                // by a signal
	crashesAtEnd           // after all was printed
	machineMove            // the machine's move is not there or not legal
)

// compare compares an outcome with what should have been printed.
func compare(want dialogue.Conversation, out run.Outcome) difference {
	right := want.Output()
	at := commonPrefix(right, out.Output)
	whole := at == len(right)
	switch {
	case want.Free && at < len(right):
		return difference{machineMove, at}
	case want.Cut && at >= min(len(right), len(out.Output)) && out.Ending == run.OutputExceeded:
		return difference{same, at}
	case want.Endless && at == len(out.Output) && stoppedInLongGame(out):
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

// longGame is how many bytes a game has in which machines have moved for long enough:
// a program that has printed so many is not stuck.
const longGame = 256 << 10

// stoppedInLongGame reports whether a program was stopped in the midst of a long game.
func stoppedInLongGame(out run.Outcome) bool {
	return out.Ending == run.OutputExceeded || out.Ending == run.TimedOut && len(out.Output) >= longGame
}

// atEnd judges a program that has printed all of a finished game.
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

// atPrompt judges a program that has printed all up to a prompt, at which it
// has to wait. What it does at the end of the input is not judged.
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

// tooShort judges a program that has printed the beginning only.
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

// onlySpace reports whether the two texts are the same but for white space.
func onlySpace(a, b string) bool { return squeeze(a) == squeeze(b) }

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
