package jet_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
	"quintet/live/jet"
)

// played returns a log with some games in it.
func played(t *testing.T) *live.Memory {
	t.Helper()
	l := live.NewMemory()
	for _, id := range []string{"a", "b"} {
		table, after := live.New(id), uint64(0)
		add := func(e live.Event, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			data, err := e.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := table.Load(data); err != nil {
				t.Fatal(err)
			}
			if after, err = l.Append(t.Context(), id, after, data); err != nil {
				t.Fatal(err)
			}
		}
		add(live.OpenTable(id, live.Settings{Game: "othello", Seats: [2]live.Player{{Name: "Ann"}, {Name: "Ben"}}}, "", live.Stamp{}))
		add(table.Decide(live.Command{Do: live.Move, Move: "f4", Ply: 0}, live.Stamp{Service: 5}))
	}
	if _, err := l.WriteHeartbeat(t.Context(), 0, live.Heartbeat{Service: 77}); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestBackup(t *testing.T) {
	from := played(t)
	var copied bytes.Buffer
	if n, err := jet.Backup(t.Context(), from, &copied); err != nil || n != 4 {
		t.Fatalf("Backup = %d, %v, want 4", n, err)
	}
	text := copied.String()
	to := open(t, t.TempDir())
	defer func() { _ = to.Close() }()
	if n, err := jet.Restore(t.Context(), to, strings.NewReader(text)); err != nil || n != 4 {
		t.Fatalf("Restore = %d, %v, want 4", n, err)
	}
	for _, id := range []string{"a", "b"} {
		want, _ := from.Read(t.Context(), id)
		got, err := to.Read(t.Context(), id)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v; game %s (-want +got):\n%s", err, id, diff)
		}
	}
	if b, err := to.LastHeartbeat(t.Context()); b.Service != 77 || err != nil {
		t.Errorf("the service time is %d, %v, want 77", b.Service, err)
	}
	if _, err := jet.Restore(t.Context(), to, strings.NewReader(text)); err == nil {
		t.Error("it is restored into a log with games in it")
	}
	if _, err := jet.Restore(t.Context(), live.NewMemory(), strings.NewReader(text[:len(text)-15])); err == nil || !strings.Contains(err.Error(), "line") {
		t.Errorf("a copy that ends early: %v, want it refused", err)
	}
	broken := strings.Replace(text, `"move":"f4"`, `"move":"a1"`, 1)
	if _, err := jet.Restore(t.Context(), live.NewMemory(), strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a copy with an illegal move: %v, want line 3 refused", err)
	}
}

// many returns a copy of a log with more events than are written together, and their
// number.
func many(t *testing.T) (copied string, events int) {
	t.Helper()
	from := live.NewMemory()
	for i := range 167 {
		id := fmt.Sprintf("game%d", i)
		table, after := live.New(id), uint64(0)
		e, err := live.OpenTable(id, live.Settings{Game: "loa", Seats: [2]live.Player{{Name: "Ann"}, {Name: "Ben"}}}, "", live.Stamp{})
		for n := 0; err == nil && n < 3; n++ {
			data, _ := e.Encode()
			if _, err = table.Load(data); err != nil {
				break
			}
			if after, err = from.Append(t.Context(), id, after, data); err != nil {
				break
			}
			events++
			e, err = table.Decide(live.Command{Do: live.Move, Side: table.Turn(), Move: table.Position().Format(table.Legal()[0]), Ply: n}, live.Stamp{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := jet.Backup(t.Context(), from, &out); err != nil {
		t.Fatal(err)
	}
	return out.String(), events
}

// restores checks that restoring a copy into an empty log gives the original log.
func restores(t *testing.T, to *jet.Log) {
	t.Helper()
	first, want := many(t)
	if n, err := jet.Restore(t.Context(), to, strings.NewReader(first)); err != nil || n != want || want != 501 {
		t.Fatalf("Restore = %d, %v, want %d", n, err, want)
	}
	var second bytes.Buffer
	if _, err := jet.Backup(t.Context(), to, &second); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second.String()); diff != "" {
		t.Errorf("the copy of what was restored differs (-want +got):\n%s", diff)
	}
}

// TestRestoreTogether checks that a batch of events is written in the order of the copy,
// with several of one table among them and one left over.
func TestRestoreTogether(t *testing.T) {
	to := open(t, t.TempDir())
	defer func() { _ = to.Close() }()
	restores(t, to)
}

// TestRestoreIntoCluster checks that games can be moved into a cluster.
func TestRestoreIntoCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	to, err := jet.Join(t.Context(), form(t, true).address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = to.Close() }()
	restores(t, to)
}

// forgetful is a log that loses or changes an event that it has acknowledged.
type forgetful struct {
	*live.Memory
	change func(data []byte) []byte // of the event that is written third
	n      int
}

func (f *forgetful) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if f.n++; f.n == 3 {
		data = f.change(data)
	}
	if data == nil {
		return after + 1, nil
	}
	return f.Memory.Append(ctx, stream, after, data)
}

// TestRestoreReadsBack checks that a restore fails if the log does not have what was
// written.
func TestRestoreReadsBack(t *testing.T) {
	var copied bytes.Buffer
	if _, err := jet.Backup(t.Context(), played(t), &copied); err != nil {
		t.Fatal(err)
	}
	if n, err := jet.Verify(t.Context(), bytes.NewReader(copied.Bytes())); n != 4 || err != nil {
		t.Errorf("Verify = %d, %v", n, err)
	}
	if _, err := jet.Verify(t.Context(), bytes.NewReader(copied.Bytes()[:copied.Len()-20])); err == nil {
		t.Error("a copy that ends early is found whole")
	}
	for name, change := range map[string]func([]byte) []byte{
		"as it was": bytes.Clone,
		"changed":   func(data []byte) []byte { return bytes.Replace(data, []byte("othello"), []byte("Othello"), 1) },
		"another":   func(data []byte) []byte { return append(data, ' ') },
	} {
		_, err := jet.Restore(t.Context(), &forgetful{Memory: live.NewMemory(), change: change}, bytes.NewReader(copied.Bytes()))
		if (err == nil) != (name == "as it was") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
