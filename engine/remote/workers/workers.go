// Package workers carries searches to other machines over NATS. A [Client], in a server, asks a
// queue group of workers for a session: one that is free accepts it, and the rest goes to that
// one. A [Worker] searches.
//
// There are two groups: of moves, for which somebody waits, and of long searches, such as
// analyses. A worker keeps room for moves.
//
// Subjects carry the key of the client, and the inbox of its answers begins with it, so that
// NATS keeps clients apart. A worker ends a session whose client does not renew its lease.
package workers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/engine/remote"
)

// Conn is a connection to NATS.
type Conn struct {
	NATS *nats.Conn
	Key  string // of this program, the token of a subject

	// Inbox returns what the subjects for answers to a key begin with, without a dot at the end.
	Inbox func(key string) string
}

// Sender returns the key of the client that sent a message, the third part of its subject. ok is false if the answer
// would go to somebody else: it would be sent with our rights.
func (c Conn) Sender(m *nats.Msg) (key string, ok bool) {
	parts := strings.Split(m.Subject, ".")
	if len(parts) < 3 {
		return "", false
	}
	return parts[2], strings.HasPrefix(m.Reply, c.Inbox(parts[2])+".")
}

// ConfirmSubscriptions returns an error unless the server allows the subscriptions of a worker. err is that of making them, if any.
func (c Conn) ConfirmSubscriptions(err error) error {
	if err == nil {
		err = c.NATS.Flush()
	}
	if err == nil {
		err = c.NATS.LastError()
	}
	if err != nil {
		return fmt.Errorf("listening to servers: %w: the key needs the role live", err)
	}
	return nil
}

// The beginnings of subjects. The key of the client follows.
const (
	moveSubject    = "farm.move"    // to open a session for a move
	searchSubject  = "farm.search"  // to open a session for a long search
	sessionSubject = "farm.session" // to one worker, whose name follows the key
	group          = "search"       // of workers
)

// The commands beside those of remote.
const (
	open  remote.Command = "open"
	renew remote.Command = "renew" // the lease of a session
)

// answer is a message of a worker.
type answer struct {
	Worker string `json:"worker,omitempty"` // has accepted the session: its name
	Busy   bool   `json:"busy,omitempty"`   // it has too much to do
	remote.Reply
}

// Times of sessions.
const (
	beatEvery  = 200 * time.Millisecond // of a running search
	renewEvery = time.Second            // a lease
	leaseTime  = 3 * renewEvery
)

// maxMessage is the largest message between client and worker, in bytes.
const maxMessage = 64 << 10

// ClientSubjects returns where a client publishes.
func ClientSubjects(key string) []string {
	return []string{moveSubject + "." + key, searchSubject + "." + key, sessionSubject + "." + key + ".*"}
}

// WorkerSubjects returns what a worker listens to. It may also answer what it receives,
// MaxAnswers times within AnswersTime.
func WorkerSubjects() []string {
	return []string{moveSubject + ".* " + group, searchSubject + ".* " + group, sessionSubject + ".*.*"}
}

// MaxAnswers bounds the answers to a message that NATS lets a worker send, and AnswersTime the
// time in which it may. Each renewal of a lease begins anew.
const (
	MaxAnswers  = 1000
	AnswersTime = time.Minute
)

// LongSearches returns how many of the searches that a worker does at a time may be long: half,
// so that moves always find a worker.
func LongSearches(searches int) int { return searches / 2 }

// nameSigns are the letters of the name of a worker, which is a token of a subject.
const nameSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// ValidName reports whether a text can be the name of a worker.
func ValidName(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, nameSigns) == ""
}

// Pause waits for a time, or until the context ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
