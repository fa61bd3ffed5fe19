package play

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/live/index"
	"quintet/people/pairing"
	"quintet/people/rating"
	"quintet/serve/clock"
	"quintet/serve/fair"
	"quintet/serve/hall"
)

// Play now: people wait on this server for an opponent in any of several games. Once a second, a wave pairs
// them with each other and with listed open seats.
//
// Nobody is paired twice. One goroutine takes both seeks of a pair out of the waiting room before it opens their
// game. All servers see open seats: a seat goes to the seek whose event the log accepts first, and other seeks
// go back to waiting. sharedseeks.go pairs seeks of different servers.

const (
	waveEvery = time.Second      // two people who arrive together play within 2 s
	offerAt   = 10 * time.Second // when a level is offered to those who still wait

	seeksEach = 8   // seeks from an address: a classroom shares one
	maxSeeks  = 200 // from all addresses: a wave's matching takes O(n³) time, 64 ms for 200
	maxWants  = 8   // games of a seek
	seatsSeen = 50  // latest open seats that a wave considers
)

// seek is a person who waits. Only the goroutine of the waves changes it.
type seek struct {
	pairing.Seek
	games   map[string]live.Settings // by pairing.Want.Game
	key     string                   // of the request; the secret of the seat is derived from it
	player  live.Player              // who waits
	ratings []index.PoolRating       // of the person
	client  string                   // address, for fair shares
	keys    []string                 // to the person's seats: nobody plays against themselves
	since   time.Time
	left    <-chan struct{}

	found chan found // holds the game when there is one
}

// found is the seat given to a seek.
type found struct {
	id   string
	side game.Side
}

// waitingRoom holds the seeks of this server.
type waitingRoom struct {
	each *fair.Counter

	mu   sync.Mutex // guards list
	list []*seek
}

func newWaitingRoom() *waitingRoom { return &waitingRoom{each: fair.NewCounter(seeksEach)} }

// enter adds a seek. The error is fair.ErrClient or fair.ErrFull.
func (w *waitingRoom) enter(k *seek) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.list) >= maxSeeks:
		return fair.ErrFull
	case !w.each.Acquire(k.client):
		return fair.ErrClient
	}
	w.list = append(w.list, k)
	return nil
}

// leave removes a seek that has entered, whether or not it was taken.
func (w *waitingRoom) leave(k *seek) {
	w.take(k)
	w.each.Release(k.client)
}

// take removes seeks if all of them are still here, and reports whether they were.
func (w *waitingRoom) take(list ...*seek) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range list {
		if !slices.Contains(w.list, k) {
			return false
		}
	}
	w.list = slices.DeleteFunc(w.list, func(k *seek) bool { return slices.Contains(list, k) })
	return true
}

// has reports whether a seek is still here.
func (w *waitingRoom) has(k *seek) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.list, k)
}

// giveBack puts seeks that got no game back on the list, unless they have left.
func (w *waitingRoom) giveBack(list ...*seek) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range list {
		select {
		case <-k.left:
		default:
			w.list = append(w.list, k)
		}
	}
}

// waiting returns a copy of the list of seeks.
func (w *waitingRoom) waiting() []*seek {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.list)
}

// countFor returns how many other seeks want one of the same games.
func (w *waitingRoom) countFor(k *seek) (n int) {
	for _, other := range w.waiting() {
		if other != k && slices.ContainsFunc(other.Wants, func(x pairing.Want) bool { _, ok := k.games[x.Game]; return ok }) {
			n++
		}
	}
	return n
}

// pairWaiting runs the waves until the context ends.
func (s *Service) pairWaiting(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if list := s.waiting.waiting(); len(list) > 0 && n%int(waveEvery/shareEvery) == 0 {
			s.wave(ctx, list)
		}
		if s.config.Shared {
			s.share(ctx)
		}
		clock.Sleep(ctx, shareEvery)
	}
}

// wave pairs seeks with each other and with open seats.
func (s *Service) wave(ctx context.Context, list []*seek) {
	var all []pairing.Seek
	for _, k := range list {
		all = append(all, k.Seek)
		k.Missed++
	}
	seats := s.openSeats(ctx)
	for _, row := range seats {
		all = append(all, s.seatSeek(ctx, row))
	}
	var others []sharedSeek
	if s.config.Shared {
		others = s.claimable()
	}
	for _, r := range others {
		all = append(all, r.Seek)
	}
	for _, p := range pairing.Wave(all, func() bool { return rand.IntN(2) == 0 }) {
		if p.First < len(list) && p.Second < len(list) {
			s.begin(ctx, p.Game, [2]*seek{list[p.First], list[p.Second]})
			continue
		}
		k, side := p.First, game.First
		if k >= len(list) {
			k, side = p.Second, game.Second
		}
		i := p.First + p.Second - k - len(list) // of the seat or the seek of another server
		if i < len(seats) {
			s.sitDown(ctx, list[k], seats[i].ID, side)
		} else {
			s.claim(ctx, list[k], others[i-len(seats)], p.Game, side)
		}
	}
}

