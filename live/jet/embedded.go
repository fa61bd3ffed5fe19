package jet

import (
	"cmp"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats-server/v2/server"

	"quintet/internal/platform"
	"quintet/live"
)

// StartServer starts a NATS server inside the process and waits until it is ready. Its
// log goes to logger; nil discards it. The caller shuts it down.
func StartServer(o *server.Options, logger *slog.Logger) (*server.Server, error) {
	return startServer(o, &natsLogger{log: cmp.Or(logger, slog.New(slog.DiscardHandler))})
}

// CheckSpace returns an error, which wraps live.ErrFull, if the file system of a folder
// has less space left than the reserve: JetStream does not recover from a failed write.
func CheckSpace(dir string) error {
	return checkSpace(func() (uint64, uint64, error) { return platform.FreeSpace(dir) })
}

func checkSpace(read func() (free, all uint64, err error)) error {
	free, all, err := read()
	if err != nil {
		return fmt.Errorf("reading the free space: %w", err)
	}
	if want := min(all/reservePart, reserveBytes); free < want {
		return fmt.Errorf("%w: %.1f MB are free, %.1f MB are needed", live.ErrFull, float64(free)/1e6, float64(want)/1e6)
	}
	return nil
}
