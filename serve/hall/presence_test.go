package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/live"
)

// TestAbsent checks which absence counts. Steps are "SECONDS what side", in order.
func TestAbsent(t *testing.T) {
	for name, c := range map[string]struct {
		steps  string
		at     int64 // seconds
		unseen int64 // of the second side, in seconds
		absent int64
		since  int64
	}{
		"just loaded":                   {at: 5, unseen: 5},
		"never came":                    {steps: "0 connect 0", at: 60, unseen: 60, absent: 60},
		"connected":                     {steps: "0 connect 0, 1 connect 1", at: 60},
		"two connections, one left":     {steps: "0 connect 0, 1 connect 1, 2 connect 1, 3 disconnect 1", at: 60},
		"left":                          {steps: "0 connect 0, 0 connect 1, 30 disconnect 1", at: 60, unseen: 30, absent: 30},
		"left a moment ago":             {steps: "0 connect 0, 0 connect 1, 56 disconnect 1", at: 60, unseen: 4},
		"sent a request":                {steps: "0 connect 0, 40 arrive 1", at: 60, unseen: 20, absent: 20},
		"back":                          {steps: "0 connect 0, 0 connect 1, 10 disconnect 1, 50 connect 1", at: 60},
		"both left, only one came back": {steps: "0 connect 0, 0 connect 1, 10 disconnect 0, 10 disconnect 1, 50 connect 0", at: 60, unseen: 50, absent: 10},
		"the opponent reconnected":      {steps: "0 connect 0, 0 connect 1, 10 disconnect 1, 20 disconnect 0, 24 connect 0", at: 60, unseen: 50, absent: 50},
		"both left":                     {steps: "0 connect 0, 0 connect 1, 10 disconnect 0, 10 disconnect 1", at: 60, unseen: 50, absent: 0},
		"peers were not heard":          {steps: "0 connect 0", at: 60, since: 40, unseen: 60, absent: 20},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPresence(0)
			for step := range strings.SplitSeq(c.steps, ", ") {
				var at int64
				var what string
				var s game.Side
				if n, _ := fmt.Sscanf(step, "%d %s %d", &at, &what, &s); n < 3 {
					continue
				}
				switch at *= 1000; what {
				case "connect":
					p.connect(s, at, 1)
				case "disconnect":
					p.connect(s, at, -1)
				case "arrive":
					p.arrive(s, at, 0)
				}
			}
			got := [2]int64{p.unseen(game.Second, c.at*1000), p.absent(game.Second, c.at*1000, c.since*1000) / 1000}
			if want := [2]int64{c.unseen * 1000, c.absent}; got != want {
				t.Errorf("unseen for %d ms, absent for %d s, want %d ms, %d s", got[0], got[1], want[0], want[1])
			}
		})
	}
}

// peersBus implements PresencePeers for servers in one process.
type peersBus struct {
	mu      sync.Mutex // guards the rest
	observe map[*peer]func([]string)
	cut     bool // nothing arrives
}

type peer struct{ bus *peersBus }

func (p *peer) AnnouncePresence(seats []string) error {
	p.bus.mu.Lock()
	defer p.bus.mu.Unlock()
	for other, f := range p.bus.observe {
		if other != p && !p.bus.cut {
			f(seats)
		}
	}
	return nil
}

func (p *peer) SubscribePresence(observe func([]string)) (stop func(), err error) {
	p.bus.mu.Lock()
	defer p.bus.mu.Unlock()
	p.bus.observe[p] = observe
	return func() {}, nil
}

func (b *peersBus) join() *peer { return &peer{b} }

// clocked opens a game of othello with 5 minutes for each side.
func clocked(t *testing.T, s *server) (*Room, string) {
	t.Helper()
	const id = "abcdefgh2344"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 300}, Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r, id
}

// begin starts a hall alone on its log.
func begin(t *testing.T) *server {
	t.Helper()
	s := unstarted(t, live.NewMemory(), false)
	ctx, cancel := context.WithCancel(t.Context())
	s.cancel = cancel
	s.Start(ctx)
	return s
}

