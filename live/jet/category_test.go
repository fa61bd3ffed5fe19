package jet_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"quintet/live"
	"quintet/live/jet"
)

// TestBackupCategories checks that a backup has the entries of all categories, also of
// those that only newer servers know, and that Restore checks them.
func TestBackupCategories(t *testing.T) {
	from := played(t)
	for _, table := range []string{live.ReviewCategory.Stream("abc"), live.StudyCategory.Stream("abc"), "club-xyz"} {
		var chain live.Chain
		for after, i := uint64(0), 0; i < 2; i++ {
			data, err := json.Marshal(struct {
				live.Envelope
				Colour string `json:"colour"`
			}{chain.Next("painted", live.Stamp{}), "red & green"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := chain.Load(table, data); err != nil {
				t.Fatal(err)
			}
			if after, err = from.Append(t.Context(), table, after, data); err != nil {
				t.Fatal(err)
			}
		}
	}
	var copied bytes.Buffer
	if n, err := jet.Backup(t.Context(), from, &copied); err != nil || n != 10 {
		t.Fatalf("Backup = %d, %v, want 10", n, err)
	}
	text := copied.String()
	to := open(t, t.TempDir())
	defer func() { _ = to.Close() }()
	if n, err := jet.Restore(t.Context(), to, strings.NewReader(text)); err != nil || n != 10 {
		t.Fatalf("Restore = %d, %v, want 10", n, err)
	}
	for _, table := range []string{"a", "review-abc", "study-abc", "club-xyz"} {
		want, _ := from.Read(t.Context(), table)
		got, err := to.Read(t.Context(), table)
		if err != nil || !slices.EqualFunc(got, want, func(a, b live.Entry) bool { return bytes.Equal(a.Data, b.Data) }) {
			t.Errorf("%s: %v, %v; want %v", table, got, err, want)
		}
	}
	broken := strings.Replace(text, "painted", "wiped", 3) // the second event no longer follows
	if _, err := jet.Verify(t.Context(), strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), "line 7") {
		t.Errorf("a copy with a changed event: %v, want line 7 refused", err)
	}
}
