// Package farm describes work that many machines share: what a job is, which results
// count, and who may work on what.
//
// A client submits a job: a [Spec], which never changes. Its [Kind] makes a [Task] of it, which
// says how many units the job has and checks and runs them. The coordinator leases units to
// workers. A [Ledger] folds their results in the order of the units, so that the outcome does
// not depend on who did what and when. A [Store] keeps jobs and results.
//
// This package knows no games, NATS or HTTP. The types of jobs are in farm/jobtypes, the
// coordinator in farm/scheduler, the worker in farm/worker.
package farm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Spec describes a job. It never changes: its identifier is the SHA-256 of its JSON. In
// JSON, Settings is the member that is named after the kind.
type Spec struct {
	Version  int             `json:"version"` // SpecVersion
	Kind     string          `json:"kind"`    // the name of the type of job, as in Kinds
	Program  Program         `json:"program"`
	Settings json.RawMessage `json:"-"` // of the kind
}

// SpecVersion is the version of the form of a Spec.
const SpecVersion = 1

// Program identifies an engine: machines with the same one have the same results. Floating-point
// results differ between architectures, because of fused multiply-add.
type Program struct {
	Fingerprint uint64 `json:"fingerprint"` // nodes of quintet bench
	Arch        string `json:"arch"`        // GOARCH
}

// Limits of a spec. A spec may come from a stranger with a client's key.
const (
	MaxSpecBytes = 512 << 10
	maxNameBytes = 200
	maxKindBytes = 32
)

// NewSpec returns the spec of a job with the settings of a kind.
func NewSpec(p Program, kind string, settings any) (*Spec, error) {
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("writing the job: %w", err)
	}
	return &Spec{SpecVersion, kind, p, text}, nil
}

// Encode returns the JSON of a spec and its identifier.
func (s *Spec) Encode() (text []byte, id string, err error) {
	head, err := json.Marshal(s)
	if err != nil {
		return nil, "", fmt.Errorf("writing the job: %w", err)
	}
	text = fmt.Appendf(head[:len(head)-1], ",%q:%s}", s.Kind, s.Settings)
	return text, ID(text), nil
}

// ID returns the identifier of the text of a spec.
func ID(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// DecodeSpec parses a spec. Unknown members are errors: a job of a newer program would
// do other work than it says. The kind checks the settings.
func DecodeSpec(text []byte) (*Spec, error) {
	if len(text) > MaxSpecBytes {
		return nil, fmt.Errorf("the job has %d bytes: expected at most %d", len(text), MaxSpecBytes)
	}
	var members map[string]json.RawMessage
	s := &Spec{}
	if err := errors.Join(json.Unmarshal(text, &members), json.Unmarshal(text, s)); err != nil {
		return nil, fmt.Errorf("expected a job as JSON: %w", err)
	}
	s.Settings = members[s.Kind]
	switch {
	case s.Version != SpecVersion:
		return nil, fmt.Errorf("the job has version %d: expected %d", s.Version, SpecVersion)
	case !Printable(s.Kind) || len(s.Kind) > maxKindBytes:
		return nil, fmt.Errorf("the job has the kind %.40q: give one printable word", s.Kind)
	case s.Settings == nil:
		return nil, fmt.Errorf("the job has no %s", s.Kind)
	}
	for name := range members {
		if !slices.Contains([]string{"version", "kind", "program", s.Kind}, name) {
			return nil, fmt.Errorf("expected a job as JSON: unknown member %.40q", name)
		}
	}
	return s, nil
}

// DecodeJSON parses settings or a result. Unknown fields are errors.
func DecodeJSON(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("reading the JSON of a job: %w", err)
	}
	return nil
}

// Printable reports whether a name is short and can be shown.
func Printable(text string) bool {
	return text != "" && len(text) <= maxNameBytes && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}
