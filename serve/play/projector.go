package play

import (
	"cmp"
	"context"
	"slices"
	"time"

	"quintet/live"
	"quintet/live/index"
	"quintet/serve/clock"
)

const (
	batchSize  = 2000                   // maximum events per index transaction
	batchDelay = 100 * time.Millisecond // between transactions: each costs a write to the disk
)

// Start runs what keeps the index, the live positions and the games in order, until the
// context ends. loop runs a function in a goroutine, and again when it panics.
func (s *Service) Start(ctx context.Context, loop func(task string, f func())) {
	loop("list of games", func() { s.project(ctx) })
	loop("positions of live games", func() { s.followLivePositions(ctx) })
	loop("expiry", func() { s.expire(ctx) })
	loop("pairing", func() { s.pairWaiting(ctx) })
	if s.config.Shared {
		loop("games of other servers", func() { s.adoptOrphans(ctx) })
	}
}

// Deliver takes an entry of the log.
func (s *Service) Deliver(e live.Entry) {
	s.projected.deliver(e)
	s.live.events.deliver(e)
}

// project keeps the index of games up to date. When it is complete for the first time, the
// server is ready and wakes the games with clocks.
func (s *Service) project(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.projectAll(ctx); ctx.Err() == nil {
			s.Log.Error("the index of games is falling behind", "error", err)
			s.Lag.Failed("the list of games")
			clock.Sleep(ctx, time.Second)
		}
	}
}

// projectAll writes the events of the log to the index: first those that it lacks, then new
// ones. It returns only with an error.
func (s *Service) projectAll(ctx context.Context) error {
	last, err := s.projected.reset(ctx, s.config.Log)
	if err != nil {
		return err
	}
	var after uint64
	if err = s.index.Repair(ctx, last); err == nil {
		after, err = s.index.LastApplied(ctx)
	}
	if err == nil && after < last {
		err = s.catchUp(ctx, after, last)
	}
	if err != nil {
		return err
	}
	s.wakeGames(ctx)
	s.Lag.Reached("the list of games", last)
	for {
		list, err := s.projected.take(ctx, s.index.Damaged())
		if err != nil || len(list) == 0 {
			return cmp.Or(err, index.ErrRebuilding)
		}
		seen := list[len(list)-1].Seq
		list = slices.DeleteFunc(list, func(e live.Entry) bool { return e.Seq <= last })
		for batch := range slices.Chunk(list, batchSize) {
			if err := s.index.Apply(ctx, batch); err != nil {
				return err
			}
		}
		s.Lag.Reached("the list of games", seen)
		clock.Sleep(ctx, batchDelay)
	}
}

// catchUp writes the events after a number to the index, up to the last.
func (s *Service) catchUp(ctx context.Context, after, last uint64) error {
	var batch []live.Entry
	for e, err := range s.config.Log.Follow(ctx, after) {
		if err != nil {
			return err
		}
		if batch = append(batch, e); len(batch) < batchSize && e.Seq < last {
			continue
		}
		if err := s.index.Apply(ctx, batch); err != nil || e.Seq >= last {
			return err
		}
		batch = batch[:0]
	}
	return ctx.Err()
}

// logReady logs that the server is ready, with the numbers of games: all, open, live, and
// those with a clock or an engine.
func (s *Service) logReady(ctx context.Context, awake int) {
	count, err := s.index.Count(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("counting games failed", "error", err)
	}
	all := count[live.Open] + count[live.Live] + count[live.Finished]
	s.Log.Info("ready", "games", all, "open", count[live.Open], "live", count[live.Live], "with_clock_or_engine", awake)
}

// wakeGames makes the server ready, and wakes the games with a clock or an engine.
func (s *Service) wakeGames(ctx context.Context) {
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
	s.Spawn("games with clocks", func() {
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
func (s *Service) adoptOrphans(ctx context.Context) {
	for ctx.Err() == nil {
		clock.Sleep(ctx, orphanEvery)
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
