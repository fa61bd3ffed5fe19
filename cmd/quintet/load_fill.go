package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"quintet/jet"
	"quintet/load"
)

// fillLog fills the log in a folder up to a number of events.
func fillLog(ctx context.Context, out io.Writer, data string, events int, seed uint64) error {
	if data == "" {
		return errors.New("--events without --data: want a folder whose log may be filled with random games")
	}
	l, err := jet.Open(ctx, filepath.Join(data, "log"), nil)
	if err != nil {
		return failure{err}
	}
	began := time.Now()
	n, err := load.Fill(ctx, l, events, seed)
	if err = errors.Join(err, l.Close()); err != nil {
		return failure{err}
	}
	_, err = fmt.Fprintf(out, "%d events added in %.1f s: the log has %d\n", n, time.Since(began).Seconds(), events)
	return failed(err)
}
