package chaos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// fullSize is the size of the disk in bytes.
const fullSize = 96 << 20

// fullFor is how long the disk stays full after all moves are refused.
const fullFor = 3 * time.Second

// writeGrace is how long clocks may run while the server waits for a write that
// fails (docs/operations.md), plus the tolerance.
const writeGrace = 500*time.Millisecond + slack

// FullResult is what players noticed of a full disk.
type FullResult struct {
	Times        int
	Acknowledged int64       // moves
	Refused      int         // moves refused because the disk was full
	Unknown      int         // moves whose outcome the server could not say
	Wrong        []string    // other answers
	Lost         []string    // games that lack acknowledged moves
	Charged      []string    // games whose clocks ran while the disk was full
	Resumed      load.Spread // from when the disk had space until every game had taken a move
}

// Full plays on a server, fills its disk under load, and makes space again,
// c.Times times. The server runs until the end, when it is restarted once. Full
// needs Linux, root and a loop device.
func Full(ctx context.Context, c Config) (r FullResult, err error) {
	d, err := newDisk(ctx, c.Dir, fullSize)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	k, err := newKillRun(ctx, c, filepath.Join(d.dir, "games"))
	if err != nil {
		return r, err
	}
	k.grace = writeGrace
	ctx, cancel := context.WithCancel(ctx)
	defer k.pages.all.Wait()
	defer cancel()
	defer k.end()
	if err := k.start(ctx); err != nil {
		return r, err
	}
	for i := range c.Times {
		if err := k.fillDisk(ctx, d, &r); err != nil {
			return r, fmt.Errorf("full disk %d of %d: %w", i+1, c.Times, err)
		}
		c.Report(fmt.Sprintf("%d times full, %d moves acknowledged, %d refused, %d lost, %d clocks charged", i+1, k.moves.Load(), r.Refused, len(k.result.Lost), len(k.result.Charged)))
	}
	k.killed = time.Now()
	k.end()
	if err := errors.Join(k.start(ctx), k.verifyAll(ctx)); err != nil {
		return r, err
	}
	r.Times, r.Acknowledged, r.Lost, r.Charged = c.Times, k.moves.Load(), k.result.Lost, k.result.Charged
	r.Resumed = load.SpreadOf(k.resumed[:c.Times])
	return r, nil
}

// fillDisk plays until the disk is full and all moves are refused, makes space, and
// expects every game to continue.
func (k *killRun) fillDisk(ctx context.Context, d *disk, r *FullResult) error {
	if err := k.openGames(ctx); err != nil {
		return err
	}
	playing, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	all := k.startPlaying(playing)
	clock.Sleep(ctx, k.untilFault())
	err := d.fill()
	all.Wait()
	k.killed = time.Now()
	if err != nil {
		return err
	}
	for _, g := range k.games {
		r.countRefusal(g)
	}
	clock.Sleep(ctx, fullFor)
	if err := d.empty(); err != nil {
		return err
	}
	space := time.Now()
	k.started = space.Add(-k.config.Hold) // the server did not restart: its clocks run at once
	for _, g := range k.games {
		if err := k.awaitMove(ctx, g); err != nil {
			return err
		}
	}
	k.resumed = append(k.resumed, time.Since(space))
	return nil
}

// countRefusal counts how the server refused a game's last move on a full disk.
func (r *FullResult) countRefusal(g *trackedGame) {
	switch {
	case g.over:
	case g.refused != nil && strings.Contains(g.refused.Error(), `"code":"full"`):
		r.Refused++
	case g.refused != nil && strings.Contains(g.refused.Error(), `"code":"unavailable"`):
		r.Unknown++
	default:
		r.Wrong = append(r.Wrong, fmt.Sprintf("game %s: on a full disk a move got %v", g.ID, g.refused))
	}
}

// awaitMove verifies a game and retries a move in it until the server takes one.
func (k *killRun) awaitMove(ctx context.Context, g *trackedGame) error {
	if g.over {
		return nil
	}
	var err error
	poll(ctx, 20*time.Second, func() bool { err = k.verifyAndMove(ctx, g); return err == nil })
	return err
}

// fill writes a file until the disk has no space left.
func (d *disk) fill() error {
	f, err := os.Create(d.filler())
	if err != nil {
		return fmt.Errorf("filling the disk: %w", err)
	}
	block := make([]byte, 64<<10)
	for err == nil {
		_, err = f.Write(block)
	}
	_ = f.Close() // the disk is full
	return nil
}

// empty removes the file of fill.
func (d *disk) empty() error { return os.Remove(d.filler()) }

func (d *disk) filler() string { return filepath.Join(d.dir, "filled") }
