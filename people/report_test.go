package people_test

import (
	"errors"
	"fmt"
	"testing"

	"quintet/live"
	"quintet/people"
)

// TestReportsBounded checks that the open reports of an account are limited, and those of all. Settled ones free their
// places, and the same report again takes none.
func TestReportsBounded(t *testing.T) {
	l := live.NewMemory()
	for i := people.MaxReportsEach; i < people.MaxReports-1; i++ {
		key := fmt.Sprintf("report%d", i)
		if _, err := l.PutRecord(t.Context(), key, 0, fmt.Appendf(nil, `{"id":%q,"from":"f%d","game":"g%d","at":1}`, key, i, i)); err != nil {
			t.Fatal(err)
		}
	}
	s := newStores(t, l, 1)[0]
	file := func(i int) error {
		return s.File(t.Context(), people.Report{From: "ann", Game: fmt.Sprint(i), Why: "other"})
	}
	for i := range people.MaxReportsEach {
		if err := file(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(file(0), s.File(t.Context(), people.Report{From: "ben", Person: "p", Why: "name"})); err != nil {
		t.Errorf("the same again, and the last place of all: %v", err)
	}
	if err := file(people.MaxReportsEach); !errors.Is(err, people.ErrMany) {
		t.Errorf("one report of an account too many: %v", err)
	}
	if err := s.File(t.Context(), people.Report{From: "ben", Person: "q", Why: "name"}); !errors.Is(err, people.ErrMany) {
		t.Errorf("one report too many: %v", err)
	}
	if err := errors.Join(s.Settle(t.Context(), people.Report{Game: "0"}), file(people.MaxReportsEach)); err != nil {
		t.Errorf("after a report is settled there is no place for another: %v", err)
	}
	list, err := live.ReadRecords(t.Context(), l)
	if err != nil || len(list) != people.MaxReports {
		t.Errorf("%d records, %v, want %d: a free one is used again", len(list), err, people.MaxReports)
	}
}
