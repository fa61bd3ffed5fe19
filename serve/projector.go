package serve

import (
	"context"
	"fmt"
	"time"

	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
)

const (
	batchSize  = 2000                   // maximum events per index transaction
	batchDelay = 100 * time.Millisecond // how long a batch waits for more events
)

// runProjector keeps the index of games up to date. When it is complete for the first time,
// the server is ready and wakes the games with clocks.
func (s *Server) runProjector(ctx context.Context) {
	for ctx.Err() == nil {
		after, err := s.index.LastApplied(ctx)
		if err == nil {
			err = s.project(ctx, after)
		}
		if err != nil && ctx.Err() == nil {
			s.Log.Error("the index of games is falling behind", "error", err)
			api.Sleep(ctx, time.Second)
		}
	}
}

// project follows the log and writes its events to the index in batches.
func (s *Server) project(ctx context.Context, after uint64) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	last, err := s.log.Last(ctx)
	if err != nil {
		return err
	}
	if after >= last {
		s.wakeGames(ctx)
	}
	entries := make(chan live.Entry, batchSize)
	followed := make(chan error, 1)
	s.hall.Spawn("following the log", func() {
		defer close(entries)
		err := hall.ErrFault // unless Follow returns
		defer func() { followed <- err }()
		for e, failed := range s.log.Follow(ctx, after) {
			if err = failed; err != nil {
				err = fmt.Errorf("following the log: %w", err)
				return
			}
			s.reviews.Deliver(e)
			s.studies.Deliver(e)
			if !s.config.Shared { // in a cluster the hall follows the log itself
				s.hall.Deliver(ctx, e)
			}
			select {
			case entries <- e:
			case <-ctx.Done():
			}
		}
		err = nil
	})
	err = s.projectAll(ctx, entries, last)
	cancel()
	for range entries { // drain until the follower ends
	}
	if other := <-followed; err == nil {
		err = other
	}
	return err
}

func (s *Server) projectAll(ctx context.Context, entries <-chan live.Entry, last uint64) error {
	for e := range entries {
		batch := collectBatch(ctx, entries, []live.Entry{e}, last)
		if err := s.index.Apply(ctx, batch); err != nil {
			return err
		}
		if batch[len(batch)-1].Seq >= last {
			s.wakeGames(ctx)
		}
	}
	return ctx.Err()
}

// collectBatch adds the events that arrive within a moment. It does not wait behind the
// event that completes the index.
func collectBatch(ctx context.Context, entries <-chan live.Entry, batch []live.Entry, last uint64) []live.Entry {
	soon := time.NewTimer(batchDelay)
	defer soon.Stop()
	for len(batch) < batchSize && batch[len(batch)-1].Seq != last {
		select {
		case e, ok := <-entries:
			if !ok {
				return batch
			}
			batch = append(batch, e)
		case <-soon.C:
			return batch
		case <-ctx.Done():
			return batch
		}
	}
	return batch
}

// logReady logs that the server is ready, with the numbers of games: all, open, live, and
// those with a clock or an engine.
func (s *Server) logReady(ctx context.Context, awake int) {
	count, err := s.index.Count(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("counting games failed", "error", err)
	}
	all := count[live.Open] + count[live.Live] + count[live.Finished]
	s.Log.Info("ready", "games", all, "open", count[live.Open], "live", count[live.Live], "with_clock_or_engine", awake)
}

// wakeGames makes the server ready, and wakes the games with a clock or an engine.
func (s *Server) wakeGames(ctx context.Context) {
	if s.Ready.Load() {
		return
	}
	select {
	case <-s.Stopping:
		return
	default:
	}
	s.Ready.Store(true)
	ids, err := s.index.ServerDriven(ctx, 0)
	if err != nil {
		s.Log.Error("finding games with clocks failed: their clocks are not watched until a player connects", "error", err)
	}
	s.logReady(ctx, len(ids))
	s.spawn("games with clocks", func() {
		if err := s.index.Checkpoint(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("the index is not checkpointed: it must be rebuilt after a power failure", "error", err)
		}
		for _, id := range ids {
			if err := s.hall.Wake(ctx, id, false); err != nil && ctx.Err() == nil {
				s.Log.Error("waking a game", "game", id, "error", err)
			}
		}
	})
}

// How often a server looks for games of stopped servers, and how recent their last events
// must be.
const (
	orphanEvery = 15 * time.Second
	orphanSince = 10 * time.Minute
)

// adoptOrphans loads live games that are not in memory, because the server that had them
// may have stopped. It runs only on a shared log.
func (s *Server) adoptOrphans(ctx context.Context) {
	for ctx.Err() == nil {
		api.Sleep(ctx, orphanEvery)
		ids, err := s.index.ServerDriven(ctx, s.Now().Add(-orphanSince).UnixMilli())
		if err != nil && ctx.Err() == nil {
			s.Log.Error("finding games of stopped servers failed", "error", err)
		}
		for _, id := range ids {
			if s.hall.Loaded(id) != nil || s.hall.Parked(id) || s.hall.Faulted(id) || ctx.Err() != nil {
				continue
			}
			if err := s.hall.Wake(ctx, id, true); err != nil && ctx.Err() == nil {
				s.Log.Warn("loading a game of a stopped server failed", "game", id, "error", err)
			}
		}
	}
}
