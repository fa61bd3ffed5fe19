//go:build unix

package jet_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
)

// limit lets no file of this process grow beyond a size.
func limit(t *testing.T, bytes uint64) {
	t.Helper()
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &r); err != nil {
		t.Fatal(err)
	}
	r.Cur = min(bytes, r.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &r); err != nil {
		t.Fatal(err)
	}
}

// TestWriteFails makes the system fail a write halfway, as on a disk that fills up:
// acknowledged events survive, followers get an error that makes them start again, and
// the same Log accepts events again when there is space. It runs in its own process,
// because the file size limit applies to a process.
func TestWriteFails(t *testing.T) {
	const child = "QUINTET_TEST_WRITE_FAILS"
	if os.Getenv(child) == "" {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWriteFails$", "-test.v")
		c.Env = append(os.Environ(), child+"=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	dir := t.TempDir()
	l := open(t, dir)
	defer func() { _ = l.Close() }()
	if _, err := l.Append(t.Context(), "other", 0, []byte("before")); err != nil {
		t.Fatal(err)
	}
	followed := make(chan error, 1)
	go func() {
		for _, err := range l.Follow(t.Context(), 0) {
			if err != nil {
				followed <- err
			}
		}
	}()
	limit(t, 40_000)
	after, n := fails(t, l, 0)
	if _, err := l.Append(t.Context(), "other", 1, []byte("after")); err == nil || errors.Is(err, live.ErrStale) {
		t.Errorf("the next write: %v, want it refused", err)
	}
	if err := await.Receive(t, "the end of the events", followed); err == nil {
		t.Error("who follows is not told")
	}
	limit(t, 1<<40)
	seq, err := uint64(0), errors.New("not tried")
	for began := time.Now(); err != nil && time.Since(began) < hung; time.Sleep(10 * time.Millisecond) {
		seq, err = l.Append(t.Context(), "game", after, []byte("again"))
	}
	if err != nil {
		t.Fatalf("there is room, and events are not taken: %v", err)
	}
	list, err := l.Read(t.Context(), "game")
	if err != nil || len(list) != n+1 || list[n].Seq != seq {
		t.Errorf("there are %d events, %v, want the %d that were acknowledged, and the last", len(list), err, n)
	}
	files, err := filepath.Glob(filepath.Join(dir, "jetstream", "$G", "streams", "QUINTET", "msgs", "*.blk"))
	if err != nil || len(files) == 0 {
		t.Errorf("the files of the log are not where this test limits them: %v, %v", files, err)
	}
}
