package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"quintet/internal/platform"
	"quintet/lab/await"
	"quintet/lab/chaos"
)

// asProgram is set in the environment of a test binary that must act as the program.
const asProgram = "QUINTET_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && (os.Args[1] == engineProcessCommand || os.Args[1] == platform.KeeperCommand) { // of a test
		main()
	}
	if err := os.Setenv(platform.KeepPriority, "1"); err != nil { // tests wait for engines
		panic(err)
	}
	testscript.Main(m, map[string]func(){"quintet": main, "chaos": runChaos})
}

// runChaos is the command chaos, which tests servers of this program.
func runChaos() {
	c := chaos.Command()
	if err := c.ExecuteContext(context.Background()); err != nil {
		os.Exit(1)
	}
}

// concurrentScripts are the scripts of commands that do several things at a time.
var concurrentScripts = []string{"testdata/arena.txtar", "testdata/faults.txtar", "testdata/judge_batch.txtar", "testdata/serve.txtar"}

// TestScripts runs the scripts of testdata: what users type, and what they see.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	runScripts(t, slices.DeleteFunc(files, func(name string) bool { return slices.Contains(concurrentScripts, filepath.ToSlash(name)) }))
}

// TestConcurrentScripts runs the other scripts. The race detector watches only these.
func TestConcurrentScripts(t *testing.T) { runScripts(t, concurrentScripts) }

func runScripts(t *testing.T, files []string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Files: files, RequireExplicitExec: true, RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"lines": awaitLines, "head": head, "cut": cut},
		Setup: func(env *testscript.Env) error {
			env.Setenv(platform.KeepPriority, "1")
			book, err := filepath.Abs("../../bots/othello/book/othello8.book")
			env.Setenv("BOOK", book)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise every program sleeps for a second at exit
			bin, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator))
			env.Setenv("QUINTET", filepath.Join(bin, "quintet"))
			return err //nolint:wrapcheck // it is a test
		},
	})
}

// awaitLines is the script command "lines FILE N": it waits until a file that another
// program writes has N lines.
func awaitLines(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if !await.Holds(func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && strings.Count(string(text), "\n") >= want
	}) {
		ts.Fatalf("%s has not got %d lines after %s", args[0], want, await.Limit)
	}
}

// head is the script command "head FILE N": it keeps the first N lines of a file.
func head(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines[:n], "")), 0o644))
}

// cut is the script command "cut FILE N": it removes N bytes from the end of a file, like
// a power failure.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	bytes, err := strconv.Atoi(args[1])
	ts.Check(err)
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), info.Size()-int64(bytes)))
}

// TestStatus lists exit statuses: 0 done, 1 the input ended early or the run
// failed, 2 wrong usage.
func TestStatus(t *testing.T) {
	for _, test := range []struct {
		args, in string
		want     int
	}{
		{"", "", 0},
		{"--help", "", 0},
		{"games", "", 0},
		{"console connect6 --size 1", "A0", 0},
		{"console connect6 --size 1", "A", 1},
		{"console othello", "", 1},
		{"console othello --size 7", "", 2},
		{"console othello --size 28", "", 2},
		{"console othello --size -2", "", 2},
		{"console loa --size 8", "", 2},
		{"console go", "", 2},
		{"perft othello --depth 3", "", 0},
		{"perft othello", "", 2},
		{"perft othello --depth 3 --moves a1", "", 2},
		{"perft othello --depth 3 --position x", "", 2},
		{"serve --engines 0", "", 2},
		{"serve --farm-key x", "", 2},
		{"coordinator --tls-cert x", "", 2},
		{"serve --nats-system nats://127.0.0.1:1", "", 2},
		{"playout othello --games 1", "", 0},
		{"playout othello --games -1", "", 2},
		{"arena othello --games 2 --nodes 5", "", 0},
		{"arena othello --a nobody", "", 2},
		{"bench connect6", "", 0},
		{"bench go", "", 2},
		{"convert --to moves --game loa", "a1c1", 0},
		{"convert --to moves", "[Game \"loa\"] b9", 1},
		{"convert --to ggf --game loa", "a1c1", 2},
		{"convert --to moves", "a1c1 c0c2", 2},
		{"show - --game loa", "a1c1", 0},
		{"show - --game loa --ply 2", "a1c1", 2},
		{"play othello", "", 2},
		{"play go", "", 2},
		{"play othello --size 7", "", 2},
		{"play othello --second nobody", "", 2},
		{"play loa --clock soon", "", 2},
		{"nonsense", "", 2},
		{"--nonsense", "", 2},
	} {
		var errs strings.Builder
		got := execute(context.Background(), strings.Fields(test.args), strings.NewReader(test.in), io.Discard, &errs)
		if got != test.want {
			t.Errorf("quintet %s: status %d, want %d (%s)", test.args, got, test.want, errs.String())
		}
		if lines := strings.Count(errs.String(), "\n"); lines > 1 || lines == 1 == (got == 0) {
			t.Errorf("quintet %s: status %d with %d lines on standard error: %s", test.args, got, lines, errs.String())
		}
	}
}

// TestFailures breaks the output and cancels the run: status 1.
func TestFailures(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range []string{
		"perft othello --depth 9", "perft chess --depth 4 --divide", "playout loa --games 5", "console chess",
		"arena othello --games 2", "bench loa",
	} {
		if got := execute(cancelled, strings.Fields(args), strings.NewReader("3\n"), io.Discard, io.Discard); got != 1 {
			t.Errorf("quintet %s, cancelled: status %d, want 1", args, got)
		}
	}
	for _, args := range []string{
		"games", "games --json", "perft othello --depth 2", "perft othello --depth 2 --divide", "perft othello --depth 2 --json",
		"playout othello --games 2", "playout othello --games 2 --json", "console chess",
		"arena othello --games 2 --nodes 5", "arena othello --games 2 --nodes 5 --json", "bench loa", "bench loa --json",
	} {
		if got := execute(context.Background(), strings.Fields(args), strings.NewReader("3\n"), broken{}, io.Discard); got != 1 {
			t.Errorf("quintet %s, to a broken output: status %d, want 1", args, got)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
