package farm

import (
	"errors"
	"fmt"
	"time"
)

// Requests to the coordinator have a name and a JSON object. The reply is listed where it is not
// empty; show, jobs and workers return the views of package scheduler.
//
//	of workers
//	hello      Hello
//	take       TakeRequest        TakeReply
//	deliver    DeliverRequest     DeliverReply
//	fail       Failure
//	beat       HeartbeatRequest   HeartbeatReply
//	bye        TakeRequest
//	program    ProgramRequest     a ProgramFile, or bytes of it
//	spec       JobRequest         the text of the Spec
//
//	of clients
//	submit     SubmitRequest
//	results    JobRequest         ResultsReply
//	spec       JobRequest         the text of the Spec
//	show, stop, remove, priority: JobRequest
//	jobs, workers: {}

// Version is the version of the messages between workers, clients and coordinator.
const Version = 3

// Build identifies the program of a worker or client. Workers whose programs differ
// play different games, so the coordinator refuses them.
type Build struct {
	Program

	OS     string `json:"os"`     // GOOS
	SHA256 string `json:"sha256"` // of the executable
}

// Compatible returns an error that says what is different, or nil. Executables for
// other systems have other checksums; for them only the fingerprint is compared.
func (b Build) Compatible(other Build) error {
	switch {
	case b.Arch != other.Arch:
		return fmt.Errorf("the program is for %s, but the farm's is for %s: floating-point results differ between architectures, so use machines of one", other.Arch, b.Arch)
	case b.Fingerprint != other.Fingerprint:
		return fmt.Errorf("the program's search has fingerprint %d, but the farm's has %d: install the farm's release", other.Fingerprint, b.Fingerprint)
	case b.OS == other.OS && b.SHA256 != other.SHA256:
		return fmt.Errorf("the program has SHA-256 %.12s, but the farm's has %.12s: copy the coordinator's program", other.SHA256, b.SHA256)
	}
	return nil
}

// Hello is a worker's first message, also after it has reconnected.
type Hello struct {
	Version  int     `json:"version"`
	Build    Build   `json:"build"`
	Instance string  `json:"instance"` // identifies a process among those of a key
	Host     string  `json:"host"`
	Slots    int     `json:"slots"`
	Memory   int     `json:"memory,omitempty"`   // megabytes for all slots together; 0 for no limit
	Live     int     `json:"live,omitempty"`     // searches for servers at a time, beside the slots
	Analyses int     `json:"analyses,omitempty"` // of them, long ones at a time
	Speed    float64 `json:"speed"`              // nodes a second of a slot while all slots are busy
	Leases   []Lease `json:"leases,omitempty"`
}

// MaxLive is the largest number of searches for servers that a worker does at a time.
const MaxLive = 256

// Lease is work that a worker has: units of a job.
type Lease struct {
	ID    string `json:"lease"`
	Job   string `json:"job"`
	Units []int  `json:"units"`

	// Linger is how long the worker may hold a result back to deliver several in one request.
	Linger time.Duration `json:"linger,omitempty"`
}

// TakeRequest asks for work for free slots. In a bye it says that the worker stops.
type TakeRequest struct {
	Instance string `json:"instance"`
	Slots    int    `json:"slots"`
}

// TakeReply is the work. If there is none, the worker asks again after Wait.
type TakeReply struct {
	Leases []Lease       `json:"leases"`
	Wait   time.Duration `json:"wait"`

	// Memory is what a slot needs for an open job, in megabytes, if none fits into the
	// memory of the worker.
	Memory int `json:"memory,omitempty"`
}

// Result is a finished unit.
type Result struct {
	Lease   string        `json:"lease"`
	Job     string        `json:"job"`
	Unit    int           `json:"unit"`
	Took    time.Duration `json:"took"`
	Payload string        `json:"payload"`
}

// MaxDelivery bounds the results of a DeliverRequest.
const MaxDelivery = 64

// DeliverRequest delivers finished units. Each is accepted or refused on its own. After an error
// the worker sends the whole request again, which is harmless.
type DeliverRequest struct {
	Results []Result `json:"results"`
}

// DeliverReply lists the results that were refused.
type DeliverReply struct {
	Refused []RefusedResult `json:"refused,omitempty"`
}

// RefusedResult says why a result was refused. The worker does not deliver it again.
type RefusedResult struct {
	Unit   int    `json:"unit"`
	Reason string `json:"reason"`
}

// Failure says that a worker could not do a unit. It ends the lease.
type Failure struct {
	Lease  string `json:"lease"`
	Job    string `json:"job"`
	Unit   int    `json:"unit"`
	Reason string `json:"reason"`
}

// HeartbeatRequest renews the leases that have made progress. A worker that hangs loses its
// leases.
type HeartbeatRequest struct {
	Instance string            `json:"instance"`
	Busy     int               `json:"busy"`  // slots
	Plies    map[string]uint64 `json:"plies"` // played, by lease
}

// HeartbeatReply lists the leases that the worker no longer has.
type HeartbeatReply struct {
	Leases []string `json:"leases,omitempty"`
}

// SubmitRequest asks for a job. Submitting a job again is harmless: it resumes if it was
// stopped.
type SubmitRequest struct {
	Build    Build  `json:"build"`
	Spec     []byte `json:"spec"`
	Priority int    `json:"priority"`
}

// Priorities of jobs: a job of priority 20 gets twice the slots of one of 10.
const (
	DefaultPriority = 10
	MaxPriority     = 100
)

// JobRequest names a job, by its identifier or the beginning of it.
type JobRequest struct {
	Job      string `json:"job"`
	Priority int    `json:"priority,omitempty"`
	From     int    `json:"from,omitempty"`  // the first unit wanted
	Epoch    int    `json:"epoch,omitempty"` // the last that the client has seen

	// Linger is how long the coordinator may hold results back to send several in one reply.
	Linger time.Duration `json:"linger,omitempty"`
}

// ResultsReply has results of a job in the order of their units. The request waits until
// there are some, for at most a few seconds.
type ResultsReply struct {
	From     int      `json:"from"`
	Payloads []string `json:"payloads"`
	Complete bool     `json:"complete"` // no results will follow
	Stopped  bool     `json:"stopped"`
	Failed   string   `json:"failed,omitempty"` // why no results will follow; submitting the job again retries
	Games    int      `json:"games"`            // finished, also those that do not count yet
	Epoch    int      `json:"epoch"`            // grows when results are voided
	Valid    int      `json:"valid"`            // results of units before it were not voided since the client's epoch
}

// RequestError is an error that crosses the network.
type RequestError struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// The codes of errors.
const (
	CodeInvalid     = "invalid"     // the request is wrong: do not repeat it
	CodeVersion     = "version"     // the program differs from the farm's
	CodeQuarantined = "quarantined" // the worker's results are rejected
	CodeKey         = "key"         // the key is of another role
	CodeUnknown     = "unknown"     // no such job, or the worker must say hello first
	CodeBusy        = "busy"        // repeat it later
	CodeFull        = "full"        // the coordinator's disk is full: repeat it later
)

// Error returns the text.
func (f *RequestError) Error() string { return f.Text }

// Refuse returns the error of a request.
func Refuse(code, format string, args ...any) *RequestError {
	return &RequestError{code, fmt.Sprintf(format, args...)}
}

// HasCode reports whether an error of a request has a code.
func HasCode(err error, code string) bool {
	var f *RequestError
	return errors.As(err, &f) && f.Code == code
}
