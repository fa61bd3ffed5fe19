package serve

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
)

// TestDescribed checks that the document and the server have the same addresses.
func TestDescribed(t *testing.T) {
	s, err := New(t.Context(), live.NewMemory(), Config{}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var d struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(openapi, &d); err != nil {
		t.Fatal(err)
	}
	want, got := map[string]bool{}, map[string]bool{}
	for path, ops := range d.Paths {
		for method := range ops {
			want[strings.ToUpper(method)+" "+path] = true
		}
	}
	for pattern := range s.routes {
		got[pattern] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the addresses of the server differ from those of the document (-document +server):\n%s", diff)
	}
}
