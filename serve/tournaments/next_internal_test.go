package tournaments

import (
	"fmt"
	"testing"

	"quintet/live"
)

// TestNextWave pairs the next wave of an arena three seconds after the last one, also when games have just ended: in a
// large arena some end every second.
func TestNextWave(t *testing.T) {
	var s State
	for i, text := range []string{
		`0,"kind":"made","settings":{"form":"arena","minutes":5,"games":[{"game":"loa"}]}`, `0,"kind":"joined","player":{"id":"a"}`, `0,"kind":"joined","player":{"id":"b"}`,
		`1000,"kind":"started"`, `2000,"kind":"paired","games":[{"id":"g","round":1,"first":0,"second":1}]`, `2100,"kind":"begun","count":1`,
		`4900,"kind":"finished","results":[{"game":"g","outcome":1}]`,
	} {
		if err := s.Apply(fmt.Appendf(nil, `{"n":%d,"at":%s}`, i, text)); err != nil {
			t.Fatal(err)
		}
	}
	here := func(string) bool { return true }
	if n, ok := s.next(live.Stamp{Service: 4999}, here); ok {
		t.Errorf("before three seconds: %+v", n)
	}
	if n, ok := s.next(live.Stamp{Service: 5000}, here); !ok || !n.pairs || len(n.list) != 2 {
		t.Errorf("after three seconds: %+v, %v", n, ok)
	}
}
