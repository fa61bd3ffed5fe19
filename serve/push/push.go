// Package push tells people by Web Push (RFC 8030, 8291, 8292) what waits for them: their turn in a correspondence game, a
// game that begins, a challenge.
//
// One server sends each message: the one whose event the log accepted, or that received the challenge. If it stops first, or
// does not learn whether the log took the event, nobody sends the message. A notice waits for some seconds, and is dropped if it is obsolete by then or its receiver has
// opened the game. Accounts take turns, and each has a few deliveries at a time. Endpoints that hang delay only the messages
// to others of their lane.
//
// Start with New and Sender.Start.
package push

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quintet/internal/lang"
	"quintet/live"
	"quintet/people"
	"quintet/serve/clock"
	"quintet/serve/fair"
	"quintet/serve/hall"
)

// Limits on messages.
const (
	maxNotices = 10_000           // queued notices
	maxEach    = 100              // of an account
	maxLetters = 1000             // messages queued in a lane
	maxFlying  = 5                // of an account, queued or being sent: one to each browser
	sendTime   = 10 * time.Second // for one delivery
	tries      = 3                // for a push service that has a fault or is too busy
)

const (
	noticeDelay = 10 * time.Second // for people who are about to open the game
	retryDelay  = time.Minute
)

// Config is what a Sender needs.
type Config struct {
	Hall   *hall.Hall
	People *people.Store
	Log    *slog.Logger
	Now    func() time.Time
	Key    Key
	Client *http.Client // PublicClient if nil

	Failed, Dropped *atomic.Int64 // count deliveries that failed, and messages that were dropped because of that or because too many waited
}

// Sender sends messages.
type Sender struct {
	Config

	waiting     *fair.Counter // notices of accounts
	flying      *fair.Counter // letters of accounts
	soon, later chan notice
	outbox      *outbox
	languages   func() map[string]*lang.Language
}

// notice is something that an account may be told of.
type notice struct {
	account   string
	waits     hall.Waiting
	challenge string // identifier, if it is a challenge
	endpoint  string // of a delivery that is tried again
	try       int
	due       time.Time
}

// letter is a message to one browser.
type letter struct {
	notice
	to   people.Push
	text text
}

// New returns a Sender.
func New(c Config) *Sender {
	if c.Client == nil {
		c.Client = PublicClient()
	}
	return &Sender{
		Config: c, waiting: fair.NewCounter(maxEach), flying: fair.NewCounter(maxFlying),
		languages: sync.OnceValue(func() map[string]*lang.Language { return languages(c.Log) }),
		soon:      make(chan notice, maxNotices), later: make(chan notice, maxNotices), outbox: newOutbox(c.Now),
	}
}

// languages opens the texts of all languages. Messages are in English where that fails.
func languages(log *slog.Logger) map[string]*lang.Language {
	all := map[string]*lang.Language{}
	for _, tag := range lang.Tags() {
		own, err := lang.Open(tag)
		if err != nil {
			log.Error("messages to push services are in English", "language", tag, "error", err)
		}
		all[tag] = own
	}
	return all
}

// Start sends messages until the context ends. loop runs a function in a goroutine, and again when it panics.
func (s *Sender) Start(ctx context.Context, loop func(task string, f func())) {
	for _, list := range []chan notice{s.soon, s.later} {
		loop("notices", func() { s.deliver(ctx, list) })
	}
	for lane, n := range [lanes]int{browserSenders, otherSenders, slowSenders, slowSenders} {
		for range n {
			loop("messages", func() { s.work(ctx, lane) })
		}
	}
}

// Waits takes what this server's event makes a person wait for. It does not block.
func (s *Sender) Waits(w hall.Waiting) {
	if a, ok := s.People.Account(w.Person); ok && w.Person != "" {
		s.add(s.soon, notice{account: a.ID, waits: w}, noticeDelay)
	}
}

// Challenged takes a challenge that was sent to this server. It does not block.
func (s *Sender) Challenged(c people.Challenge) {
	if c.To != "" {
		s.add(s.soon, notice{account: c.To, challenge: c.ID}, 0)
	}
}

// add queues a notice, unless the account has no subscriptions or too many notices.
func (s *Sender) add(list chan notice, n notice, delay time.Duration) {
	if !s.Key.valid() || len(s.pushes(n)) == 0 {
		return
	}
	if !s.waiting.Acquire(n.account) {
		s.Dropped.Add(1)
		return
	}
	n.due = s.Now().Add(delay)
	select {
	case list <- n:
	default:
		s.waiting.Release(n.account)
		s.Dropped.Add(1)
	}
}

// pushes returns the subscriptions to which a notice goes.
func (s *Sender) pushes(n notice) []people.Push {
	a, _ := s.People.Account(n.account)
	return slices.DeleteFunc(a.LivePushes(s.Now()), func(p people.Push) bool { return n.endpoint != "" && p.Endpoint != n.endpoint })
}

// deliver turns notices into letters when they are due. Those of a list are due in its order, except that a challenge
// may wait behind notices of turns.
func (s *Sender) deliver(ctx context.Context, list chan notice) {
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-list:
			clock.Sleep(ctx, n.due.Sub(s.Now()))
			s.waiting.Release(n.account)
			if text, ok := s.textOf(ctx, n); ok && ctx.Err() == nil {
				s.post(n, text)
			}
		}
	}
}

// post queues the letters of a notice. Those that are too many for the account or the line are tried again.
func (s *Sender) post(n notice, text text) {
	for _, p := range s.pushes(n) {
		n.endpoint = p.Endpoint
		if !s.flying.Acquire(n.account) {
			s.again(n)
			continue
		}
		if s.outbox.push(letter{n, p, text}) != nil {
			s.flying.Release(n.account)
			s.again(n)
		}
	}
}

// again queues a notice whose delivery failed, a few times.
func (s *Sender) again(n notice) {
	if n.try++; n.try < tries {
		s.add(s.later, n, retryDelay)
		return
	}
	s.Dropped.Add(1)
}

// textOf returns what to say; ok is false if there is nothing to say any more, or the receiver is here.
func (s *Sender) textOf(ctx context.Context, n notice) (m text, ok bool) {
	if n.challenge != "" {
		return s.challengeText(n)
	}
	w := n.waits
	ctx, cancel := context.WithTimeout(ctx, sendTime) // a log that is slow must not stop all notices
	defer cancel()
	r, err := s.Hall.Room(ctx, w.Game)
	if err != nil || r.Follows(w.Side) {
		return m, false
	}
	ok = r.View(func(t *live.Table) bool {
		m = text{t.Game().Title, "It is your turn against %s.", t.Player(w.Side.Other()).Name, "/g/" + w.Game, w.Game}
		if w.Begins {
			m.body = "Your game against %s begins."
			return t.State() == live.Live
		}
		return t.State() == live.Live && t.Turn() == w.Side && t.Ply() == w.Ply
	})
	return m, ok
}

func (s *Sender) challengeText(n notice) (m text, ok bool) {
	list := s.People.Challenges(s.Hall.Now().Service)
	i := slices.IndexFunc(list, func(c people.Challenge) bool { return c.ID == n.challenge && c.To == n.account && c.Game == "" })
	a, _ := s.People.Account(n.account)
	if i < 0 || s.Hall.Follows(a.IDs()) || s.People.Apart(list[i].From, n.account) {
		return m, false
	}
	return text{gameTitle(list[i].Settings.Game), "%s challenges you.", s.People.NameOf(list[i].From, ""), "/challenges", n.challenge}, true
}
