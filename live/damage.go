package live

import "fmt"

// DamageError describes the events that a log has lost of a stream. As an error it wraps ErrBroken.
type DamageError struct {
	Stream string `json:"stream"` // its name, or the hash of its name if the name is lost
	Seq    uint64 `json:"seq"`    // the number of the first lost event in the log
	Events int    `json:"events"` // how many are lost
	What   string `json:"what"`   // missing or altered
}

// Error describes the damage.
func (d *DamageError) Error() string {
	return fmt.Sprintf("%s: %d events are %s, the first at %d of the log: %v", d.Stream, d.Events, d.What, d.Seq, ErrBroken)
}

// Unwrap returns ErrBroken.
func (d *DamageError) Unwrap() error { return ErrBroken }

// Damaged is a Log that detects damage on its disk. Read and Append of a damaged stream fail with a
// *DamageError until the stream is repaired.
type Damaged interface {
	Damage() []*DamageError
}

// Copied is a Log with copies on several servers.
type Copied interface {
	// DamagedCopies describes each copy that is damaged or being replaced. Reads and writes use the others.
	DamagedCopies() []string
}
