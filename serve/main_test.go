package serve

import (
	"os"
	"testing"

	"quintet/internal/platform"
)

// TestMain lets engine work and renderings keep their priority: many tests wait for them.
func TestMain(m *testing.M) {
	if err := os.Setenv(platform.KeepPriority, "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
