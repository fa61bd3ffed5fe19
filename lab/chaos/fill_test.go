package chaos_test

import (
	"testing"

	"quintet/lab/chaos"
	"quintet/live"
)

// TestFill checks that a log gets as many events as requested, all valid, and no more
// once it has enough.
func TestFill(t *testing.T) {
	l := live.NewMemory()
	for _, want := range []int{700, 0} {
		if n, err := chaos.Fill(t.Context(), l, 700, 1); err != nil || n != want {
			t.Fatalf("Fill = %d, %v, want %d", n, err, want)
		}
	}
	last, err := l.Last(t.Context())
	if err != nil || last != 700 {
		t.Fatalf("the log has %d events, %v, want 700", last, err)
	}
	tables := map[string]*live.Table{}
	for e, err := range l.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if tables[e.Stream] == nil {
			tables[e.Stream] = live.New(e.Stream)
		}
		if _, err := tables[e.Stream].Load(e.Data); err != nil {
			t.Fatal(err)
		}
		if e.Seq == last {
			return
		}
	}
}
