package env

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"quintet/engine"
	"quintet/game"
)

// task does something with one game.
type task func(b *Batch, ctx context.Context, w *worker, i int) error

// worker is a goroutine that plays, and its buffers.
type worker struct {
	moves    []game.Move
	pieces   []game.Piece
	names    []string // of the planes
	opponent engine.Player
	err      error
}

// crew is the worker pool of a batch. The workers wait between commands.
type crew struct {
	batch   *Batch
	workers []worker
	begin   []chan struct{}
	busy    sync.WaitGroup
	ended   sync.WaitGroup

	// The command; written while no worker is busy.
	ctx  context.Context //nolint:containedctx // of the command
	task task
	next atomic.Int64 // the first game that no worker has taken
}

// taken is the number of games that a worker takes at a time.
const taken = 32

func newCrew(b *Batch, c Config) (*crew, error) {
	k := &crew{batch: b, workers: make([]worker, max(1, c.Workers))}
	for i := range k.workers {
		w := &k.workers[i]
		w.moves, w.pieces, w.names = make([]game.Move, 0, 1024), make([]game.Piece, b.space.cells()), b.space.planes()
		if c.Opponent != nil {
			var err error
			if w.opponent, err = c.Opponent(); err != nil {
				return nil, errors.Join(err, k.close())
			}
		}
	}
	for i := range k.workers {
		begin := make(chan struct{})
		k.begin = append(k.begin, begin)
		k.ended.Go(func() {
			for range begin {
				k.work(&k.workers[i])
				k.busy.Done()
			}
		})
	}
	return k, nil
}

// do runs a task for every game. After an error, it may have run for some games.
func (k *crew) do(ctx context.Context, t task) error {
	k.ctx, k.task = ctx, t
	k.next.Store(0)
	n := min(len(k.workers), (len(k.batch.tables)+taken-1)/taken)
	k.busy.Add(n)
	for i := range n {
		k.begin[i] <- struct{}{}
	}
	k.busy.Wait()
	var err error
	for i := range k.workers {
		err = errors.Join(err, k.workers[i].err)
		k.workers[i].err = nil
	}
	return err
}

// work runs the command's task for games that no other worker has taken.
func (k *crew) work(w *worker) {
	for w.err == nil {
		end := int(k.next.Add(taken))
		if end-taken >= len(k.batch.tables) {
			return
		}
		for i := end - taken; i < min(end, len(k.batch.tables)) && w.err == nil; i++ {
			w.err = k.task(k.batch, k.ctx, w, i)
		}
	}
}

// close stops the workers.
func (k *crew) close() (err error) {
	for _, begin := range k.begin {
		close(begin)
	}
	k.ended.Wait()
	for i := range k.workers {
		if w := &k.workers[i]; w.opponent != nil {
			err = errors.Join(err, w.opponent.Close())
		}
	}
	return err
}
