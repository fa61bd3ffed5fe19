package farmtest_test

import (
	"testing"

	"quintet/farm"
	"quintet/lab/farmtest"
)

func TestMemory(t *testing.T) {
	farmtest.TestStore(t,
		func(*testing.T) farm.Store { return farmtest.NewMemory() },
		func(_ *testing.T, s farm.Store) farm.Store { return s })
}
