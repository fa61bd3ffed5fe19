package people

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"quintet/live"
)

// Reports are kept in a fixed number of records, whose keys are reportKey and a number. Settling
// a report frees its record, so all reports together take bounded space.
const reportKey = "report"

// Limits on open reports.
const (
	MaxReports     = 2000 // of everybody
	MaxReportsEach = 20   // of an account
)

// Report is what somebody reported to the moderators: a person or a game.
type Report struct {
	ID     string `json:"id"` // key of the record
	From   string `json:"from,omitempty"`
	Person string `json:"person,omitempty"` // identifier of an account; one of Person and Game is set, neither in a free record
	Game   string `json:"game,omitempty"`
	Why    Why    `json:"why,omitempty"`
	At     int64  `json:"at,omitempty"` // time of day, milliseconds since 1970

	revision uint64
}

// Why is the reason of a report, and of what a moderator does.
type Why string

// Reasons returns all reasons. There is no free text, which would be another way to insult people.
func Reasons() []Why { return []Why{"name", "cheating", "leaving", "harassment", "other"} }

// Decision is what a moderator did to an account.
type Decision struct {
	Do  string `json:"do"`
	By  string `json:"by"` // identifier of the moderator's account
	Why Why    `json:"why"`
	At  int64  `json:"at"` // time of day, milliseconds since 1970
}

// maxDecisions is how many of the latest decisions an account keeps.
const maxDecisions = 20

// Decide records what a moderator did.
func (a *Account) Decide(d Decision) {
	a.Decisions = append(a.Decisions, d)
	a.Decisions = a.Decisions[max(0, len(a.Decisions)-maxDecisions):]
}

// Close ends the sessions of an account and blocks sign-ins.
func (a *Account) Close() {
	a.Closed = true
	a.Revoke(Grant.Session)
}

// open reports whether a report waits for a moderator.
func (r Report) open() bool { return r.Person != "" || r.Game != "" }

// about reports whether two reports are about the same person or game.
func (r Report) about(o Report) bool { return r.Person == o.Person && r.Game == o.Game }

// applyReport applies the record of a report. The caller holds mu.
func (s *Store) applyReport(record live.Record) {
	var r Report
	if err := json.Unmarshal(record.Data, &r); err != nil || r.ID != record.Key {
		s.log.Error("a report cannot be read", "id", record.Key, "error", err)
		return
	}
	if r.revision = record.Revision; r.revision > s.reports[r.ID].revision {
		s.reports[r.ID] = r
	}
}

// Reports returns the open reports, the oldest first.
func (s *Store) Reports() (list []Report) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, r := range s.reports {
		if r.open() {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b Report) int { return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.ID, b.ID)) })
	return list
}

// File stores a report, unless its sender has reported the same before. The error wraps ErrMany if there are too
// many open reports of the sender, or in all.
func (s *Store) File(ctx context.Context, r Report) error {
	return s.retry(ctx, func() error {
		list, each := s.Reports(), 0
		for _, o := range list {
			if o.From == r.From && o.about(r) {
				return nil
			}
			if o.From == r.From {
				each++
			}
		}
		if len(list) >= MaxReports || each >= MaxReportsEach {
			return ErrMany
		}
		r.ID, r.revision = s.freeReport()
		return s.putReport(ctx, r)
	})
}

// freeReport returns the key and the revision of a free record.
func (s *Store) freeReport() (key string, revision uint64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for i := range MaxReports {
		key = reportKey + strconv.Itoa(i)
		if r := s.reports[key]; !r.open() {
			return key, r.revision
		}
	}
	return key, 0
}

// Settle frees the records of all reports about the same person or game as one of them.
func (s *Store) Settle(ctx context.Context, r Report) error {
	for _, o := range s.Reports() {
		if !o.about(r) {
			continue
		}
		if err := s.putReport(ctx, Report{ID: o.ID, revision: o.revision}); err != nil && !errors.Is(err, live.ErrStale) {
			return err
		}
	}
	return nil
}

func (s *Store) putReport(ctx context.Context, r Report) error {
	return s.put(ctx, "a report", r.ID, r.revision, r)
}
