package jet_test

import (
	"slices"
	"testing"
	"time"

	"quintet/live/jet"
)

// TestPresence checks that seats reach the other servers, and not the one that announces
// them, until these unsubscribe.
func TestPresence(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := form(t, true)
	var logs [2]*jet.Log
	heard := [2]chan []string{make(chan []string, 1000), make(chan []string, 1000)}
	var stops [2]func()
	for i := range logs {
		l, err := jet.Join(t.Context(), c.address(), quiet())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		logs[i] = l
		if stops[i], err = l.SubscribePresence(func(seats []string) { heard[i] <- seats }); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"game-1/first", "game-2/second"}
	var got []string
	for began := time.Now(); got == nil && time.Since(began) < hung; { // the first messages may be lost
		if err := logs[0].AnnouncePresence(want); err != nil {
			t.Fatal(err)
		}
		select {
		case got = <-heard[1]:
		case <-time.After(50 * time.Millisecond):
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the other server heard %q, want %q", got, want)
	}
	if _, err := logs[0].Last(t.Context()); err != nil { // its answer comes after the announcement would have arrived
		t.Fatal(err)
	}
	if len(heard[0]) > 0 {
		t.Errorf("a server heard its own announcement %q", <-heard[0])
	}
	stops[0]()
	for range 20 { // any one could still be on its way when the test ends
		if err := logs[1].AnnouncePresence(want); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-heard[0]:
			t.Fatalf("a server heard %q after it unsubscribed", got)
		case <-time.After(10 * time.Millisecond):
		}
	}
	stops[1]()
}
