package serve

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// TestMeterWaits waits until something may be decided: at once in step, until a beat
// is taken, and no longer than two seconds or until it is known that nothing is taken.
func TestMeterWaits(t *testing.T) {
	for _, test := range []struct {
		name  string
		last  time.Duration // of the last beat that was taken, before the call
		then  time.Duration // after which another one is taken; 0 for never
		until time.Duration // the context ends; 0 for never
		takes time.Duration
		err   error
	}{
		{"in step", sureFor, 0, 0, 0, nil},
		{"a beat comes", sureFor + time.Millisecond, 300 * time.Millisecond, 0, 300 * time.Millisecond, nil},
		{"no beat comes, and the time stands", sureFor + time.Millisecond, 0, 0, time.Second, errUnsure},
		{"it stands already", beatGrace + time.Second, 0, 0, 0, errUnsure},
		{"nobody waits any more", sureFor + time.Millisecond, 0, 100 * time.Millisecond, 100 * time.Millisecond, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			m := newMeter(live.Beat{}, began.Add(-test.last), 0)
			if test.then > 0 {
				time.AfterFunc(test.then, func() { beats(m, live.Beat{}, time.Now()) })
			}
			ctx := t.Context()
			if test.until > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, test.until)
				defer cancel()
			}
			err := m.waitSure(ctx, time.Now)
			took := time.Since(began)
			if !errors.Is(err, test.err) || took < test.takes || took > test.takes+10*time.Millisecond {
				t.Errorf("%s: %v after %v, want %v after %v", test.name, err, took, test.err, test.takes)
			}
			if test.err != nil && !errors.Is(err, errUnsure) {
				t.Errorf("%s: %v does not say that the log takes nothing", test.name, err)
			}
		})
	}
}

// TestMeterRest says how long the time still stands for people to find back.
func TestMeterRest(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	m := newMeter(live.Beat{Service: 7000}, zero, 5*time.Second)
	for after, want := range map[time.Duration]time.Duration{0: 5 * time.Second, 2 * time.Second: 3 * time.Second, 5 * time.Second: 0, time.Minute: 0} {
		if got := m.rest(zero.Add(after)); got != want {
			t.Errorf("after %v it rests %v, want %v", after, got, want)
		}
	}
}

// TestMeterRefused lists what a refused write does to the time: a server that is alone
// stands until an event or a beat is taken, one of several does not.
func TestMeterRefused(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	for _, test := range []struct {
		name   string
		shared bool
		then   func(m *meter)
		want   int64 // at two seconds and a half
		stands bool
	}{
		{"alone", false, func(*meter) {}, 1000, true},
		{"alone, and an event is taken", false, func(m *meter) { m.took(after(2)) }, 1500, false},
		{"alone, and a beat is taken", false, func(m *meter) { beats(m, live.Beat{}, after(2)) }, 1500, false},
		{"one of several", true, func(*meter) {}, 2500, false},
	} {
		m := newMeter(live.Beat{}, zero, 0)
		m.shared = test.shared
		beats(m, live.Beat{}, after(0.5))
		m.refused(after(1))
		if test.then(m); m.now(after(2.5)) != test.want || m.stands(after(2.5)) != test.stands {
			t.Errorf("%s: the service time is %d, standing %t, want %d, %t", test.name, m.now(after(2.5)), m.stands(after(2.5)), test.want, test.stands)
		}
	}
}

// TestMeterTook wants an event that is taken after an outage to let the time go on from
// the last beat, once people are back, and one in step to change nothing.
func TestMeterTook(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	m := newMeter(live.Beat{}, zero, 0)
	m.stand = 3 * time.Second
	last := beats(m, live.Beat{}, after(1))
	if m.took(after(2)); m.now(after(2.5)) != 2500 {
		t.Errorf("in step: %d, want 2500", m.now(after(2.5)))
	}
	m.took(after(60))
	for at, want := range map[float64]int64{60: last.Service, 63: last.Service, 64: last.Service + 1000} {
		if got := m.now(after(at)); got != want {
			t.Errorf("%g s: %d, want %d", at, got, want)
		}
	}
	if !m.sure(after(61)) || m.sure(after(62.1)) {
		t.Error("an event is as good as a beat, for two seconds")
	}
}

// TestMeterPatience bounds how long a beat may take to be read or written.
func TestMeterPatience(t *testing.T) {
	alone, shared := meter{}, meter{shared: true}
	if alone.patience() != beatTime || shared.patience() != beatTimeShared || beatTimeShared >= sureFor {
		t.Errorf("%v alone, %v of several", alone.patience(), shared.patience())
	}
}

// TestMeterTrouble logs once that there are no beats, and once that there are again;
// what is soon over is not worth a line.
func TestMeterTrouble(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	broken := errors.New("broken")
	type step struct {
		at  time.Duration
		err error
	}
	for _, test := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"nothing", []step{{0, nil}, {1, nil}}, ""},
		{"broken, and again", []step{{0, broken}, {1, broken}}, "W"},
		{"over again", []step{{0, broken}, {1, nil}, {2, nil}}, "WI"},
		{"twice", []step{{0, broken}, {1, nil}, {2, broken}, {3, nil}}, "WIWI"},
		{"another is quicker for a while", []step{{0, live.ErrStale}, {quietTime, errApart}, {quietTime + 1, nil}}, ""},
		{"another is quicker for long", []step{{0, live.ErrStale}, {quietTime + 1, errApart}, {quietTime + 2, nil}}, "WI"},
		{"at times", []step{{0, errApart}, {quietTime, nil}, {quietTime + 1, errApart}, {quietTime + 2, errApart}}, ""},
	} {
		var out bytes.Buffer
		r := trouble{logger: slog.New(slog.NewTextHandler(&out, nil))}
		for _, s := range test.steps {
			r.note(s.err, zero.Add(s.at))
		}
		got := ""
		for line := range strings.Lines(out.String()) {
			switch {
			case strings.Contains(line, "level=WARN"):
				got += "W"
			case strings.Contains(line, "level=INFO"):
				got += "I"
			}
		}
		if got != test.want {
			t.Errorf("%s: logs %q, want %q: %s", test.name, got, test.want, out.String())
		}
	}
}

// TestMeterSlowBeat wants a beat that took long to be written to count from when it
// was written, if the server is alone: nobody else can have written since.
func TestMeterSlowBeat(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	for shared, sure := range map[bool]float64{false: 4.5, true: 3} {
		m := newMeter(live.Beat{}, zero, 0)
		m.shared = shared
		b, err := m.next(live.Beat{}, after(1))
		if err != nil {
			t.Fatal(err)
		}
		b.Seq = 1
		m.taken(b, after(1), after(2.5))
		if !m.sure(after(sure)) || m.sure(after(sure+0.1)) {
			t.Errorf("shared %t: it is not sure until %g s", shared, sure)
		}
	}
}
