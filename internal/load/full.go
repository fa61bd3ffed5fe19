package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fullSize is the size of the disk that is filled, in bytes.
const fullSize = 96 << 20

// fullFor is how long a disk stays full when all moves are refused.
const fullFor = 3 * time.Second

// writeGrace is how long clocks may run while a write that fails is waited for
// (docs/operations.md), and slack.
const writeGrace = 500*time.Millisecond + slack

// FullResult is what came of a disk that was full again and again.
type FullResult struct {
	Times        int
	Acknowledged int64    // moves
	Refused      int      // moves that were refused with the right message
	Unknown      int      // moves of which it was said that it is not known whether they were written
	Wrong        []string // answers that were something else
	Lost         []string // acknowledged moves that were not there afterwards
	Charged      []string // clocks that had less than they should
	Resumed      Spread   // from when there was room until a move was taken in every game
}

// Full plays on a server whose disk something else fills up in the midst of it, and
// makes room again, so many times as c.Kills says. The server is not restarted until
// the end. It needs Linux, root and a loop device.
func Full(ctx context.Context, c KillConfig, folder string) (r FullResult, err error) {
	d, err := newDisk(ctx, folder, fullSize)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	addr, err := freeAddress(ctx)
	if err != nil {
		return r, err
	}
	c.grace = writeGrace
	c.Args = append([]string{"--data", filepath.Join(d.dir, "games")}, c.Args...)
	ctx, cancel := context.WithCancel(ctx)
	k := newKiller(c, addr)
	defer k.pages.all.Wait()
	defer cancel()
	defer k.end()
	if err := k.start(ctx); err != nil {
		return r, err
	}
	for i := range c.Kills {
		if err := k.full(ctx, d, &r); err != nil {
			return r, fmt.Errorf("when the disk was full for the %d. time: %w", i+1, err)
		}
		if c.Report != nil {
			c.Report(fmt.Sprintf("%d times full, %d moves acknowledged, %d refused, %d lost, %d clocks charged", i+1, k.run.moves.Load(), r.Refused, len(k.result.Lost), len(k.result.Charged)))
		}
	}
	k.killed = time.Now()
	k.end()
	if err := errors.Join(k.start(ctx), k.compare(ctx)); err != nil {
		return r, err
	}
	r.Times, r.Acknowledged, r.Lost, r.Charged = c.Kills, k.run.moves.Load(), k.result.Lost, k.result.Charged
	r.Resumed = Spreads(k.resumed[:c.Kills])
	return r, nil
}

// full plays until the disk is full and all moves are refused, makes room, and wants
// every game to go on.
func (k *killer) full(ctx context.Context, d *disk, r *FullResult) error {
	if err := k.seat(ctx); err != nil {
		return err
	}
	playing, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	all := k.begin(playing)
	time.Sleep(k.config.Between/4 + time.Duration(k.random.Int64N(int64(k.config.Between))))
	err := d.fill()
	all.Wait()
	k.killed = time.Now()
	if err != nil {
		return err
	}
	for _, w := range k.tables {
		switch {
		case w.over:
		case w.refused != nil && strings.Contains(w.refused.Error(), `"code":"full"`):
			r.Refused++
		case w.refused != nil && strings.Contains(w.refused.Error(), `"code":"unavailable"`):
			r.Unknown++
		default:
			r.Wrong = append(r.Wrong, fmt.Sprintf("game %s: on a full disk a move came to: %v", w.id, w.refused))
		}
	}
	time.Sleep(fullFor)
	if err := d.empty(); err != nil {
		return err
	}
	k.began = time.Now().Add(-k.config.Stand) // no clock stands any longer than this
	for _, w := range k.tables {
		if err := k.afterwards(ctx, w); err != nil {
			return err
		}
	}
	k.resumed = append(k.resumed, time.Since(k.began)-k.config.Stand)
	return nil
}

// afterwards looks at a game and plays a move in it, as soon as one is taken.
func (k *killer) afterwards(ctx context.Context, w *witness) error {
	if w.over {
		return nil
	}
	err := k.goOn(ctx, w)
	for began := time.Now(); err != nil && time.Since(began) < 20*time.Second && ctx.Err() == nil; err = k.goOn(ctx, w) {
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// fill takes all the room that is left on a disk.
func (d *disk) fill() error {
	f, err := os.Create(d.filled())
	if err != nil {
		return fmt.Errorf("filling the disk: %w", err)
	}
	block := make([]byte, 64<<10)
	for err == nil {
		_, err = f.Write(block)
	}
	_ = f.Close() // it is full
	return nil
}

// empty removes what fill wrote.
func (d *disk) empty() error { return os.Remove(d.filled()) }

func (d *disk) filled() string { return filepath.Join(d.dir, "filled") }
