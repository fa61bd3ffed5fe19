package live_test

import (
	"testing"

	"quintet/lab/livetest"
	"quintet/live"
)

func TestMemory(t *testing.T) {
	livetest.Run(t, func(*testing.T) live.Log { return live.NewMemory() })
}
