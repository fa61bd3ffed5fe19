package livetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
)

// testRecords writes records, late and in time, and follows them from before and from after.
func testRecords(t *testing.T, l live.Log) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if list, err := live.ReadRecords(ctx, l); len(list) != 0 || err != nil {
		t.Fatalf("an empty log has records %v, %v", list, err)
	}
	put := func(key string, after uint64, data string, want error) uint64 {
		t.Helper()
		revision, err := l.PutRecord(ctx, key, after, []byte(data))
		if !errors.Is(err, want) || err == nil && revision <= after {
			t.Errorf("PutRecord(%s, %d) = %d, %v, want %v and more than before", key, after, revision, err, want)
		}
		return revision
	}
	a := put("a", 0, "1", nil)
	b := put("b", 0, "2", nil)
	put("a", 0, "3", live.ErrStale)
	put("a", b, "4", live.ErrStale)
	a2 := put("a", a, "5", nil)
	put("a", a, "6", live.ErrStale)
	put("c", 0, "7", nil)
	got := []string{}
	for r, err := range l.FollowRecords(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Key+string(r.Data))
		switch len(got) {
		case 4:
			put("b", b, "8", nil)
			put("a", a2, "9", nil)
		case 6:
			cancel()
		}
		if len(got) == 6 {
			break
		}
	}
	if diff := cmp.Diff([]string{"b2", "a5", "c7", "", "b8", "a9"}, got); diff != "" {
		t.Errorf("followed, -want +got:\n%s", diff)
	}
	list, err := live.ReadRecords(t.Context(), l)
	text := ""
	for _, r := range list {
		text += fmt.Sprintf("%s%s ", r.Key, r.Data)
	}
	if text != "c7 b8 a9 " || err != nil {
		t.Errorf("the records are %q, %v", text, err)
	}
	testGetRecord(t, l)
}

// testGetRecord reads single records, among them one of another category before and after it is emptied.
func testGetRecord(t *testing.T, l live.Log) {
	for key, want := range map[string]string{"a": "9", "class-x": ""} {
		if r, err := l.GetRecord(t.Context(), key); string(r.Data) != want || err != nil || want != "" && r.Key != key {
			t.Errorf("record %s is %+v, %v, want %q", key, r, err, want)
		}
	}
	full, err := l.PutRecord(t.Context(), "class-x", 0, []byte("10"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.PutRecord(t.Context(), "class-x", full, nil) // as erasing a class does
	if r, err2 := l.GetRecord(t.Context(), "class-x"); err != nil || err2 != nil || len(r.Data) != 0 || r.Revision <= full {
		t.Errorf("the emptied record is %+v, %v, %v", r, err, err2)
	}
}