// openSeats returns the latest listed games that have a clock, one person and one open seat.
func (s *Service) openSeats(ctx context.Context) []index.Row {
	rows, _, err := s.index.List(ctx, index.Query{State: live.Open, Limit: seatsSeen})
	if err != nil { // the list is being rebuilt: people are still paired with each other
		return nil
	}
	return slices.DeleteFunc(rows, func(r index.Row) bool {
		return r.Seats[0].Joined() == r.Seats[1].Joined() || r.Seats[0].Engine != "" || r.Seats[1].Engine != "" || r.Clock == live.TimeControl{}
	})
}

// seatSeek returns a game with an open seat as a seek of the person who waits there.
func (s *Service) seatSeek(ctx context.Context, r index.Row) pairing.Seek {
	side, person := pairing.First, r.Seats[0].Person
	if r.Seats[1].Joined() {
		side, person = pairing.Second, r.Seats[1].Person
	}
	list, err := s.index.Ratings(ctx, person)
	if err != nil {
		list = nil // as a new player, until the list is rebuilt
	}
	points := ratingIn(list, live.Settings{Game: r.Game, Options: r.Options, Clock: r.Clock}).Rounded()
	want := pairing.Want{Game: gameWanted(r.Game, r.Options, r.Clock, r.Rated), Rating: points, High: rating.Max, Side: side}
	return pairing.Seek{Client: r.ID, Wants: []pairing.Want{want}, Seat: true}
}

// begin opens the game of two seeks. If it cannot be opened, they go on waiting.
func (s *Service) begin(ctx context.Context, wanted string, two [2]*seek) {
	if !s.grab(ctx, two[0], two[1]) {
		return // one has left, or another server was faster
	}
	id, err := s.NewID("")
	settings := two[0].games[wanted]
	for i, k := range two {
		if err == nil {
			settings.Seats[i], err = s.seekPlayer(k, id, game.Side(i))
		}
	}
	if err == nil {
		err = s.hall.Open(fair.WithClient(ctx, two[0].client), id, settings, "")
	}
	if err != nil {
		s.Log.Warn("opening a game for two seeks failed", "error", err)
		s.waiting.giveBack(two[0], two[1])
		return
	}
	for i, k := range two {
		k.found <- found{id, game.Side(i)}
	}
}

// sitDown gives a seek the open seat of a game. If somebody else was faster, or the game is the client's own,
// the seek goes on waiting and ignores that game. After a fault it may try that game again.
func (s *Service) sitDown(ctx context.Context, k *seek, id string, side game.Side) {
	if !s.grab(ctx, k) {
		return
	}
	room, err := s.hall.Room(ctx, id)
	fits := err == nil && s.waitsFor(room, k, side.Other())
	if fits {
		var p live.Player
		if p, err = s.seekPlayer(k, id, side); err == nil {
			_, err = s.hall.Do(ctx, id, live.Command{Do: live.Sit, Side: side, Player: p, Client: k.client})
		}
	}
	if err != nil || !fits {
		if err == nil || hall.IsRefusal(err) {
			k.Blocked = append(k.Blocked, id)
		}
		s.waiting.giveBack(k)
		return
	}
	k.found <- found{id, side}
}

// waitsFor reports whether somebody else is present in a game and waits for an opponent like this seek.
func (s *Service) waitsFor(room *hall.Room, k *seek, other game.Side) bool {
	there := room.Presence()[other]
	usual := room.View(func(t *live.Table) bool {
		set := t.Settings()
		return s.mayRate(set.Rated, k.player) == nil && set.Position == "" && len(set.Moves) == 0 && s.mayMeet(k.player, t.Player(other)) == nil
	})
	return usual && there != nil && there.Here && len(room.SeatsOf(k.keys)) == 0
}

// seekPlayer returns the player who takes a seat for a seek. The client later takes the seat with the same key.
func (s *Service) seekPlayer(k *seek, id string, side game.Side) (live.Player, error) {
	secret, err := s.NewSecret(k.key, "seat "+id+" "+side.String()) // as in takeSeat
	return live.Player{Name: k.player.Name, Person: k.player.Person, Secret: live.HashSecret(secret)}, err
}
