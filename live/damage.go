package live

import "fmt"

// Damage is what a log has lost of a stream. As an error it wraps ErrBroken.
type Damage struct {
	Stream string `json:"stream"` // its name, or the hash of its name if nothing else is left of it
	Seq    uint64 `json:"seq"`    // the number of the first lost event in the log
	Events int    `json:"events"` // how many are lost
	What   string `json:"what"`   // missing or altered
}

// Error says what is damaged.
func (d *Damage) Error() string {
	return fmt.Sprintf("%s: %d events are %s, the first at %d of the log: %v", d.Stream, d.Events, d.What, d.Seq, ErrBroken)
}

// Unwrap returns ErrBroken.
func (d *Damage) Unwrap() error { return ErrBroken }

// Damaged is a Log that knows what its disk has damaged. Read and Append fail with a *Damage for
// these streams until they are repaired.
type Damaged interface {
	Damage() []*Damage
}
