package jet_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/live"
	"quintet/live/jet"
)

// TestLostRecord checks that a start and verify detect a lost record, until a repair restores it from a backup or
// gives it up, and that a changed record of a backup is detected.
func TestLostRecord(t *testing.T) {
	dir := t.TempDir()
	games(t, dir, "a")
	l := open(t, dir)
	rev, err := l.PutRecord(t.Context(), "ann", 0, []byte(`{"name":"Ann"}`))
	if err == nil {
		_, err = l.PutRecord(t.Context(), "ann", rev, []byte(`{"name":"Anna"}`))
	}
	if err == nil {
		_, err = l.PutRecord(t.Context(), "ben", 0, []byte(`{"name":"Ben"}`))
	}
	var backup bytes.Buffer
	if err == nil {
		_, err = jet.Backup(t.Context(), l, &backup)
	}
	if err != nil || l.Close() != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(backup.String(), `"Anna"`, `"Anne"`, 1)
	if _, err := jet.Verify(t.Context(), strings.NewReader(changed)); err == nil || !strings.Contains(err.Error(), "accounts do not match") {
		t.Errorf("a changed account in a backup: %v", err)
	}
	damaged := func(want, records int) {
		t.Helper()
		v, err := jet.VerifyFolder(dir)
		if err != nil || len(v.Damaged) != want {
			t.Errorf("VerifyFolder = %+v, %v, want %d damaged", v, err, want)
		}
		l := open(t, dir)
		defer func() { _ = l.Close() }()
		list, err := live.ReadRecords(t.Context(), l)
		if err != nil || len(l.Damage()) != want || len(list) != records {
			t.Errorf("%d records, %v, %d damaged, want %d and %d", len(list), err, len(l.Damage()), records, want)
		}
	}
	damaged(0, 2)
	stream := filepath.Join(dir, "jetstream", "$G", "streams", "QUINTET_RECORDS", "msgs")
	old := filepath.Join(t.TempDir(), "old")
	if err := os.CopyFS(old, os.DirFS(stream)); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir)
	if list, err := live.ReadRecords(t.Context(), l); err == nil {
		_, err = l.PutRecord(t.Context(), "ann", list[0].Revision, []byte(`{"name":"Annie"}`))
		if err != nil || l.Close() != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.RemoveAll(stream), os.CopyFS(stream, os.DirFS(old))); err != nil {
		t.Fatal(err)
	}
	damaged(1, 2) // it has an older version
	if list, err := jet.Repair(t.Context(), dir, bytes.NewReader(backup.Bytes()), time.UnixMilli(1), true, nil); err != nil || len(list) != 1 || list[0].Restored != 1 {
		t.Errorf("Repair = %+v, %v", list, err)
	}
	damaged(0, 2)
	for _, from := range []*bytes.Reader{bytes.NewReader(backup.Bytes()), nil} {
		data, err := os.ReadFile(filepath.Join(stream, "1.blk"))
		i := bytes.Index(data, []byte(`"Ben"`))
		if err != nil || i < 0 {
			t.Fatal(i, err)
		}
		data[i+1] = 'b'
		if os.WriteFile(filepath.Join(stream, "1.blk"), data, 0o600) != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(stream, "index.db"))
		damaged(1, 1)
		damaged(1, 1) // the start has copied the log
		var list []jet.Repaired
		if from != nil {
			list, err = jet.Repair(t.Context(), dir, from, time.UnixMilli(1), true, nil)
		} else {
			list, err = jet.Repair(t.Context(), dir, nil, time.UnixMilli(1), true, nil)
		}
		if err != nil || len(list) != 1 || (list[0].Restored == 1) != (from != nil) {
			t.Errorf("Repair = %+v, %v", list, err)
		}
		if from != nil {
			damaged(0, 2)
		}
	}
	if v, err := jet.VerifyFolder(dir); err != nil || len(v.Damaged) > 0 {
		t.Errorf("VerifyFolder = %+v, %v, want no damage", v, err)
	}
}
