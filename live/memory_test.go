package live_test

import (
	"testing"

	"quintet/live"
	"quintet/live/livetest"
)

func TestMemory(t *testing.T) {
	livetest.Run(t, func(*testing.T) live.Log { return live.NewMemory() })
}
