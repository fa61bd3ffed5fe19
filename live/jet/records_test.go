package jet

import (
	"fmt"
	"os"
	"testing"

	"quintet/live"
)

// TestRecordsStay reopens a log, also one that is copied at its start, and finds the last records.
func TestRecordsStay(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		l, err := Open(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := live.ReadRecords(t.Context(), l)
		want, last := "[]", uint64(0)
		if i > 0 {
			want = fmt.Sprintf("[b0 a%d]", i-1)
		}
		got := []string{}
		for _, r := range list {
			got = append(got, r.Key+string(r.Data))
			last = r.Revision
		}
		if fmt.Sprint(got) != want || err != nil {
			t.Errorf("opened %d times: %v, %v, want %s", i, got, err, want)
		}
		if i == 0 {
			if _, err := l.PutRecord(t.Context(), "b", 0, []byte("0")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := l.PutRecord(t.Context(), "a", last, fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if i == 1 { // as after a kill while it erased
			if err := os.WriteFile(l.mark(), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
