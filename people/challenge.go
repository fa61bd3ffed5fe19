package people

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/live"
)

// Challenges are kept in a fixed number of records, like reports. A challenge that is answered, withdrawn or expired
// frees its record, so nothing of it stays. The keys have a category of their own, which earlier versions ignore.
const challengeKey = "challenge-"

// Limits on challenges.
const (
	MaxChallenges    = 2000 // of everybody
	MaxChallengesOut = 10   // of an account
	MaxChallengesIn  = 20   // to an account
)

// How long a challenge can be accepted, in service time.
const (
	ChallengeMinutes = 10
	SlowDays         = 3 // for a game of days a move, or without a clock
)

// Challenge is an invitation to a game: to a person, or to everybody with a rating in a range.
type Challenge struct {
	ID       string        `json:"id"` // key of the record
	From     string        `json:"from,omitempty"`
	To       string        `json:"to,omitempty"`   // identifier of an account, as From; "" for everybody
	Settings live.Settings `json:"settings"`       // of the game, without its players
	Side     *live.Seat    `json:"side,omitempty"` // of From; nil for either
	Low      int           `json:"low,omitempty"`
	High     int           `json:"high,omitempty"`
	At       int64         `json:"at,omitempty"` // service time at which it was made or accepted

	// Once it is accepted:
	Game string `json:"game,omitempty"` // identifier of the game
	By   string `json:"by,omitempty"`   // who accepted it

	revision uint64
}

// expired reports whether the record of a challenge is free.
func (c Challenge) expired(now int64) bool {
	return c.From == "" || now > c.Expires()
}

// Expires returns the service time at which a challenge expires.
func (c Challenge) Expires() int64 {
	life := ChallengeMinutes * time.Minute
	if clock := c.Settings.Clock; clock.Days > 0 || clock == (live.TimeControl{}) {
		life = SlowDays * 24 * time.Hour
	}
	return c.At + life.Milliseconds()
}

// applyChallenge applies the record of a challenge. The caller holds mu.
func (s *Store) applyChallenge(record live.Record) {
	var c Challenge
	if err := json.Unmarshal(record.Data, &c); err != nil || c.ID != record.Key {
		s.log.Error("a challenge cannot be read", "id", record.Key, "error", err)
		return
	}
	if c.revision = record.Revision; c.revision > s.challenges[c.ID].revision {
		s.challenges[c.ID] = c
	}
}

// Challenges returns the challenges that have not expired at a service time, the oldest first.
func (s *Store) Challenges(now int64) (list []Challenge) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, c := range s.challenges {
		if !c.expired(now) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Challenge) int { return int(a.revision) - int(b.revision) })
	return list
}

// Challenge stores a challenge and returns it with its identifier. It replaces one of the same people. The error
// wraps ErrMany if there are too many of one of them, or in all.
func (s *Store) Challenge(ctx context.Context, c Challenge) (Challenge, error) {
	err := s.retry(ctx, func() error {
		out, in := 0, 0
		c.ID, c.revision = s.freeChallenge(c.At)
		for _, o := range s.Challenges(c.At) {
			if o.From == c.From && o.To == c.To && c.To != "" {
				c.ID, c.revision = o.ID, o.revision
				continue
			}
			if o.From == c.From {
				out++
			}
			if o.To == c.To && c.To != "" {
				in++
			}
		}
		if c.ID == "" || out >= MaxChallengesOut || in >= MaxChallengesIn {
			return ErrMany
		}
		return s.PutChallenge(ctx, c)
	})
	return c, err
}

// freeChallenge returns the key and the revision of a free record; "" if there is none.
func (s *Store) freeChallenge(now int64) (key string, revision uint64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for i := range MaxChallenges {
		key = challengeKey + strconv.Itoa(i)
		if c := s.challenges[key]; c.expired(now) {
			return key, c.revision
		}
	}
	return "", 0
}

// PutChallenge replaces a challenge that nobody has changed since it was read. The error wraps live.ErrStale if
// somebody has.
func (s *Store) PutChallenge(ctx context.Context, c Challenge) error {
	return s.put(ctx, "a challenge", c.ID, c.revision, c)
}

// EndChallenge frees the record of a challenge.
func (s *Store) EndChallenge(ctx context.Context, c Challenge) error {
	return s.PutChallenge(ctx, Challenge{ID: c.ID, revision: c.revision})
}

// ownKey reports whether the Store keeps the record with a key.
func ownKey(key string) bool {
	return key != "" && (live.CategoryOf(key) == live.GameCategory || strings.HasPrefix(key, challengeKey))
}
