package serve

import (
	"testing"
	"time"

	"quintet/live"
)

// TestMeter lists what the service time does.
func TestMeter(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	m := newMeter(live.Beat{Service: 10_000}, zero, 5*time.Second)
	var last live.Beat
	for _, c := range []struct {
		name string
		at   float64
		beat int64 // the greatest that the log has; -1 for no beat
		want int64
	}{
		{"it stands at first", 0, -1, 10_000},
		{"until people are back", 5, 10_000, 10_000},
		{"then it goes on", 6, 10_500, 11_000},
		{"without a beat, for a moment", 8.9, -1, 13_900},
		{"and then it stands", 60, -1, 14_000},
		{"until the log takes a beat; nobody pays since the one before", 61, 10_500, 11_000},
		{"and goes on from there", 62, 11_500, 12_000},
		{"another server may be ahead", 62, 12_400, 12_400},
		{"but one behind does not matter", 63, 9_000, 13_400},
	} {
		if c.beat >= 0 {
			last.Service = max(last.Service, c.beat)
			last = beats(m, last, after(c.at))
		}
		if got := m.now(after(c.at)); got != c.want {
			t.Errorf("%s: at %g s the service time is %d, want %d", c.name, c.at, got, c.want)
		}
	}
}

// TestMeterStandsWithoutEvents wants beats not to let the time go on while events
// are not taken.
func TestMeterStandsWithoutEvents(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s int) time.Time { return zero.Add(time.Duration(s) * time.Second) }
	m := newMeter(live.Beat{}, zero, 0)
	m.halt(after(1))
	beats(m, live.Beat{Service: 900}, after(2))
	if got := m.now(after(2)); got != 1000 || !m.stands(after(2)) {
		t.Errorf("a second after an event was refused, the service time is %d, want 1000, and that it stands", got)
	}
	m.took(after(60))
	beats(m, live.Beat{Service: 900, Seq: 1}, after(61))
	if got := m.now(after(62)); got != 3000 || m.stands(after(62)) {
		t.Errorf("two seconds after one was taken, it is %d, want 3000", got)
	}
}

// TestHungBeat wants a server that is alone to charge nobody for a beat that took long to
// be written.
func TestHungBeat(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s int) time.Time { return zero.Add(time.Duration(s) * time.Second) }
	m := newMeter(live.Beat{}, zero, 0)
	b, err := m.next(live.Beat{}, after(1))
	if err != nil {
		t.Fatal(err)
	}
	b.Seq = 1
	m.taken(b, after(1), after(61))
	beats(m, b, after(61))
	if got := m.now(after(62)); got != 2000 || m.stands(after(62)) {
		t.Errorf("a second after a beat of the first second was written at last, the service time is %d, want 2000", got)
	}
}

// beats lets a server write a beat behind the last one of any server, if it does.
func beats(m *meter, last live.Beat, t time.Time) live.Beat {
	if b, err := m.next(last, t); err == nil {
		b.Seq = last.Seq + 1
		m.taken(b, t, t)
		return b
	}
	return last
}

