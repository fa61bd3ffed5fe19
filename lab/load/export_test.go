package load

import (
	"context"
	"net/http/httptest"
	"testing"

	"quintet/internal/platform"
	"quintet/live"
	"quintet/serve"
)

// Server starts a server in this process, and returns its URL.
func Server(t *testing.T) string {
	t.Helper()
	t.Setenv(platform.KeepPriority, "1") // the tests wait for engine work
	s, err := serve.New(context.Background(), live.NewMemory(), serve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		h.Close()
	})
	return h.URL
}
