package hall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quintet/live"
	"quintet/serve/fair"
)

// TestFairTurns checks that a person who waits for an engine comes before engines that play each
// other, and after one move of a client with many games.
func TestFairTurns(t *testing.T) {
	q := newTurnQueue(t)
	for range 3 {
		q.alone("stranger")
		q.person("stranger")
	}
	q.person("person")
	q.alone("watcher")
	q.want("stranger person stranger stranger watcher stranger stranger stranger")
}

// TestAwaited checks that a game between engines for which a tournament waits comes before games that nobody waits for,
// whoever else watches it, and takes the turns of its organiser: others are not delayed by an organiser's many games.
func TestAwaited(t *testing.T) {
	q := newTurnQueue(t)
	for range 3 {
		q.alone("stranger")
		q.alone("host")
		q.alone("rival").Await("rival")
	}
	r := q.alone("stranger") // who came first, so the game is in the queue
	r.Await("host")
	if r.Watch(&Watcher{Client: "stranger"}, -1); r.client != "host" {
		t.Errorf("its moves take the turns of %q", r.client)
	}
	q.names[r] = "round"
	q.person("person")
	q.want("rival round person rival rival stranger host stranger host stranger host")

	now := time.Now().Add(keepLive)
	q.now = func() time.Time { return now }
	l := r.lock()
	defer l.unlock()
	if l.engineMove().urgent {
		t.Error("a game is urgent long after the tournament")
	}
}

// turnQueue is a queue of engine moves that nobody serves.
type turnQueue struct {
	*server
	t     *testing.T
	names map[*Room]string // of the clients
}

func newTurnQueue(t *testing.T) *turnQueue {
	t.Helper()
	q := &turnQueue{unstarted(t, live.NewMemory(), false), t, map[*Room]string{}}
	q.pool.quick = fair.NewLine[*Room](100, 100)
	return q
}

// open opens a game for which a client asks.
func (q *turnQueue) open(client string, first live.Player) *Room {
	q.t.Helper()
	id := fmt.Sprintf("abcdefgh%04d", len(q.names))
	seats := [2]live.Player{first, {Name: "b", Engine: "random"}}
	if err := q.Open(q.t.Context(), id, live.Settings{Game: "othello", Seats: seats}, ""); err != nil {
		q.t.Fatal(err)
	}
	r, err := q.Room(q.t.Context(), id)
	if err != nil {
		q.t.Fatal(err)
	}
	q.names[r] = client
	r.Visit(client)
	return r
}

// alone opens a game between engines.
func (q *turnQueue) alone(client string) *Room {
	q.t.Helper()
	return q.open(client, live.Player{Name: "a", Engine: "random"})
}

// person opens a game of a client with an engine that is to move.
func (q *turnQueue) person(client string) {
	q.t.Helper()
	r := q.open(client, live.Player{Name: "a", Secret: "a"})
	if _, err := q.Do(q.t.Context(), r.id, live.Command{Do: live.Move, Move: "f4", Ply: -1, Client: client}); err != nil {
		q.t.Fatal(err)
	}
}

// want checks whose moves are next.
func (q *turnQueue) want(names string) {
	q.t.Helper()
	var got []string
	for r, ok := q.pool.quick.TryPop(); ok; r, ok = q.pool.quick.TryPop() {
		got = append(got, q.names[r])
	}
	if strings.Join(got, " ") != names {
		q.t.Errorf("served %s, want %s", got, names)
	}
}
