package push_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlowEndpoints lets five accounts subscribe five endpoints each that hang or answer late. Messages to the push
// services of browsers are not delayed, those to other endpoints are until each account has been slow once, and those to endpoints that were slow come
// after others until they are quick.
func TestSlowEndpoints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		defer w.close()
		ben, cyd, dan := w.player("Ben"), w.player("Cyd"), w.player("Dan")
		chrome, own := ben.subscribe("https://fcm.googleapis.com/ben", "en"), cyd.subscribe("https://push.example/cyd", "en")
		safari, also := dan.subscribe("https://web.push.apple.com/dan", "en"), dan.subscribe("https://fcm.googleapis.com/dan", "en")
		var crowd []player
		for i := range 5 {
			crowd = append(crowd, w.player(fmt.Sprint("Eve", i)))
			for j := range 5 {
				b := crowd[i].subscribe(fmt.Sprintf("https://%d%s/%d", i, [2]string{".fcm.googleapis.com:8443", "fcm.googleapis.com"}[i%2], j), "en")
				if b.takes(time.Hour); i%3 == 1 {
					b.takes(9 * time.Second) // and it succeeds
				}
			}
		}
		tell := func(from player, to string) {
			t.Helper()
			from.do(0, "POST", "/api/challenges", `{"to":"`+to+`","game":"loa"}`, 201)
		}
		attack := func(by int) {
			t.Helper()
			for i, p := range crowd {
				tell(p, fmt.Sprint("Eve", (i+by)%len(crowd)))
			}
			synctest.Wait() // all slots are taken that can be
		}
		arrives := func(b *browser, within time.Duration) {
			t.Helper()
			time.Sleep(within)
			synctest.Wait()
			if n := strings.Count(b.messages(), "title"); n != 1 {
				t.Errorf("%s got %d messages within %s, want 1", b.endpoint, n, within)
			}
		}
		attack(1)
		tell(cyd, "Ben")
		arrives(chrome, 0)
		tell(ben, "Cyd")
		arrives(own, 10*time.Second)
		time.Sleep(10 * time.Second) // until all of them have been slow
		attack(2)
		tell(cyd, "Ben")
		arrives(chrome, 0)
		tell(ben, "Cyd")
		arrives(own, 0)

		time.Sleep(4 * time.Minute) // until nothing waits
		for i, b := range w.browsers[4:9] {
			b.takes(0)
			b.messages()
			if i > 0 {
				crowd[0].do(0, "DELETE", "/api/account/push", `{"endpoint":"`+b.endpoint+`"}`, 200)
			}
		}
		tell(crowd[2], "Eve3") // it hangs in all slots for slow endpoints
		synctest.Wait()
		tell(cyd, "Eve0")
		arrives(w.browsers[4], 10*time.Second)
		tell(crowd[0], "Eve2")
		synctest.Wait()
		tell(ben, "Eve0")
		arrives(w.browsers[4], 0) // it was quick

		chrome.takes(time.Hour)
		tell(crowd[1], "Ben")
		time.Sleep(10 * time.Second)
		tell(crowd[4], "Eve3")
		synctest.Wait()
		tell(crowd[3], "Dan")
		arrives(safari, 0)
		arrives(also, 0) // the service has hung for Ben, and has slots of its own for slow deliveries
	})
}
