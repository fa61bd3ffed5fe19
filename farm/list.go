package farm

import (
	"crypto/sha256"
	"fmt"
)

// ListTask is the task of a job that needs all its units: one for each element of a list.
type ListTask struct {
	Job About

	// Valid returns an error if the result of a unit, which may come from anyone, is invalid.
	Valid func(unit int, payload []byte) error

	// Runner returns the runner of a slot.
	Runner func() (RunnerFunc, error)
}

// About implements Task.
func (t *ListTask) About() About { return t.Job }

// Check implements Task.
func (t *ListTask) Check(unit int, payload []byte) (Digest, error) {
	if len(payload) > MaxPayloadBytes {
		return "", fmt.Errorf("a result of %d bytes: expected at most %d", len(payload), MaxPayloadBytes)
	}
	if err := t.Valid(unit, payload); err != nil {
		return "", err
	}
	return DigestOf(payload), nil
}

// Fold implements Task.
func (t *ListTask) Fold() Fold { return &countFold{about: t.Job} }

// NewRunner implements Task.
func (t *ListTask) NewRunner(float64) (Runner, error) { return t.Runner() }

// countFold counts units.
type countFold struct {
	about About
	units int
}

// Add implements Fold.
func (f *countFold) Add(int, Digest) bool {
	f.units++
	return f.units == f.about.Units
}

// Progress implements Fold.
func (f *countFold) Progress() (done, planned int) {
	return f.about.Size(f.units), f.about.Size(f.about.Units)
}

// HashBytes is the length of what DigestOf returns.
const HashBytes = 16

// DigestOf returns the digest of a payload that a fold does not look into: a hash.
func DigestOf(payload []byte) Digest {
	sum := sha256.Sum256(payload)
	return Digest(sum[:HashBytes])
}
