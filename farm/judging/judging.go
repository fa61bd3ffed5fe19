// Package judging carries jobs of a judge from servers to workers on other machines, over NATS. A [Client], in a
// server, sends a job to a queue group of workers, and asks the one that accepts it for the result. A [Worker] does
// jobs; it sees only the contents of the job.
//
// Each question of the client renews the lease of the job. A worker stops a job whose client is gone. A client whose
// worker is gone sends the job to another one: so a job is done at least once, and the caller has to store its result
// once.
//
// Subjects carry the key of the client, and the inbox of its answers begins with it, so that NATS keeps clients apart.
package judging

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
)

// The beginnings of subjects. The key of the client follows.
const (
	openSubject = "farm.judge"   // to any worker of a build, which follows the key: a job
	askSubject  = "farm.judging" // to one worker, whose name follows the key: the number of a job
	group       = "judge"        // of workers
)

// ClientSubjects returns where a client publishes.
func ClientSubjects(key string) []string {
	return []string{openSubject + "." + key + ".*", askSubject + "." + key + ".*"}
}

// WorkerSubjects returns what a worker listens to.
func WorkerSubjects() []string { return []string{openSubject + ".*.* " + group, askSubject + ".*.*"} }

// Headers of messages.
const (
	stateHeader  = "State"  // of an answer
	workerHeader = "Worker" // has accepted the job: its name
	jobHeader    = "Job"    // its number there
)

// state is the state of a job in an answer of a worker.
type state string

const (
	accepted state = "accepted"
	busy     state = "busy"
	running  state = "running"
	done     state = "done"   // the body is the result
	failed   state = "failed" // the body says why
	unknown  state = "unknown"
)

// Times of jobs.
const (
	askEvery  = 200 * time.Millisecond
	askTime   = 2 * time.Second // for an answer about the state of a job
	silence   = 5 * time.Second // without an answer, after which a worker counts as gone
	leaseTime = 6 * time.Second
	restTime  = 300 * time.Millisecond // before asking again, without a worker
)

// Limits of a job and its result, in bytes. NATS carries a megabyte.
const (
	maxPacked   = 900 << 10
	maxUnpacked = 16 << 20
)

// pack compresses a job or a result.
func pack(data []byte) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(data)
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, fmt.Errorf("compressing a job: %w", err)
	}
	if out.Len() > maxPacked {
		return nil, fmt.Errorf("a job or its result has %d KB, compressed: at most %d can be sent", out.Len()>>10, maxPacked>>10)
	}
	return out.Bytes(), nil
}

// unpack returns what pack compressed.
func unpack(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(z, maxUnpacked+1))
	}
	if err == nil && len(data) > maxUnpacked {
		err = errors.New("it is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("reading a job: %w", err)
	}
	return data, nil
}

// token returns the token of a subject for a build: servers find only workers of the same program.
func token(build string) string {
	sum := sha256.Sum256([]byte(build))
	return hex.EncodeToString(sum[:8])
}
