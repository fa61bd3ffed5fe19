package boardmatch

import (
	"strings"
	"testing"
)

// TestMatch plays a short match twice and expects the same result, by size.
func TestMatch(t *testing.T) {
	play := func() string {
		m := match{players: [2]string{"engine", "random"}, nodes: [2]uint64{50, 1}, boards: 4, pits: 3, plies: 2, sizes: []int{4, 10}, seed: 1}
		var out strings.Builder
		if err := m.run(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		result, _, _ := strings.Cut(out.String(), "processor time")
		return result
	}
	first := play()
	if !strings.HasPrefix(first, "4x4: +") || !strings.Contains(first, "\n10x10: +4 -0 =0, 100.0 ± 0.0 %\n") || play() != first {
		t.Errorf("%s, then %s", first, play())
	}
}

// TestErrors checks what bad settings are answered.
func TestErrors(t *testing.T) {
	for want, m := range map[string]match{
		"size 7: expected an even number from 4 to 26":         {boards: 1, sizes: []int{7}},
		"boards, pits and plies: expected at least 1, 0 and 0": {sizes: []int{6}},
	} {
		if err := m.run(t.Context(), new(strings.Builder)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