// TestClaimWin claims the win as soon as the opponent has been away for long enough.
func TestClaimWin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t)
		defer s.stop()
		r, id := clocked(t, s)
		first, second := &Watcher{Seats: []game.Side{game.First}}, &Watcher{Seats: []game.Side{game.Second}}
		r.Watch(first, -1)
		r.Watch(second, -1)
		time.Sleep(10 * time.Second)
		claim := live.Command{Do: live.ClaimWin, Side: game.Second, Away: 1 << 40} // what a caller says of absence does not count
		refused := func(reason string) {
			t.Helper()
			var e *live.Error
			if _, err := s.Do(t.Context(), id, claim); !errors.As(err, &e) || e.Reason != reason {
				t.Errorf("claim: %v, want a refusal by %s", err, reason)
			}
		}
		refused("away.here")
		r.Leave(first)
		time.Sleep(59 * time.Second)
		refused("away.early")
		if p := r.Presence(); p[0].Here || p[0].Away != 59_000 || *p[0].ClaimWin != 1000 || !p[1].Here {
			t.Errorf("presence %+v, %+v, want the first side away for 59 s and claimable in 1 s", p[0], p[1])
		}
		time.Sleep(time.Second)
		if _, err := s.Do(t.Context(), id, claim); err != nil {
			t.Errorf("claim after a minute: %v", err)
		}
		if e := last(t, s.config.Log, id); e.Kind != live.Abandoned || e.Result != "second wins" {
			t.Errorf("the last event is %+v, want the game abandoned and won by the second side", e)
		}
	})
}

// TestClaimAfterRestart checks that absence begins again after a restart.
func TestClaimAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t)
		r, id := clocked(t, s)
		second := &Watcher{Seats: []game.Side{game.Second}}
		r.Watch(second, -1)
		time.Sleep(59 * time.Second)
		s.stop()
		time.Sleep(time.Hour)
		again := unstarted(t, s.config.Log, false)
		var ctx context.Context
		ctx, again.cancel = context.WithCancel(t.Context())
		again.Start(ctx)
		defer again.stop()
		r, err := again.Room(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		r.Watch(&Watcher{Seats: []game.Side{game.Second}}, -1)
		claim := live.Command{Do: live.ClaimWin, Side: game.Second}
		time.Sleep(59 * time.Second)
		if _, err := again.Do(t.Context(), id, claim); !live.IsCode(err, live.CodeNothing) {
			t.Errorf("claim 59 s after the restart: %v, want a refusal", err)
		}
		time.Sleep(2 * time.Second)
		if _, err := again.Do(t.Context(), id, claim); err != nil {
			t.Errorf("claim 61 s after the restart: %v", err)
		}
	})
}

// TestPresenceLines checks the presence events of watchers while a player's connection
// flaps, leaves and returns.
func TestPresenceLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t)
		defer s.stop()
		r, _ := clocked(t, s)
		told, quiet := &Watcher{Presence: true}, &Watcher{}
		r.Watch(told, -1)
		r.Watch(quiet, -1)
		player := &Watcher{Seats: []game.Side{game.First, game.Second}}
		for range 100 { // it flaps
			r.Watch(player, -1)
			time.Sleep(100 * time.Millisecond)
			r.Leave(player)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		r.Watch(player, -1)
		time.Sleep(time.Minute)
		r.Leave(told)
		r.Leave(quiet)
		var got []string
		for l := range told.Messages() {
			var p [2]*Presence
			if err := json.Unmarshal(l.plain, &p); err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(p[0].Here, p[1].Here))
		}
		if diff := cmp.Diff([]string{"true true", "false false", "true true"}, got); diff != "" {
			t.Errorf("the watcher was told (-want +got):\n%s", diff)
		}
		if l, ok := <-quiet.Messages(); ok {
			t.Errorf("a watcher who did not ask for presence was told %s", l.plain)
		}
	})
}

