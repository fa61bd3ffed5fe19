package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// setting is a flag of quintet serve with its range.
type setting struct {
	flag  string
	given any
	right bool
	want  string
}

// settings returns the flags with ranges. The maxima exceed what any machine can do.
func (f *serveFlags) settings() []setting {
	const manyEngines, manyMoves = 1000, 1_000_000
	c := f.config
	return []setting{
		{"engines", c.Engines, within(c.Engines, manyEngines), fmt.Sprintf("1 to %d", manyEngines)},
		{"engine-queue", c.EngineQueue, within(c.EngineQueue, manyMoves), fmt.Sprintf("1 to %d", manyMoves)},
		{"engine-time", c.EngineTime, c.EngineTime >= time.Millisecond, "1ms or more, such as 1s"},
		{"engine-pace", c.EnginePace, c.EnginePace >= 0, "0s or more, such as 300ms"},
		{"stand", c.Hold, c.Hold >= 0, "0s or more, such as 5s"},
		{"open-retention", c.OpenRetention, c.OpenRetention == 0 || c.OpenRetention >= time.Hour, "1h or more, such as 720h; 0s for never"},
		{"idle-retention", c.IdleRetention, c.IdleRetention == 0 || c.IdleRetention >= 7*24*time.Hour, "168h (7 days) or more, such as 1440h; 0s for never"},
		{"drain", c.Drain, c.Drain >= 0, "0s or more, such as 10s"},
		{"log", f.log, f.log == "text" || f.log == "json", "text or json"},
	}
}

func within(n, limit int) bool { return n >= 1 && n <= limit }

// check rejects values out of range and contradictory flags.
func (f *serveFlags) check(c *cobra.Command) error {
	for _, s := range f.settings() {
		if !s.right {
			return fmt.Errorf(`--%s "%v": expected %s`, s.flag, s.given, s.want)
		}
	}
	if f.memory && (c.Flags().Changed("data") || f.cluster.URL != "") {
		return errors.New("--memory, --data and --nats: expected at most one of them")
	}
	if f.farm == "" && f.farmKey != "" {
		return errors.New("--farm-key: give --farm, too: the address of a coordinator")
	}
	return checkCluster(f.cluster)
}

// disableZeros turns durations of 0s into -1, because 0 is the server's default.
func (f *serveFlags) disableZeros() {
	for _, d := range []*time.Duration{&f.config.Hold, &f.config.EnginePace, &f.config.Drain, &f.config.OpenRetention, &f.config.IdleRetention} {
		if *d == 0 {
			*d = -1
		}
	}
}
