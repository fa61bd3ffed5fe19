package serve

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
)

// set returns a time as time.Now would if the time of day had been set forward by so
// many seconds: another time of day, the same monotonic reading. There is no other
// way to make one; the test of it is the first thing that TestWallClock does.
func set(t time.Time, seconds int64) time.Time {
	wall := (*uint64)(unsafe.Pointer(&t)) // its first word: 33 bits of seconds above 30 of nanoseconds
	*wall = uint64(int64(*wall>>30&(1<<33-1))+seconds)<<30 |
		*wall&(1<<30-1) | 1<<63
	return t
}

// wallClock is a fake clock whose time of day can be set.
type wallClock struct {
	start   time.Time
	gone    time.Duration
	seconds int64 // by which the time of day was set
}

func (w *wallClock) now() time.Time { return set(w.start.Add(w.gone), w.seconds) }

// TestWallClock plays the same game with the time of day as it is, and with one that
// is set forward and back by an hour in the midst of it, and before a restart. The
// clocks are the same to the millisecond.
func TestWallClock(t *testing.T) {
	now := time.Now()
	for _, d := range []int64{3600, -3600} {
		if s := set(now, d); s.Unix()-now.Unix() != d || s.Sub(now) != 0 || s.Nanosecond() != now.Nanosecond() {
			t.Fatalf("a time set by %d s is %s, %s later; want another time of day, and no time between", d, s, s.Sub(now))
		}
	}
	want := wallGame(t, 0, 0)
	for _, c := range [][2]int64{{3600, -3600}, {-3600, 3600}, {-3600, -7200}} {
		if diff := cmp.Diff(want, wallGame(t, c[0], c[1])); diff != "" {
			t.Errorf("the time of day was set by %d s, then by %d s: what was seen differs (-want +got):\n%s", c[0], c[1], diff)
		}
	}
}

// wallGame plays a game while the time of day is set, first and then. It returns what
// was seen of the clocks.
func wallGame(t *testing.T, first, then int64) (seen []string) {
	t.Helper()
	w := &wallClock{start: time.Now()}
	l := live.NewMemory()
	config := Config{Hold: -1, Now: w.now, MoveRate: Rate{Burst: 2, Second: .5}}
	c := &clocked{t: t, server: unstarted(t, l, config)}
	c.open(`{"main":300}`)
	look := func() { seen = append(seen, fmt.Sprint(c.left(), c.server.hall.Now().Service)) }
	wait := func(d time.Duration) {
		for range int(d / (100 * time.Millisecond)) {
			w.gone += 100 * time.Millisecond
			if w.gone%time.Second == 0 {
				if err := c.server.clock.Heartbeat(t.Context(), l, w.now); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	move := func(text string) {
		wait(1700 * time.Millisecond)
		c.move(text, http.StatusOK)
		look()
	}
	move("e2e4")
	w.seconds = first
	look()
	move("e7e5")
	move("d2d4")
	w.seconds = then
	look()
	move("d7d5")
	for range 3 { // limits count the same time
		seen = append(seen, c.move("a1a8", 0).Code)
	}
	wait(100 * time.Second)
	look()
	w.seconds = first
	c.server = unstarted(t, l, config)
	look()
	wait(10 * time.Second)
	look()
	wait(300 * time.Second)
	return append(seen, c.move("c2c4", http.StatusConflict).Code)
}

func unstarted(t *testing.T, l live.Log, config Config) *Server {
	t.Helper()
	s, err := New(t.Context(), l, config.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestTimeOfDay lists where the time of day comes in at all. All else subtracts one
// reading of a time from another, which Go does by its monotonic part.
func TestTimeOfDay(t *testing.T) {
	want := []string{
		"live/erase.go UnixMilli",                              // of a ruling, the same
		"live/jet/repair.go UnixMilli",                         // the same, and of the event that calls a game off
		"live/jet/digests.go Truncate",                         // a file
		"live/jet/member.go UTC",                               // in the name of a folder
		"serve/hall/hall.go UnixMilli",                         // of an event, for people to read
		"serve/api/view.go UnixMilli", "serve/api/view.go UTC", // the same, read
		"serve/play/record.go UnixMilli", "serve/play/record.go UTC", // the date in a record
		"serve/play/projector.go UnixMilli", // since when a game may be left alone: for looking after it, not for its clocks
		"serve/play/expiry.go UnixMilli",    // since when nothing has happened in a game that its players left
		"serve/api/limits.go UTC",           // until when a limit holds
		"serve/routes.go Round",             // of a duration
		"serve/api/person.go MaxAge",        // of a cookie
	}
	// What makes a time of day of a time, drops its monotonic part, or asks JetStream
	// when something was written or shall end.
	asks := []string{
		"Unix", "UnixMilli", "UnixMicro", "UnixNano", "UTC", "Local", "In", "Round", "Truncate", "AddDate", "Date",
		"Timestamp", "MaxAge", "OptStartTime", "MsgTTL", "ParseInLocation",
	}
	var got []string
	for _, folder := range []string{"../serve", "../serve/api", "../serve/play", "../serve/puzzles", "../serve/clock", "../serve/hall", "../live", "../live/index", "../live/jet"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, no files", folder, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				got = append(got, asked(t, file, asks)...)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("where the time of day is asked for (-want +got):\n%s", diff)
	}
}

// asked returns which of some names a file calls or sets, of those that belong to
// times.
func asked(t *testing.T, path string, names []string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, data, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.SelectorExpr:
			name = n.Sel.Name
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				name = key.Name
			}
		}
		if slices.Contains(names, name) {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(path), "../")+" "+name)
		}
		return true
	})
	return list
}
