package reviews

import (
	"testing"
	"time"

	"quintet/live"
)

// TestFinish checks that a review says that its game is over as soon as the server knows it.
func TestFinish(t *testing.T) {
	s := New(Config{Log: live.NewMemory(), Now: func() live.Stamp { return live.Stamp{} }, Time: time.Now})
	r := s.New(t.Context(), "id")
	for _, want := range []bool{false, true} {
		if v, _ := r.View(); v.Finished != want {
			t.Errorf("finished %t, want %t", v.Finished, want)
		}
		r.finish()
	}
}
