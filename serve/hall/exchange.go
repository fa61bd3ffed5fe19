package hall

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"quintet/game"
	"quintet/serve/clock"
)

// PresencePeers are the other servers on a shared log, to exchange which players are
// connected.
type PresencePeers interface {
	// AnnouncePresence sends the seats whose players are connected here, or a phrase of one, to all
	// peers. It may be lost.
	AnnouncePresence(seats []string) error

	// SubscribePresence calls observe with the seats that each peer announces until stop.
	SubscribePresence(observe func(seats []string)) (stop func(), err error)
}

const (
	exchangeInterval = 2 * time.Second
	announceLease    = 3 * exchangeInterval // how long a seat that a peer announces counts as connected
	announceBatch    = 1000                 // seats in a message
)

// exchange records since when this server has heard its peers without a gap. It cannot
// tell who was away before.
type exchange struct {
	peers PresencePeers // nil if no other server exists

	// attending returns who follows something other than a game here, and attends is told that of other servers: see
	// Attendance. Both are nil if nothing else is followed.
	attending func() []string
	attends   func(who string)

	mu    sync.Mutex // guards the rest
	start int64      // service time
	heard int64      // service time when the clock was last synchronized
}

// tick records that this server reaches its peers.
func (x *exchange) tick(now int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if now-x.heard > announceLease.Milliseconds() {
		x.start = now
	}
	x.heard = now
}

// since returns since when this server knows the connections of other servers.
func (x *exchange) since(now int64) int64 {
	if x.peers == nil {
		return 0
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if now-x.heard > announceLease.Milliseconds() {
		return now
	}
	return x.start
}

// Attendance makes servers tell each other what list returns, texts with a slash, and pass it to observe. Call it
// before Start.
func (h *Hall) Attendance(list func() []string, observe func(who string)) {
	h.exchange.attending, h.exchange.attends = list, observe
}

// exchangePresence announces this server's connected players and receives those of other
// servers, until the context ends.
func (h *Hall) exchangePresence(ctx context.Context) {
	stop, err := h.exchange.peers.SubscribePresence(h.observePresence)
	if err != nil {
		h.config.Logger.Error("cannot hear which players are connected to other servers", "error", err)
		return
	}
	defer stop()
	for ctx.Err() == nil {
		if now := h.now(); h.config.Clock.Synced(now) {
			h.exchange.tick(h.config.Clock.Now(now))
			h.announcePresence()
		}
		clock.Sleep(ctx, exchangeInterval)
	}
}

func (h *Hall) announcePresence() {
	var seats []string
	if h.exchange.attending != nil {
		seats = h.exchange.attending()
	}
	for _, r := range h.all() {
		seats = append(seats, r.connectedSeats()...)
	}
	for batch := range slices.Chunk(seats, announceBatch) {
		_ = h.exchange.peers.AnnouncePresence(batch) // the lease outlasts two lost messages
	}
}

// connectedSeats returns the seats of the game whose players are connected here, as
// messages name them: the identifier of the game, and 1 or 2. Games against engines need
// none.
func (r *Room) connectedSeats() (seats []string) {
	l := r.lock()
	defer l.unlock()
	if l.table.EventCount() == 0 || l.table.Player(game.First).Engine != "" || l.table.Player(game.Second).Engine != "" {
		return nil
	}
	for s := range game.Side(2) {
		if l.presence.connected[s] > 0 {
			seats = append(seats, r.id+string('1'+rune(s)))
		}
	}
	return seats
}

// observePresence notes the players that a peer announces, in games that are loaded here. A letter after a seat
// is a phrase of its player; earlier versions ignore such a message.
func (h *Hall) observePresence(seats []string) {
	for _, seat := range seats {
		if strings.Contains(seat, "/") {
			if h.exchange.attends != nil {
				h.exchange.attends(seat)
			}
			continue
		}
		phrase, said := Phrase(""), false
		if n := len(seat) - 1; n > 0 {
			if phrase, said = phraseOf(seat[n]); said {
				seat = seat[:n]
			}
		}
		n := len(seat) - 1
		if n < 0 || seat[n] != '1' && seat[n] != '2' {
			continue
		}
		switch r, side := h.Loaded(seat[:n]), game.Side(seat[n]-'1'); {
		case r == nil:
		case said:
			r.showPhrase(side, phrase)
		default:
			r.Arrive(announceLease, side)
		}
	}
}
