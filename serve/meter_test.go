package serve

import (
	"testing"
	"time"
)

// TestMeter lists what the service time does.
func TestMeter(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	m := newMeter(10_000, zero, 5*time.Second)
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
			m.beaten(c.beat, after(c.at))
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
	m := newMeter(0, zero, 0)
	m.took(false, after(1))
	m.beaten(900, after(2))
	if got := m.now(after(2)); got != 1000 || !m.stands(after(2)) {
		t.Errorf("a second after an event was refused, the service time is %d, want 1000, and that it stands", got)
	}
	m.took(true, after(60))
	m.beaten(1000, after(61))
	if got := m.now(after(62)); got != 3000 || m.stands(after(62)) {
		t.Errorf("two seconds after one was taken, it is %d, want 3000", got)
	}
}

// TestMeterAfterAnOutage lists what the service time of servers that share a log does
// when the log takes nothing for a while.
func TestMeterAfterAnOutage(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	shared := func() *meter {
		m := newMeter(0, zero, 0)
		m.shared, m.stand = true, 5*time.Second
		m.beaten(0, after(1))
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
		{"it goes back to the last beat, and stands until people are back", func(m *meter) { m.beaten(1000, after(9)) }, 10.9, 1000, true, false},
		{"then it goes on", func(m *meter) {
			for s := 9.0; s <= 14; s++ {
				m.beaten(1000, after(s))
			}
		}, 15, 2000, true, false},
		{"it asks others first", func(m *meter) { m.beaten(1000, after(9)) }, 9.1, 1000, false, false},
		{"for a second, if nobody tells", func(m *meter) { m.beaten(1000, after(9)) }, 9.9, 1000, false, false},
		{"or until somebody does", func(m *meter) { m.beaten(7500, after(9)); m.hears(9200, after(9.2)) }, 9.3, 9300, true, false},
		{"an event that is taken tells as much", func(m *meter) { m.took(true, after(9)) }, 10.1, 1000, true, false},
		{"where others went on, so does it", func(m *meter) { m.beaten(8500, after(9)) }, 10, 9500, true, false},
		{"what others tell is heard", func(m *meter) { m.hears(5000, after(2)) }, 2.5, 5500, true, false},
		{"what they tell late is not", func(m *meter) { m.hears(500, after(2)) }, 2.5, 2500, true, false},
	} {
		m := shared()
		c.do(m)
		if got := m.now(after(c.at)); got != c.want || m.sure(after(c.at)) != c.sure || m.stands(after(c.at)) != c.standsNow {
			t.Errorf("%s: at %g s the service time is %d, sure %t, standing %t; want %d, %t, %t",
				c.name, c.at, got, m.sure(after(c.at)), m.stands(after(c.at)), c.want, c.sure, c.standsNow)
		}
	}
	for _, s := range []float64{1.5, 60} {
		if got := shared().proven(after(s)); got != 1000 {
			t.Errorf("at %g s a beat tells %d, want 1000, when the last one was taken", s, got)
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
