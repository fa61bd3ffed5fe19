package analysis

import "quintet/game"

// Source is an analysis whose lines can be followed: a Task, or one on another machine.
type Source interface {
	// Changed returns a channel that receives a value when Latest returns something new.
	Changed() <-chan struct{}

	// Latest returns the lines of the last depth that was finished, with a depth of 0 if none
	// was, and why the analysis ended; "" if it has not.
	Latest() (Result, Reason)
}

// Remote analyzes positions on other machines.
type Remote interface {
	// Analyze begins to analyze the position that a match has reached, which is not over. It
	// returns at once; ok is false if no machine is there for it. The caller closes the task.
	Analyze(m *game.Match, o Options) (t RemoteTask, ok bool)
}

// RemoteTask is an analysis on another machine. Its reason is Lost when that machine does not
// answer; then the caller analyzes the position itself.
type RemoteTask interface {
	Source

	// Close ends the analysis.
	Close()
}