// TestMeterAfterAnOutage lists what the service time of servers that share a log does
// when the log takes nothing for a while.
func TestMeterAfterAnOutage(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	beat := func(service int64, epoch, seq uint64) live.Beat {
		return live.Beat{Service: service, Epoch: epoch, Seq: seq}
	}
	shared := func() *meter {
		m := newMeter(live.Beat{}, zero, 0)
		m.shared, m.stand, m.name = true, 5*time.Second, "this one"
		beats(m, live.Beat{}, after(1))
		return m
	}
	for _, c := range []struct {
		name      string
		do        func(m *meter)
		at        float64
		want      int64
		sure      bool
		standsNow bool
	}{
		{"a beat ago", func(*meter) {}, 2.9, 2900, true, false},
		{"it is not sure any more", func(*meter) {}, 3.5, 3500, false, false},
		{"it stands", func(*meter) {}, 60, 4000, false, true},
		{"it goes back to the last beat, and stands until people are back", func(m *meter) { beats(m, beat(1000, 0, 1), after(9)) }, 10.9, 1000, true, false},
		{"then it goes on", func(m *meter) {
			for seq := range uint64(6) {
				beats(m, beat(1000, min(seq, 1), seq+1), after(9+float64(seq)))
			}
		}, 15, 2000, true, false},
		{"another server wrote beats, and may still", func(m *meter) { beats(m, beat(7500, 0, 5), after(9)) }, 9.1, 4000, false, true},
		{"what it tells unasked may be late", func(m *meter) {
			m.hears(live.Told{Service: 9200}, after(9.2))
			beats(m, beat(7500, 0, 5), after(9.25))
		}, 9.3, 4000, false, true},
		{"after two seconds without a beat it was cut off, too", func(m *meter) {
			beats(m, beat(7500, 0, 5), after(9))
			beats(m, beat(7500, 0, 5), after(11.1))
		}, 12, 7500, true, false},
		{"after three seconds in which it only writes, its beats have to do", func(m *meter) {
			for s := range 4 {
				beats(m, beat(7500+1000*int64(s), 0, 5+uint64(s)), after(9+1.1*float64(s)))
			}
		}, 12.5, 10700, true, false},
		{"a beat of another that is the same as its own is another's", func(m *meter) {
			_, _ = m.next(beat(1000, 0, 1), after(9))
			beats(m, beat(1000, 1, 2), after(10))
			beats(m, beat(1000, 1, 2), after(11.05))
		}, 11.1, 4000, false, true},
		{"its own of which it was not told is found", func(m *meter) {
			b, _ := m.next(beat(1000, 0, 1), after(9))
			b.Seq = 2
			m.look(b, after(9.5))
		}, 9.6, 1000, true, false},
		{"that others have just gone on is not that they do not answer", func(m *meter) {
			m.out = true
			beats(m, beat(1900, 0, 2), after(2.5))
			beats(m, beat(1900, 1, 3), after(60))
		}, 60.1, 4000, false, true},
		{"a beat that took too long says nothing", func(m *meter) {
			b, _ := m.next(beat(1000, 0, 1), after(2))
			m.taken(b, after(2), after(60))
		}, 60.1, 4000, false, true},
		{"an event that is taken says nothing of others", func(m *meter) { m.took(after(9)) }, 9.1, 4000, false, true},
		{"what others tell is heard", func(m *meter) { m.hears(live.Told{Service: 5000}, after(2)) }, 2.5, 5500, true, false},
		{"what they tell late is not", func(m *meter) { m.hears(live.Told{Service: 500}, after(2)) }, 2.5, 2500, true, false},
		{"nor what they told before an outage", func(m *meter) {
			beats(m, beat(1000, 0, 1), after(9))
			m.hears(live.Told{Service: 4000}, after(9.1))
		}, 10, 1000, true, false},
		{"they tell that the time has gone back, so this one has to ask", func(m *meter) { m.hears(live.Told{Service: 1500, Epoch: 1}, after(2)) }, 2.5, 2500, false, false},
		{"a beat says so, but not where they are", func(m *meter) { beats(m, beat(1500, 1, 4), after(2)) }, 2.1, 2100, false, false},
		{"a beat that is older than one seen is of no use", func(m *meter) {
			beats(m, beat(1900, 0, 4), after(2))
			beats(m, beat(1000, 0, 1), after(9))
		}, 9, 5000, false, true},
	} {
		m := shared()
		c.do(m)
		if got := m.now(after(c.at)); got != c.want || m.sure(after(c.at)) != c.sure || m.stands(after(c.at)) != c.standsNow {
			t.Errorf("%s: at %g s the service time is %d, sure %t, standing %t; want %d, %t, %t",
				c.name, c.at, got, m.sure(after(c.at)), m.stands(after(c.at)), c.want, c.sure, c.standsNow)
		}
	}
}

// TestSlowReaderIsDropped wants who does not read to be sent away, and the others
// to be told all.
func TestSlowReaderIsDropped(t *testing.T) {
	s, id := table(t)
	r, err := s.hub.room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	slow, quick := &watcher{}, &watcher{}
	r.watch(slow, -1)
	r.watch(quick, -1)
	told := 0
	for i := range waiting + 10 {
		r.mu.Lock()
		for w := range r.watchers {
			r.send(w, &line{ply: i})
		}
		r.mu.Unlock()
		if l := <-quick.lines; l.ply == i {
			told++
		}
	}
	r.leave(quick)
	n := 0
	for range slow.lines { // it is closed
		n++
	}
	if told != waiting+10 || n != waiting || s.count.dropped.Load() != 1 {
		t.Errorf("the quick one was told %d, the slow one %d, %d dropped; want %d, %d, 1", told, n, s.count.dropped.Load(), waiting+10, waiting)
	}
}