// TestPresenceIsLimited checks how often watchers get presence events of a player who
// comes for a moment after each absence.
func TestPresenceIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t)
		defer s.stop()
		r, _ := clocked(t, s)
		told := &Watcher{Presence: true}
		r.Watch(told, -1)
		var n int
		for range 20 {
			r.Arrive(0, game.First)
			time.Sleep(awayGrace + 10*time.Millisecond)
			n += len(told.messages)
			for len(told.messages) > 0 {
				<-told.messages
			}
		}
		if most := int(20*(awayGrace+10*time.Millisecond)/tellInterval) + 1; n > most || n == 0 {
			t.Errorf("the watcher was told %d times, want 1 to %d", n, most)
		}
	})
}

// TestPresenceElsewhere checks that a player who is connected to another server is here.
func TestPresenceElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := &peersBus{observe: map[*peer]func([]string){}}
		log := live.NewMemory()
		var servers [2]*server
		for i := range servers {
			s := unstarted(t, log, true)
			s.exchange.peers = bus.join()
			var ctx context.Context
			ctx, s.cancel = context.WithCancel(t.Context())
			s.Start(ctx)
			defer s.stop()
			servers[i] = s
		}
		time.Sleep(2 * time.Second)
		here, id := clocked(t, servers[0])
		there, err := servers[1].Room(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		first, second := &Watcher{Seats: []game.Side{game.First}}, &Watcher{Seats: []game.Side{game.Second}}
		there.Watch(first, -1)
		here.Watch(second, -1)
		wants := func(want [2]bool) {
			t.Helper()
			for i, r := range []*Room{here, there} {
				if p := r.Presence(); p[0].Here != want[0] || p[1].Here != want[1] {
					t.Errorf("at server %d: here %t, %t, want %t", i, p[0].Here, p[1].Here, want)
				}
			}
		}
		time.Sleep(time.Minute)
		wants([2]bool{true, true})
		there.Leave(first)
		time.Sleep(exchangeInterval + announceLease + awayGrace + time.Second)
		wants([2]bool{false, true})
		there.Watch(first, -1)
		time.Sleep(2 * exchangeInterval)
		wants([2]bool{true, true})
	})
}

// TestExchangeGap checks that a server that did not reach its peers counts no absence from
// before.
func TestExchangeGap(t *testing.T) {
	x := exchange{peers: &peer{}}
	for _, c := range []struct{ tick, now, want int64 }{
		{1000, 1000, 0}, {3000, 3000, 0}, {9000, 15_000, 0},
		{0, 15_001, 15_001}, {20_000, 20_000, 20_000}, {22_000, 23_000, 20_000},
	} {
		if c.tick > 0 {
			x.tick(c.tick)
		}
		if got := x.since(c.now); got != c.want {
			t.Errorf("at %d it knows who is away since %d, want %d", c.now, got, c.want)
		}
	}
}

// TestAnnouncedSeats checks which seats a server announces, and that it ignores nonsense.
func TestAnnouncedSeats(t *testing.T) {
	s, id := table(t)
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.Watch(&Watcher{Seats: []game.Side{game.Second}}, -1)
	r.Watch(&Watcher{}, -1)
	if got := r.connectedSeats(); !slices.Equal(got, []string{id + "2"}) {
		t.Errorf("the seats %v are announced, want that of the second side", got)
	}
	var seen []string
	s.Attendance(nil, func(who string) { seen = append(seen, who) })
	s.observePresence([]string{"", "1", id, id + "3", "abcdefgh23451", id + "1", "tournament/ann"})
	if !slices.Equal(seen, []string{"tournament/ann"}) {
		t.Errorf("it hears that %q attend on other servers, want one player of a tournament", seen)
	}
	if r.presence.seenUntil[0] <= r.hall.Now().Service || r.presence.seenUntil[1] > r.hall.Now().Service {
		t.Errorf("seats seen until %v, want the first one alone in the future", r.presence.seenUntil)
	}
}
