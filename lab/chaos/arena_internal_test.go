package chaos

import (
	"fmt"
	"testing"

	"quintet/live"
)

// TestReadArena finds a player who is paired while playing, and players who wait for too long.
func TestReadArena(t *testing.T) {
	texts := []string{`"kind":"made","settings":{"form":"arena","games":[{"game":"loa"}]}`}
	for i := range 4 {
		texts = append(texts, fmt.Sprintf(`"kind":"joined","player":{"id":"p%d"}`, i))
	}
	texts = append(texts, `"kind":"started"`, `"kind":"paired","games":[{"id":"a","round":1,"first":0,"second":1}]`, `"kind":"paired","games":[{"id":"b","round":2,"first":2,"second":1}]`)
	var entries []live.Entry
	for i, text := range texts {
		entries = append(entries, live.Entry{Data: fmt.Appendf(nil, `{"n":%d,"at":%d,%s}`, i, 5000*i, text)})
	}
	r, err := readArena(entries, nil)
	if err != nil || r.Games != 2 || len(r.Double) != 1 || r.Idle.N != 4 || r.Idle.P50 == 0 || len(r.Stuck) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	entries = append(entries, live.Entry{Data: []byte(`{"n":9,"at":90000,"kind":"withdrawn","who":"x"}`)})
	if r, err := readArena(entries, nil); err != nil || len(r.Stuck) != 1 {
		t.Errorf("after another minute: %+v, %v", r, err)
	}
	if r, err := readArena(entries, []*arenaPlayer{{leaves: 1}}); err != nil || len(r.Stuck) != 0 {
		t.Errorf("with one who left: %+v, %v", r, err)
	}
}
