package chaos

import (
	"strings"
	"testing"
	"time"

	"quintet/live"
)

// TestCheckClocks lists what a turn may cost.
func TestCheckClocks(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	c := &clients{outages: []outage{{at(100), at(107)}}}
	for _, k := range []struct {
		name  string
		turns []turn
		left  []int64 // after each ply, beside those before the first
		wrong bool
	}{
		{"what it took", []turn{{at(0), at(10), false, 0}}, []int64{2*mainTime - 10_000}, false},
		{"with an increment", []turn{{at(0), at(10), true, 0}}, []int64{2*mainTime - 5_000}, false},
		{"more than it took", []turn{{at(0), at(10), false, 0}}, []int64{2*mainTime - 12_000}, true},
		{"an outage that is not charged", []turn{{at(99), at(108), false, 0}}, []int64{2*mainTime - 2_000}, false},
		{"an outage that is charged", []turn{{at(99), at(108), false, 0}}, []int64{2*mainTime - 9_000}, true},
		{"an outage of which two servers without an answer may cost 6 s", []turn{{at(99), at(108), false, 2}}, []int64{2*mainTime - 7_500}, false},
		{"the same with one", []turn{{at(99), at(108), false, 1}}, []int64{2*mainTime - 7_500}, true},
		{"what the turn before did not cost", []turn{{at(0), at(3), false, 0}, {at(3), at(4), false, 0}}, []int64{2*mainTime - 1_000, 2*mainTime - 4_000}, false},
		{"more than that", []turn{{at(0), at(3), false, 0}, {at(3), at(4), false, 0}}, []int64{2*mainTime - 1_000, 2*mainTime - 6_500}, true},
	} {
		_, wrong := c.checkClocks("game", k.turns, append([]int64{2 * mainTime}, k.left...), zero.Add(-time.Hour))
		if (len(wrong) > 0) != k.wrong {
			t.Errorf("%s: %v, want findings: %t", k.name, wrong, k.wrong)
		}
	}
}

// TestCountAck checks that a time in which no move waits is no outage.
func TestCountAck(t *testing.T) {
	at := func(s float64) time.Time { return time.Unix(0, 0).Add(time.Duration(s * float64(time.Second))) }
	c := &clients{last: at(1)}
	for _, k := range []struct{ sent, acknowledged float64 }{{5, 5.2}, {5.3, 7}, {6.5, 7.5}} {
		c.countAck(at(k.sent), at(k.acknowledged))
	}
	if len(c.outages) != 1 || c.outages[0] != (outage{at(5.3), at(7)}) {
		t.Errorf("outages %v, want one from 5.3 to 7 s", c.outages)
	}
}

// TestSpectatorChecks lists frames that contradict those before.
func TestSpectatorChecks(t *testing.T) {
	for name, k := range map[string]struct {
		frames       []string
		twice, other int
	}{
		"consistent": {[]string{
			`{"kind":"state","moves":["a"]}`, `{"kind":"moved","n":4,"ply":2,"move":"b"}`, `{"kind":"reply"}`,
			`{"kind":"state","moves":["a"]}`, `{"kind":"moved","n":4,"ply":2,"move":"b"}`,
		}, 0, 0},
		"another move":      {[]string{`{"kind":"state","moves":["a"]}`, `{"kind":"state","moves":["b"]}`}, 1, 0},
		"another event":     {[]string{`{"kind":"moved","n":4,"ply":1,"move":"a"}`, `{"kind":"moved","n":4,"ply":1,"move":"b"}`}, 1, 1},
		"a move is missing": {[]string{`{"kind":"moved","n":4,"ply":2,"move":"b"}`}, 0, 1},
		"malformed":         {[]string{`{`}, 0, 1},
	} {
		f := &spectator{id: "game", clients: &clients{}}
		for _, text := range k.frames {
			f.receive([]byte(text))
		}
		if len(f.clients.Twice) != k.twice || len(f.clients.Differ) != k.other {
			t.Errorf("%s: found %v and %v", name, f.clients.Twice, f.clients.Differ)
		}
	}
}

// TestReflogChecks checks that broken, lost and missing events are found.
func TestReflogChecks(t *testing.T) {
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	opened, err := live.OpenTable("game", live.Settings{Game: "othello", Seats: players, Clock: live.TimeControl{Main: 60}}, "", live.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	table := live.New("game")
	var log [][]byte
	load := func(e live.Event) {
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, data)
		if _, err := table.Load(data); err != nil {
			t.Fatal(err)
		}
	}
	load(opened)
	decide := func(move string) live.Event {
		e, err := table.Decide(live.Command{Do: live.Move, Side: table.Turn(), Move: move, Ply: -1}, live.Stamp{Service: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	rival, err := decide("f4").Encode()
	if err != nil {
		t.Fatal(err)
	}
	load(decide("e3"))
	read := func(events ...[]byte) *reflog {
		r := newReflog(nil)
		for i, data := range events {
			r.apply(live.Entry{Stream: "game", Seq: uint64(i + 1), Data: data})
		}
		return r
	}
	seen := &spectator{id: "game", updates: map[int]string{1: "moved 1 e3"}}
	if r := read(log...); len(r.broken) > 0 || len(r.check("game", []string{"e3"}, seen)) > 0 || len(r.clocks["game"]) != 2 {
		t.Errorf("a good log: %v, %v, clocks %v", r.broken, r.check("game", []string{"e3"}, seen), r.clocks)
	}
	if r := read(append(log, rival)...); len(r.broken) != 1 || !strings.Contains(r.broken[0], "broken") {
		t.Errorf("two moves at one ply: %v, want the second found", r.broken)
	}
	if r := read(log[0]); len(r.check("game", []string{"e3"}, seen)) != 2 {
		t.Errorf("a lost move: %v, want it found, and what the spectator received", r.check("game", []string{"e3"}, seen))
	}
	if r := read(); len(r.check("game", nil, seen)) != 1 {
		t.Error("a lost game is not found")
	}
}
