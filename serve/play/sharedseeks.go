package play

import (
	"cmp"
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/people"
	"quintet/people/pairing"
	"quintet/serve/api"
	"quintet/serve/fair"
)

// People on several servers are paired by records that all servers follow. A seek without an opponent gets a record,
// with the identifier of its game. Another server claims it for one of its own seeks; the first server accepts the
// claim; then both open the game, and the log keeps one of the two identical openings. Each step replaces the record
// on condition that nobody has changed it.
//
// Nobody is paired twice. Before a server pairs a seek that has a record, here or by a claim, it takes the record
// back. This fails if another server has claimed the record. A claim is either accepted or taken back, never both. A
// killed server accepts nothing; servers that claim its records free them. Of two seeks with records only the newer
// one claims, so that two servers do not block each other again and again.

const (
	maxShared  = 1000                   // records of seeks of all servers
	shareEvery = 250 * time.Millisecond // between checks of the records; a fraction of waveEvery
	shareAfter = 2                      // waves without an opponent
	claimWait  = 4 * time.Second        // for another server to accept a claim
	shareLife  = 10 * time.Minute       // of service time, after which a record may be used for another seek
)

// sharedSeek is the record of a seek. A record without an ID is free.
type sharedSeek struct {
	pairing.Seek
	ID       string                   `json:"id"` // of the game
	At       int64                    `json:"at"` // service time
	Games    map[string]live.Settings `json:"games"`
	Players  [2]live.Player           `json:"players"` // the person who waits, by side
	Claim    *claim                   `json:"claim,omitempty"`
	Accepted bool                     `json:"accepted,omitempty"`

	key      string
	revision uint64
}

// claim is the person who has claimed a seek.
type claim struct {
	Game   string      `json:"game"` // see pairing.Want
	Side   game.Side   `json:"side"` // of this person
	Player live.Player `json:"player"`

	since time.Time
}

// settings returns the settings of the game of a claimed seek.
func (r sharedSeek) settings() live.Settings {
	set := r.Games[r.Claim.Game]
	set.Seats[r.Claim.Side], set.Seats[r.Claim.Side.Other()] = r.Claim.Player, r.Players[r.Claim.Side.Other()]
	return set
}

// shared are the records that concern this server's seeks. Only the goroutine of the waves uses it.
type shared struct {
	mine   map[*seek]sharedSeek // those of its own seeks
	claims map[*seek]sharedSeek // those that its seeks have claimed
	opens  map[*seek]opening    // accepted claims whose game this server has not opened yet
}

// opening is the game of an accepted claim, and the side of this server's seek.
type opening struct {
	record sharedSeek
	side   game.Side
}

// sharedSeeks returns the records of seeks, by their keys.
func (s *Service) sharedSeeks() map[string]sharedSeek {
	list := map[string]sharedSeek{}
	for key, note := range s.People.Notes() {
		var r sharedSeek
		if err := json.Unmarshal(note.Data, &r); err != nil {
			s.Log.Error("the record of a seek cannot be read", "key", key, "error", err)
			continue
		}
		r.key, r.revision = key, note.Revision
		list[key] = r
	}
	return list
}

// put writes a record. It returns false if another server was faster, or the record could not be written.
func (s *Service) put(ctx context.Context, r *sharedSeek) bool {
	revision, err := s.People.PutNote(ctx, r.key, r.revision, api.Encode(r))
	if err == nil {
		r.revision = revision
	}
	return err == nil
}

// share gives records to seeks that have waited for some waves, and takes back those of seeks that have left. It
// accepts claims, and ends its own.
func (s *Service) share(ctx context.Context) {
	all, now := s.sharedSeeks(), s.hall.Now().Service
	for k, o := range s.shared.opens {
		s.openShared(ctx, k, o)
	}
	for k, r := range s.shared.claims {
		s.followClaim(ctx, k, r, all[r.key])
	}
	for k, r := range s.shared.mine {
		switch latest := all[r.key]; {
		case latest.ID == r.ID && latest.Claim != nil:
			delete(s.shared.mine, k)
			s.accept(ctx, k, latest)
		case latest.revision != r.revision:
			delete(s.shared.mine, k) // this server was slow, and another one took it to be dead
		case !s.waiting.has(k) || now-r.At > shareLife.Milliseconds()/2:
			s.takeBack(ctx, k)
		}
	}
	for _, k := range s.waiting.waiting() {
		if _, has := s.shared.mine[k]; !has && k.Missed >= shareAfter {
			s.shareNew(ctx, k, all, now)
		}
	}
}

