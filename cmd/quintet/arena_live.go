package main

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"quintet/arena"
)

// liveTable is the table of an arena while games are played.
type liveTable struct {
	now    func() time.Time
	began  time.Time
	before int                            // games of an earlier run
	table  func(arena.Standings) []string // the lines below the progress

	standings atomic.Pointer[arena.Standings]
	games     atomic.Int64 // finished games, including those of an earlier run
}

func newLiveTable(now func() time.Time, s arena.Standings, before int, table func(arena.Standings) []string) *liveTable {
	t := &liveTable{now: now, began: now(), before: before, table: table}
	t.standings.Store(&s)
	t.games.Store(int64(before))
	return t
}

// lines returns the progress and the table.
func (t *liveTable) lines() []string {
	s := t.standings.Load()
	return append([]string{t.progress(int(t.games.Load()), s.Planned)}, t.table(*s)...)
}

// progress describes how many games have ended and how long the rest will take.
func (t *liveTable) progress(games, planned int) string {
	const width = 30
	done := width * min(games, planned) / max(planned, 1)
	spent := t.now().Sub(t.began)
	line := fmt.Sprintf("[%s%s] %d of %d games, %v", strings.Repeat("#", done), strings.Repeat("-", width-done), games, planned, spent.Round(time.Second))
	if played := games - t.before; played > 0 && planned > games {
		left := spent / time.Duration(played) * time.Duration(planned-games)
		line += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return line
}
