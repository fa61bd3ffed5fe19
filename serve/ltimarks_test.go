package serve_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// fragile is a log that loses the connection when a mark was sent, and a test wants it.
type fragile struct {
	live.Log
	mu  sync.Mutex // guards off
	off bool
}

func (l *fragile) set(off bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.off = off
}

func (l *fragile) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.off && bytes.Contains(data, []byte(`"reported"`)) {
		return 0, errors.New("the log is away")
	}
	return l.Log.Append(ctx, stream, after, data)
}

// TestMarksLater sends marks when the platform is down, across restarts, and when the log fails between a mark and the
// event about it: the platform gets each in the end, and an older one never replaces a later one.
func TestMarksLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fragile{Log: live.NewMemory()}
		c := newCourse(t, l)
		defer func() { c.end() }()
		ann, bob := c.person(), c.person()
		ann.launch("ann", nil)
		bob.launch("bob", nil)
		c.answer(503)
		ann.handIn("wrong")
		c.want("ann", "5 ann 40/100", "")
		ann.handIn("right")    // the server waits before it tries again
		bob.launch("bob", nil) // nor for another student
		c.want("ann", "", "")
		if v := c.teacher.do("GET", c.path("/platforms"), "", 200); v["waiting"] != 1.0 || !strings.Contains(v["trouble"].(string), "answers 503") {
			t.Errorf("the teacher sees %v", v)
		}
		time.Sleep(61 * time.Second)
		c.want("ann", "5 ann 100/100", "")
		c.answer(0)
		time.Sleep(3 * time.Minute)
		c.want("ann", "5 ann 100/100", "100/100")
		time.Sleep(61 * time.Minute) // the server looks for forgotten marks every hour
		c.want("ann", "", "100/100")

		// A platform that refuses one mark gets the others; the refused one after a day, or when the student comes again.
		c.answer(404)
		ann.teacher.do("POST", c.path("/submissions/"+ann.handIn("wrong")+"/mark"), `{"mark":7,"reason":"why"}`, 200)
		c.want("ann", "5 ann 7/100", "100/100")
		c.answer(0)
		bob.handIn("wrong")
		c.want("bob", "5 bob 40/100", "40/100")
		ann.launch("ann", nil)
		c.want("ann", "5 ann 7/100", "7/100")

		// A restart.
		c.answer(500)
		bob.handIn("right")
		c.want("bob", "5 bob 100/100", "40/100")
		c.end()
		c.answer(0)
		c.begin()
		c.want("bob", "5 bob 100/100", "100/100")

		// The mark is sent, the event is lost, and the server stops.
		l.set(true)
		ann.teacher.do("POST", c.path("/submissions/"+ann.handIn("right")+"/mark"), `{"mark":8,"reason":"why"}`, 200)
		_, _ = c.grades()
		c.end()
		l.set(false)
		c.begin()
		c.want("ann", "5 ann 8/100", "100/100") // in the same second, so the platform takes it for older
		time.Sleep(2 * time.Minute)
		c.want("ann", "5 ann 8/100", "8/100")
		time.Sleep(61 * time.Minute) // the server looks for forgotten marks every hour
		c.want("ann", "", "8/100")
	})
}

// TestAccessTokens sends two marks in a turn: with one access token if it still counts.
func TestAccessTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer c.end()
		ann, bob := c.person(), c.person()
		ann.launch("ann", nil)
		bob.launch("bob", nil)
		for i, one := range []struct {
			expire int
			once   bool
			want   int
		}{{3600, false, 1}, {0, false, 2}, {3600, true, 2}} {
			c.answer(503)
			for _, n := range []string{ann.handIn("wrong"), bob.handIn("wrong")} {
				c.teacher.do("POST", c.path("/submissions/"+n+"/mark"), fmt.Sprintf(`{"mark":%d,"reason":"why"}`, 10+i), 200)
			}
			synctest.Wait()
			c.mu.Lock()
			c.status, c.expire, c.once = 0, one.expire, one.once
			before := c.issued
			c.mu.Unlock()
			time.Sleep(10 * time.Minute)
			c.mu.Lock()
			issued := c.issued - before
			c.mu.Unlock()
			want := fmt.Sprint(10+i, "/100")
			if scores, _ := c.grades(); issued != one.want || scores["5 ann"] != want || scores["5 bob"] != want {
				t.Errorf("%+v: %d access tokens, and the platform has %v", one, issued, scores)
			}
		}
	})
}