// shareNew gives a record to a seek, if one is free.
func (s *Service) shareNew(ctx context.Context, k *seek, all map[string]sharedSeek, now int64) {
	start := rand.IntN(maxShared)
	for i := range maxShared {
		key := people.NotePrefix + strconv.Itoa((start+i)%maxShared)
		old := all[key]
		if old.ID != "" && now-old.At < shareLife.Milliseconds() {
			continue
		}
		r := sharedSeek{Seek: k.Seek, Games: k.games, At: now, key: key, revision: old.revision}
		var err error
		if r.ID, err = s.NewID(""); err != nil {
			return
		}
		for side := range game.Side(2) {
			if r.Players[side], err = s.seekPlayer(k, r.ID, side); err != nil {
				return
			}
		}
		if s.put(ctx, &r) {
			s.shared.mine[k] = r
		}
		return
	}
}

// takeBack frees the record of a seek. It returns false if another server has claimed the seek.
func (s *Service) takeBack(ctx context.Context, k *seek) bool {
	mine, has := s.shared.mine[k]
	if !has {
		return true
	}
	free := sharedSeek{key: mine.key, revision: mine.revision}
	ok := s.put(ctx, &free)
	if ok {
		delete(s.shared.mine, k)
	}
	return ok
}

// claimable returns the waiting seeks of other servers, the longest wait first.
func (s *Service) claimable() (list []sharedSeek) {
	now := s.hall.Now().Service
	for _, r := range s.sharedSeeks() {
		own := false
		for _, mine := range s.shared.mine {
			own = own || mine.key == r.key
		}
		if r.ID != "" && r.Claim == nil && now-r.At < shareLife.Milliseconds() && !own {
			r.Seat = true // no two of them are paired here
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b sharedSeek) int { return cmp.Compare(a.revision, b.revision) })
	return list[:min(len(list), maxSeeks)]
}

// claim claims a seek of another server for one of this server, which plays a side.
func (s *Service) claim(ctx context.Context, k *seek, r sharedSeek, wanted string, side game.Side) {
	if mine, has := s.shared.mine[k]; has && mine.revision < r.revision {
		return // the other server claims this one
	}
	if !s.grab(ctx, k) {
		return
	}
	p, err := s.seekPlayer(k, r.ID, side)
	r.Claim = &claim{wanted, side, p, s.Now()}
	if err != nil || !s.put(ctx, &r) {
		s.waiting.giveBack(k)
		return
	}
	s.shared.claims[k] = r
}

// followClaim opens the game of an accepted claim. If the claim was rejected, the seek goes on waiting. If nobody
// answers, the other server was killed: the record is freed, too.
func (s *Service) followClaim(ctx context.Context, k *seek, r, latest sharedSeek) {
	switch {
	case latest.ID == r.ID && latest.Accepted:
		s.openShared(ctx, k, opening{latest, r.Claim.Side})
		s.put(ctx, &sharedSeek{key: r.key, revision: latest.revision})
	case latest.revision != r.revision:
		s.waiting.giveBack(k)
	case s.Now().Sub(r.Claim.since) < claimWait:
		return
	case !s.put(ctx, &sharedSeek{key: r.key, revision: r.revision}):
		return // it may have been accepted at the last moment
	default:
		s.waiting.giveBack(k)
	}
	delete(s.shared.claims, k)
}

// accept accepts the claim of another server, unless the seek has left.
func (s *Service) accept(ctx context.Context, k *seek, r sharedSeek) {
	if !s.waiting.take(k) {
		s.put(ctx, &sharedSeek{key: r.key, revision: r.revision})
		return
	}
	if r.Accepted = true; s.put(ctx, &r) {
		s.openShared(ctx, k, opening{r, r.Claim.Side.Other()})
	} else {
		s.waiting.giveBack(k)
	}
}

// openShared opens the game of a claimed seek, unless the other server has, and gives a seat to a seek. If that fails,
// share tries again: the other person may have the game already.
func (s *Service) openShared(ctx context.Context, k *seek, o opening) {
	id := o.record.ID
	if err := s.hall.Open(fair.WithClient(ctx, k.client), id, o.record.settings(), api.HashKey("a seek of several servers", id)); err != nil {
		if _, again := s.shared.opens[k]; !again {
			s.Log.Warn("opening a game for two seeks on two servers, which is tried again", "error", err)
		}
		s.shared.opens[k] = o
		return
	}
	delete(s.shared.opens, k)
	k.found <- found{id, o.side}
}

// grab takes seeks out of the waiting room, and takes their records back. If one of them has left or was claimed, the
// others go on waiting.
func (s *Service) grab(ctx context.Context, list ...*seek) bool {
	if !s.waiting.take(list...) {
		return false
	}
	for _, k := range list {
		if !s.takeBack(ctx, k) {
			s.waiting.giveBack(list...) // share finds that one of them is claimed
			return false
		}
	}
	return true
}
