package jet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/live"
	"quintet/live/jet"
)

// games writes a log with three interleaved streams of three chained events each, and a heartbeat.
func games(t *testing.T, dir, letter string) {
	t.Helper()
	l := open(t, dir)
	defer func() { _ = l.Close() }()
	chains, after := [3]live.Chain{}, [3]uint64{}
	for i := range 9 {
		stream := fmt.Sprintf("study-%s%d", strings.Repeat(letter, 11), i%3)
		e := chains[i%3].Next("opened", live.Stamp{})
		data := fmt.Appendf(nil, `{"kind":"opened","n":%d,"prev":%q,"at":0,"time":0,"text":"event %d"}`, e.Number, e.Prev, i)
		_, err := chains[i%3].Load(stream, data)
		if err == nil {
			after[i%3], err = l.Append(t.Context(), stream, after[i%3], data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writeHeartbeat(t, l, 12345); err != nil {
		t.Fatal(err)
	}
}

// flip changes a byte of a text in the files of a log. JetStream then has to read them, because
// its index is gone.
func flip(t *testing.T, dir, text string) {
	t.Helper()
	flipIn(t, dir, "QUINTET", text)
}

func flipIn(t *testing.T, dir, stream, text string) {
	t.Helper()
	path := filepath.Join(dir, "jetstream", "$G", "streams", stream, "msgs", "1.blk")
	data, err := os.ReadFile(path)
	i := bytes.Index(data, []byte(text))
	if err != nil || i < 0 {
		t.Fatalf("%q in %s: %d, %v", text, path, i, err)
	}
	data[i] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(filepath.Join(filepath.Dir(path), "index.db")) // an open log has none yet
}

// checkStreams checks which streams of games are damaged, and that the others are complete.
func checkStreams(t *testing.T, l *jet.Log, damaged ...string) {
	t.Helper()
	for i := range 3 {
		stream := fmt.Sprintf("study-aaaaaaaaaaa%d", i)
		want := strings.Contains(strings.Join(damaged, " "), stream)
		list, err := l.Read(t.Context(), stream)
		if got := errors.Is(err, live.ErrBroken); got != want || !want && (err != nil || len(list) != 3) {
			t.Errorf("%s: %d events, %v, want it damaged: %t", stream, len(list), err, want)
		}
		if _, err := l.Append(t.Context(), stream, 1, nil); errors.Is(err, live.ErrBroken) != want {
			t.Errorf("appending to %s: %v, want it damaged: %t", stream, err, want)
		}
	}
	if n := len(l.Damage()); n != len(damaged) {
		t.Errorf("%d streams are damaged, want %q", n, damaged)
	}
}

// TestDamage checks that a flipped byte closes its stream and no other, also after a restart, and that a
// repair without a backup ends the stream before the damaged event.
func TestDamage(t *testing.T) {
	for _, k := range []struct {
		text   string
		stream string
		kept   int
	}{{"event 4", "study-aaaaaaaaaaa1", 1}, {"event 8", "study-aaaaaaaaaaa2", 2}, {"event 0", "study-aaaaaaaaaaa0", 0}} {
		dir := t.TempDir()
		games(t, dir, "a")
		flip(t, dir, k.text)
		v, err := jet.VerifyFolder(dir)
		if err != nil || v.Problem != "" || len(v.Damaged) != 1 || v.Damaged[0].Stream != k.stream || v.Damaged[0].Kept != k.kept {
			t.Errorf("VerifyFolder = %+v, %v, want %s with %d events", v, err, k.stream, k.kept)
		}
		for range 2 {
			l := open(t, dir)
			checkStreams(t, l, k.stream)
			if h, err := l.LastHeartbeat(t.Context()); err != nil || h.Service != 12345 {
				t.Errorf("LastHeartbeat = %v, %v", h, err)
			}
			if _, err := jet.Backup(t.Context(), l, &bytes.Buffer{}); !errors.Is(err, live.ErrBroken) {
				t.Errorf("a backup of a damaged log: %v", err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := jet.Repair(t.Context(), dir, nil, time.UnixMilli(1), true, nil); err != nil {
			t.Fatal(err)
		}
		l := open(t, dir)
		list, err := l.Read(t.Context(), k.stream)
		if err != nil || len(list) != k.kept || len(l.Damage()) != 0 {
			t.Errorf("repaired: %d events, %v, %d damaged, want %d events", len(list), err, len(l.Damage()), k.kept)
		}
		rulings, err := l.Read(t.Context(), live.ModerationStream)
		if err != nil || len(rulings) != 1 || !bytes.Contains(rulings[0].Data, []byte(k.stream)) {
			t.Errorf("rulings %v, %v, want one on %s", rulings, err, k.stream)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDamageOfHexadecimalName checks that a damaged game is closed even if its identifier looks like the hash of a lost name.
func TestDamageOfHexadecimalName(t *testing.T) {
	dir, stream := t.TempDir(), "7d7f926b725b"
	l := open(t, dir)
	for i := range uint64(2) {
		if _, err := l.Append(t.Context(), stream, i, fmt.Appendf(nil, `{"text":"event %d"}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(writeHeartbeat(t, l, 1), l.Close()); err != nil {
		t.Fatal(err)
	}
	flip(t, dir, "event 1")
	l = open(t, dir)
	if list, err := l.Read(t.Context(), stream); !errors.Is(err, live.ErrBroken) {
		t.Errorf("%d events, %v, want the game closed", len(list), err)
	}
	if n := len(l.Damage()); n != 1 {
		t.Errorf("%d streams are damaged, want 1", n)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedDigests checks that damaged digests are computed again from the events.
func TestDamagedDigests(t *testing.T) {
	dir := t.TempDir()
	games(t, dir, "a")
	file := filepath.Join(dir, "digests")
	want, err := os.ReadFile(file)
	if err != nil || len(want) != 9*16 {
		t.Fatalf("%d bytes of digests, %v, want 16 an event", len(want), err)
	}
	for _, change := range []func() error{
		func() error { return os.Remove(file) },
		func() error { return os.Truncate(file, 50) },
		func() error { return os.WriteFile(file, bytes.Repeat([]byte{7}, 9*16), 0o600) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		l := open(t, dir)
		checkStreams(t, l)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("digests of %d bytes, %v, want those from before", len(got), err)
		}
	}
}

// TestRepairFromBackup checks that a repair restores a lost event with its digest, whether or not the log has digests.
func TestRepairFromBackup(t *testing.T) {
	for _, without := range []bool{false, true} {
		dir := t.TempDir()
		games(t, dir, "a")
		digests := filepath.Join(dir, "digests")
		want, err := os.ReadFile(digests)
		if err != nil {
			t.Fatal(err)
		}
		var backup bytes.Buffer
		l := open(t, dir)
		if _, err := jet.Backup(t.Context(), l, &backup); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		flip(t, dir, "event 4")
		if without {
			err = os.Remove(digests)
		}
		list, repairErr := jet.Repair(t.Context(), dir, bytes.NewReader(backup.Bytes()), time.UnixMilli(1), true, nil)
		if err := errors.Join(err, repairErr); err != nil || len(list) != 1 || list[0].Restored != 1 || list[0].Lost != 0 {
			t.Errorf("Repair = %+v, %v, want one restored event", list, err)
		}
		if got, err := os.ReadFile(digests); err != nil || !bytes.Equal(got, want) {
			t.Errorf("without digests %t: %x, %v, want those from before: %x", without, got, err, want)
		}
		l = open(t, dir)
		checkStreams(t, l)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOtherLog checks that events of another log are not shown. Without digests the log is refused, because
// it does not match its last checkpoint.
func TestOtherLog(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	games(t, dir, "a")
	games(t, other, "b")
	streams := filepath.Join("jetstream", "$G", "streams", "QUINTET")
	replace := func() {
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, streams)), os.CopyFS(filepath.Join(dir, streams), os.DirFS(filepath.Join(other, streams)))); err != nil {
			t.Fatal(err)
		}
	}
	replace()
	for range 2 {
		l := open(t, dir)
		checkStreams(t, l, "study-aaaaaaaaaaa0", "study-aaaaaaaaaaa1", "study-aaaaaaaaaaa2")
		if list, err := l.Read(t.Context(), "study-bbbbbbbbbbb0"); err != nil || len(list) > 0 {
			t.Errorf("a stream of another log has %d events, %v", len(list), err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	replace()
	if err := os.Remove(filepath.Join(dir, "digests")); err != nil {
		t.Fatal(err)
	}
	if l, err := jet.Open(t.Context(), dir, nil); err == nil {
		t.Error("a log that is not the one of its checkpoint was opened")
		_ = l.Close()
	}
}

// TestTorn checks that a torn write of unacknowledged events is not taken for damage.
func TestTorn(t *testing.T) {
	dir := t.TempDir()
	games(t, dir, "a")
	streams := filepath.Join(dir, "jetstream", "$G", "streams")
	flip(t, dir, "event 6")
	err := errors.Join(os.Truncate(filepath.Join(dir, "digests"), 5*16), os.RemoveAll(filepath.Join(streams, "QUINTET_BEAT")))
	if err != nil {
		t.Fatal(err)
	}
	l := open(t, dir)
	defer func() { _ = l.Close() }()
	if last, err := l.Last(t.Context()); err != nil || last != 6 || len(l.Damage()) > 0 {
		t.Errorf("the log ends with %d, %v, and has %d damaged streams, want 6 and none", last, err, len(l.Damage()))
	}
}

// TestDamagedHeartbeat checks that the service time continues from the heartbeat before a damaged one.
func TestDamagedHeartbeat(t *testing.T) {
	dir := t.TempDir()
	games(t, dir, "a")
	l := open(t, dir)
	if err := errors.Join(writeHeartbeat(t, l, 67890), l.Close()); err != nil {
		t.Fatal(err)
	}
	beats := filepath.Join(dir, "jetstream", "$G", "streams", "QUINTET_BEAT", "msgs")
	data, err := os.ReadFile(filepath.Join(beats, "1.blk"))
	if err == nil {
		data = bytes.Replace(data, []byte("67890"), []byte("97890"), 1)
		err = errors.Join(os.WriteFile(filepath.Join(beats, "1.blk"), data, 0o600), os.Remove(filepath.Join(beats, "index.db")))
	}
	if err != nil {
		t.Fatal(err)
	}
	l = open(t, dir)
	defer func() { _ = l.Close() }()
	if h, err := l.LastHeartbeat(t.Context()); err != nil || h.Service != 12345 {
		t.Errorf("LastHeartbeat = %v, %v, want 12345", h, err)
	}
}

// TestFlippedHeartbeat flips two bits of the heartbeats, at places after which JetStream accepted no others.
func TestFlippedHeartbeat(t *testing.T) {
	src := filepath.Join(t.TempDir(), "log")
	games(t, src, "a")
	l := open(t, src)
	if err := errors.Join(writeHeartbeat(t, l, 67890), l.Close()); err != nil {
		t.Fatal(err)
	}
	for _, seed := range []uint64{2, 19, 41} {
		dir, random := filepath.Join(t.TempDir(), "log"), rand.New(rand.NewPCG(1, seed))
		block := filepath.Join(dir, "jetstream", "$G", "streams", "QUINTET_BEAT", "msgs", "1.blk")
		err := os.CopyFS(dir, os.DirFS(src))
		data, bad := os.ReadFile(block)
		if err = errors.Join(err, bad); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
		}
		if err := os.WriteFile(block, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if seed == 2 { // a repair must handle them, too
			if _, err := jet.Repair(t.Context(), dir, nil, time.UnixMilli(1), true, nil); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		l, err := jet.Open(t.Context(), dir, nil)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if h, err := l.LastHeartbeat(t.Context()); err != nil || h.Service < 12345 {
			t.Errorf("seed %d: LastHeartbeat = %v, %v, want at least 12345", seed, h, err)
		}
		_ = l.Close()
	}
}

// TestScrub checks that damage is found while the log is open.
func TestScrub(t *testing.T) {
	dir := t.TempDir()
	games(t, dir, "a")
	l := open(t, dir)
	defer func() { _ = l.Close() }()
	checkStreams(t, l)
	flip(t, dir, "event 7")
	if err := jet.ScrubOnce(t.Context(), l, dir); err != nil {
		t.Fatal(err)
	}
	checkStreams(t, l, "study-aaaaaaaaaaa1")
}

// TestDamageKeepsRecords checks that records survive damage of an event, and the others that of one record.
func TestDamageKeepsRecords(t *testing.T) {
	dir := t.TempDir()
	games(t, dir, "a")
	l := open(t, dir)
	for _, key := range []string{"a", "b", "c"} {
		rev, err := l.PutRecord(t.Context(), key, 0, []byte("first "+key))
		if err == nil && key == "c" {
			_, err = l.PutRecord(t.Context(), key, rev, []byte("last c"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct{ stream, text, want string }{
		{"QUINTET", "event 4", "a: first a, b: first b, c: last c, "},
		{"QUINTET_RECORDS", "first a", "b: first b, c: last c, "},
	} {
		flipIn(t, dir, k.stream, k.text)
		l := open(t, dir)
		list, err := live.ReadRecords(t.Context(), l)
		got := ""
		for _, r := range list {
			got += fmt.Sprintf("%s: %s, ", r.Key, r.Data)
		}
		if err != nil || got != k.want {
			t.Errorf("%q flipped: the records are %q, %v, want %q", k.text, got, err, k.want)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
