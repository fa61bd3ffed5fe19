package workers

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/engine"
	"quintet/engine/remote"
	"quintet/game"
)

func testInbox(key string) string { return "_INBOX_" + key }

// accepting returns a worker without a connection, and a queue for so many sessions.
func accepting(ctx context.Context, most int) (*Worker, *queue) {
	w := &Worker{name: "W", conn: Conn{Inbox: testInbox}, sessions: map[string]*session{}, server: &remote.Server{
		Open: func([]byte) (engine.Searcher, game.Game, error) { return nil, game.Game{}, errors.New("none") }, Beat: time.Second,
	}}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	return w, &queue{tokens: []chan struct{}{make(chan struct{}, most)}}
}

// message is a message of a client with the key K for the session X.
func message(subject, data string) *nats.Msg {
	return &nats.Msg{Subject: subject, Reply: "_INBOX_K.X", Data: []byte(data)}
}

// TestLease checks that a session ends when its client releases it or renews its lease no more, in
// simulated time, and that no other message ends it or lets it continue.
func TestLease(t *testing.T) {
	const own = sessionSubject + ".K.W"
	foreign := message(sessionSubject+".OTHER.W", `{"do":"release"}`)
	other := message(own, `{"do":"renew"}`)
	other.Reply = "_INBOX_K.Y"
	for name, test := range map[string]struct {
		send *nats.Msg // every second
		ends time.Duration
	}{
		"nobody wants it":     {nil, leaseTime},
		"another session":     {other, leaseTime},
		"another client":      {foreign, leaseTime},
		"malformed":           {message(own, "{"), leaseTime},
		"too long":            {message(own, `{"do":"renew"`+strings.Repeat(" ", maxMessage)+"}"), leaseTime},
		"a subject too short": {message(sessionSubject, `{"do":"renew"}`), leaseTime},
		"renewed":             {message(own, `{"do":"renew"}`), time.Minute},
		"released":            {message(own, `{"do":"release"}`), time.Second},
		"a fault":             {message(own, `{"do":"think"}`), time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, q := accepting(t.Context(), 1)
				began := time.Now()
				w.accept(q, message(searchSubject+".K", ""))
				if len(q.tokens[0]) != 1 {
					t.Fatal("no session")
				}
				for range time.Minute / time.Second {
					time.Sleep(time.Second)
					synctest.Wait()
					if len(q.tokens[0]) == 0 {
						break
					}
					if test.send != nil {
						w.handle(test.send)
					}
					synctest.Wait()
					if len(q.tokens[0]) == 0 {
						break
					}
				}
				if took := time.Since(began); took != test.ends {
					t.Errorf("it ends after %v, want %v", took, test.ends)
				}
				w.Close()
				if len(w.sessions) > 0 || len(q.tokens[0]) > 0 {
					t.Errorf("%d sessions, %d tokens are held", len(w.sessions), len(q.tokens[0]))
				}
			})
		})
	}
}

// TestAccept checks which sessions a worker accepts, and that one that takes the subject of
// another ends that.
func TestAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, q := accepting(t.Context(), 2)
		stranger := message(searchSubject+".K", "")
		stranger.Reply = "_INBOX_OTHER.X"
		for _, m := range []*nats.Msg{stranger, {Subject: searchSubject + ".K"}, {Subject: "x", Reply: "_INBOX_K.X"}} {
			if w.accept(q, m); len(w.sessions) > 0 {
				t.Errorf("%s with answers to %q is accepted", m.Subject, m.Reply)
			}
		}
		for range 4 {
			w.accept(q, message(searchSubject+".K", ""))
			synctest.Wait()
			if len(w.sessions) != 1 || len(q.tokens[0]) != 1 {
				t.Errorf("%d sessions, %d tokens, want one", len(w.sessions), len(q.tokens[0]))
			}
		}
		w.Close()
	})
}

// FuzzHandle checks that no message of a client panics, and that none of another touches a session.
func FuzzHandle(f *testing.F) {
	f.Add("farm.session.K.W", "_INBOX_K.X", []byte(`{"do":"release"}`))
	f.Add("farm.session.OTHER.W", "_INBOX_K.X", []byte(`{"do":"search","job":{}}`))
	f.Add("farm.session..", "_INBOX_.K.X", []byte(`{"do":"resume"}`))
	f.Fuzz(func(t *testing.T, subject, reply string, data []byte) {
		w, q := accepting(t.Context(), 1)
		defer w.Close()
		w.accept(q, message(searchSubject+".K", ""))
		w.handle(&nats.Msg{Subject: subject, Reply: reply, Data: data})
		if own := strings.HasPrefix(subject, sessionSubject+".K.") && reply == "_INBOX_K.X"; own {
			return
		}
		time.Sleep(time.Millisecond) // a session that has ended is gone then, if it fails at all
		if len(q.tokens[0]) == 0 {
			t.Errorf("%q %q %q ends the session of another client", subject, reply, data)
		}
	})
}

// FuzzAnswer checks that no answer of a worker panics, and that none reaches another session.
func FuzzAnswer(f *testing.F) {
	f.Add("_INBOX_K.search.1", []byte(`{"worker":"W"}`))
	f.Add("_INBOX_K.search.1", []byte(`{"search":1,"line":{}}`))
	f.Add("_INBOX_K.search.2", []byte(`{"search":1,"error":"x"}`))
	f.Fuzz(func(t *testing.T, subject string, data []byte) {
		c, delivered := NewClient(ClientConfig{Log: slog.New(slog.DiscardHandler)}), 0
		l := &link{class: c.long, token: "1", deliver: func(remote.Reply) { delivered++ }, greetings: make(chan answer, tries), lost: make(chan struct{})}
		c.links["1"] = l
		for range 2 * tries { // more than are waited for
			c.answered(&nats.Msg{Subject: subject, Data: data})
		}
		if own := subject[strings.LastIndexByte(subject, '.')+1:] == "1"; !own && delivered+len(l.greetings) > 0 {
			t.Errorf("an answer to %q was passed on", subject)
		}
	})
}

// TestNames lists names of workers, which become a part of a subject.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"ABC234": true, "": false, ".": false, "A.B": false, "*": false, ">": false, "A B": false, strings.Repeat("A", 65): false} {
		if ValidName(name) != want {
			t.Errorf("%q: %v, want %v", name, !want, want)
		}
	}
}
