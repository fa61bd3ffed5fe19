// Package quintet_test holds the rules of the house that a machine can check:
// which package may import which, and how large functions and files may grow.
package quintet_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed lists, for each package, what its own code (tests apart) may import
// besides the standard library. A package that is not listed fails the test, so
// that a new one is given its place here.
var allowed = map[string][]string{
	"game":                 {},
	"game/board8":          {"quintet/game"},
	"games/*":              {"quintet/game", "quintet/game/board8"}, // a game without a line of its own
	"games/othello":        {"quintet/game", "golang.org/x/sys/cpu"},
	"games":                {"quintet/game", "quintet/games/*"},
	"game/perft":           {"quintet/game"},
	"game/playout":         {"quintet/game"},
	"engine":               {"quintet/game", "quintet/internal/hugepages", "golang.org/x/sys/cpu"},
	"engine/nnue":          {"golang.org/x/sys/cpu"},
	"bots/connect6":        {"quintet/bots/connect6/certificate", "quintet/game", "quintet/games/connect6", "quintet/engine"},
	"bots":                 {"quintet/game", "quintet/games", "quintet/game/board8", "quintet/games/*", "quintet/engine", "quintet/bots/othello/book", "quintet/bots/othello/large", "quintet/bots/othello/linear", "quintet/bots/othello/midgame", "quintet/bots/othello/pattern", "quintet/bots/othello/solved", "quintet/bots/connect6", "quintet/bots/connect6/certificate", "quintet/engine/nnue"},
	"arena":                {"quintet/internal/platform", "quintet/game", "quintet/engine"},
	"farm":                 {},               // jobs and their results: no games, no NATS, no HTTP
	"farm/scheduler":       {"quintet/farm"}, // it knows no kind of job
	"farm/jobtypes":        {"quintet/bots", "quintet/engine", "quintet/farm", "quintet/arena", "quintet/game", "quintet/games", "quintet/games/connect6", "quintet/games/othello", "quintet/review"},
	"farm/jet":             {"quintet/farm", "github.com/nats-io/nats.go", "github.com/nats-io/nats.go/jetstream"},
	"farm/judging":         {"quintet/engine/remote/workers", "github.com/nats-io/nats.go"},
	"farm/natsrpc":         {"quintet/engine/remote/workers", "quintet/farm", "quintet/farm/judging", "quintet/live/jet", "github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go", "github.com/nats-io/nkeys"},
	"farm/page":            {"quintet/game", "quintet/picture", "quintet/farm", "quintet/farm/scheduler", "quintet/farm/jobtypes", "github.com/prometheus/client_golang/*"},
	"farm/worker":          {"quintet/farm"},
	"farm/coordinator":     {"quintet/farm", "quintet/farm/scheduler", "quintet/farm/jet", "quintet/farm/natsrpc", "quintet/live/jet", "github.com/nats-io/nats.go"},
	"protocol":             {"quintet/game", "quintet/engine", "quintet/protocol/check", "quintet/protocol/program"},
	"protocol/check":       {"quintet/game", "quintet/protocol/program"},
	"protocol/env":         {"quintet/engine", "quintet/game"},
	"protocol/program":     {"quintet/internal/platform", "quintet/engine", "quintet/game"},
	"protocol/reversi":     {"quintet/game", "quintet/record/ggf", "quintet/engine", "quintet/protocol/check", "quintet/protocol/program"},
	"examples":             {},
	"examples/guided":      {},
	"examples/ugi":         {"quintet/game", "quintet/games"},
	"examples/game":        {"quintet/bots", "quintet/engine", "quintet/game", "quintet/games/loa", "quintet/record"},
	"picture":              {"quintet/game", "golang.org/x/image/*"},
	"bots/othello/endgame": {"quintet/game", "quintet/games/othello", "quintet/internal/hugepages", "golang.org/x/sys/cpu"},
	"bots/othello/book":    {"quintet/game", "quintet/games/othello", "quintet/engine"},
	"bots/othello/solved":  {"quintet/game", "quintet/games/othello"},
	"bots/othello/pattern": {"quintet/internal/hugepages", "quintet/internal/pagefile", "golang.org/x/sys/cpu"},
	"internal/pagefile":    {},
	"bots/othello/linear":  {},
	"bots/othello/large":   {"quintet/game", "quintet/games/othello", "quintet/engine", "quintet/bots/othello/linear"},
	"bots/othello/midgame": {"quintet/game", "quintet/games/othello", "quintet/engine", "quintet/bots/othello/endgame", "quintet/bots/othello/linear", "quintet/bots/othello/pattern"},
	"learn/puzzle":         {"quintet/internal/pagefile", "quintet/bots", "quintet/engine", "quintet/game", "quintet/games"},
	"review/stored":        {"quintet/game", "quintet/games", "quintet/review"},
	"learn/lesson":         {"quintet/bots", "quintet/game", "quintet/games"},
	"review":               {"quintet/bots", "quintet/game", "quintet/engine"},
	"record/ggf":           {"quintet/game"},
	"record/formats":       {"quintet/judge/console", "quintet/game", "quintet/games", "quintet/record", "quintet/record/ggf"},
	"record":               {"quintet/internal/atomicfile", "quintet/game", "quintet/games", "quintet/games/*"},
	"people":               {"quintet/live", "golang.org/x/crypto/argon2"}, // accounts: no HTTP
	"live":                 {"quintet/game", "quintet/games", "quintet/people/rating", "golang.org/x/text/unicode/norm"},
	"live/index":           {"quintet/internal/atomicfile", "quintet/game", "quintet/games", "quintet/live", "quintet/people/rating", "modernc.org/sqlite", "modernc.org/sqlite/lib"},
	"people/class":         {"quintet/games", "quintet/judge/marks", "quintet/live", "quintet/people"}, // classes: no HTTP
	"people/rating":        {},                                                                         // no log, no clock: the same bits on every machine
	"people/pairing":       {"quintet/people/rating"},
	"people/tournament":    {"quintet/people/pairing"}, // no log, no clock: the same games on every server
	"live/jet": {
		"quintet/internal/atomicfile", "quintet/internal/platform", "quintet/live", "github.com/minio/highwayhash",
		"github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go", "github.com/nats-io/nats.go/jetstream", "github.com/nats-io/nuid",
	},
	"serve/clock": {"quintet/live"},                                                                                                // the first floor of serve: it knows no tables and no HTTP
	"serve/hall":  {"quintet/game", "quintet/engine", "quintet/bots", "quintet/live", "quintet/serve/clock", "quintet/serve/fair"}, // the second: tables and watchers, no HTTP
	"serve/fair":  {},
	"serve/jobs":  {"quintet/serve/fair"}, "serve/lti": {"quintet/people/class", "quintet/serve/fair", "github.com/golang-jwt/jwt/v5"},
	// The subjects of the interface, and what they share. Live play is the only one that others use.
	"serve/api": {
		"quintet/game", "quintet/internal/platform", "quintet/live", "quintet/people", "quintet/record", "quintet/record/formats", "quintet/serve/fair", "quintet/serve/hall", "quintet/serve/jobs", "quintet/web", "quintet/web/body", "quintet/web/wire", "github.com/prometheus/client_golang/*", "golang.org/x/time/rate",
	},
	"serve/play": {
		"quintet/bots", "quintet/game", "quintet/games", "quintet/live", "quintet/live/index", "quintet/people", "quintet/people/pairing", "quintet/people/rating", "quintet/picture", "quintet/record", "quintet/record/formats", "quintet/serve/api", "quintet/serve/clock", "quintet/serve/fair", "quintet/serve/hall", "quintet/web", "quintet/web/body", "github.com/coder/websocket", "golang.org/x/time/rate",
	},
	"serve/accounts": {
		"quintet/internal/platform", "quintet/live", "quintet/live/index", "quintet/people", "quintet/people/rating", "quintet/serve/api", "quintet/serve/fair", "quintet/serve/hall", "quintet/serve/play", "quintet/web", "github.com/go-webauthn/webauthn/*",
	},
	"serve/push": {"quintet/games", "quintet/internal/lang", "quintet/live", "quintet/people", "quintet/serve/clock", "quintet/serve/fair", "quintet/serve/hall", "github.com/SherClockHolmes/webpush-go"},
	"serve/classes": {
		"quintet/arena", "quintet/examples", "quintet/game", "quintet/games", "quintet/judge", "quintet/judge/batch", "quintet/judge/league", "quintet/judge/run", "quintet/judge/similar", "quintet/live", "quintet/people", "quintet/people/class", "quintet/people/tournament", "quintet/record/formats", "quintet/serve/api", "quintet/serve/clock", "quintet/serve/fair", "quintet/serve/hall", "quintet/serve/lti", "golang.org/x/time/rate", "rsc.io/qr",
	},
	"serve/tournaments": {
		"quintet/bots", "quintet/game", "quintet/games", "quintet/live", "quintet/live/index", "quintet/people", "quintet/people/class", "quintet/people/rating", "quintet/people/tournament", "quintet/serve/api", "quintet/serve/fair", "quintet/serve/hall", "quintet/web/body",
	},
	"serve/puzzles": {"quintet/games", "quintet/serve/api", "quintet/web", "quintet/web/wire"},
	"serve/analysis": {
		"quintet/bots", "quintet/bots/othello/book", "quintet/engine", "quintet/game", "quintet/serve/api", "quintet/serve/jobs", "quintet/serve/play", "quintet/web/wire",
	},
	"serve/studies": {"quintet/game", "quintet/live", "quintet/record", "quintet/record/formats", "quintet/serve/api", "quintet/serve/play", "quintet/web"},
	"serve/reviews": {
		"quintet/bots", "quintet/engine", "quintet/game", "quintet/games", "quintet/live", "quintet/record", "quintet/review", "quintet/serve/api", "quintet/serve/jobs", "quintet/serve/play", "quintet/web", "quintet/web/wire",
	},
	"serve": {
		"quintet/bots", "quintet/engine", "quintet/engine/remote", "quintet/engine/remote/pipe", "quintet/game", "quintet/internal/platform", "quintet/live", "quintet/live/index", "quintet/web",
		"quintet/people", "quintet/people/class", "quintet/serve/accounts", "quintet/serve/analysis", "quintet/serve/api", "quintet/serve/classes", "quintet/serve/clock", "quintet/serve/fair", "quintet/serve/hall", "quintet/serve/jobs", "quintet/serve/lti", "quintet/serve/play", "quintet/serve/push", "quintet/serve/puzzles", "quintet/serve/reviews", "quintet/serve/studies", "quintet/serve/tournaments",
		"github.com/prometheus/client_golang/*",
	},
	"web":                 {"quintet/bots", "quintet/bots/othello/pattern", "quintet/game", "quintet/games", "quintet/internal/lang", "quintet/learn/puzzle", "quintet/picture", "quintet/web/body", "quintet/web/wire"},
	"web/body":            {},
	"web/browser":         {},
	"web/wire":            {"quintet/bots", "quintet/bots/othello/book", "quintet/engine", "quintet/game", "quintet/games", "quintet/learn/lesson", "quintet/learn/puzzle", "quintet/record", "quintet/review"}, // no HTTP: it is compiled for the page, too
	"web/local":           {"quintet/bots", "quintet/bots/othello/book", "quintet/engine", "quintet/game", "quintet/games", "quintet/record", "quintet/review", "quintet/web/wire"},
	"web/wasm":            {"quintet/web/local"},
	"internal/cli":        {"quintet/internal/escape", "quintet/game", "quintet/games", "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/charmbracelet/x/term"},
	"internal/escape":     {},
	"internal/gcpace":     {},
	"internal/lang":       {},
	"internal/atomicfile": {},
	"internal/hugepages":  {},
	"internal/platform":   {"golang.org/x/sys/unix"},
	"judge/console":       {"quintet/game", "quintet/games/*"},
	"judge":               {"quintet/game", "quintet/judge/class", "quintet/judge/dialogue", "quintet/internal/escape", "quintet/judge/marks", "quintet/judge/run", "quintet/judge/suite", "golang.org/x/text/width"},
	"judge/batch":         {"quintet/internal/atomicfile", "quintet/internal/lang", "quintet/judge", "quintet/judge/class", "quintet/internal/escape", "quintet/judge/marks", "quintet/judge/report", "quintet/judge/run", "golang.org/x/text/encoding/unicode"},
	"judge/class":         {"quintet/judge/dialogue", "quintet/judge/marks", "quintet/judge/run", "quintet/judge/suite"},
	"judge/dialogue":      {"quintet/game", "quintet/judge/marks"},
	"judge/league":        {"quintet/arena", "quintet/bots", "quintet/engine", "quintet/game", "quintet/games", "quintet/judge/run", "quintet/protocol", "quintet/protocol/program"},
	"judge/marks":         {"quintet/game"},
	"judge/pack":          {"quintet/game"},
	"judge/report":        {"quintet/game", "quintet/judge", "quintet/judge/class", "quintet/internal/escape", "quintet/internal/lang", "quintet/judge/marks"},
	"judge/run":           {"quintet/internal/platform", "golang.org/x/sys/unix", "golang.org/x/text/encoding/unicode"},
	"judge/similar":       {},
	"judge/suite":         {"quintet/judge/dialogue"},
	"tui/store":           {"quintet/internal/atomicfile", "quintet/record", "quintet/record/formats", "quintet/game"},
	"tui": {
		"quintet/game", "quintet/games", "quintet/arena", "quintet/bots", "quintet/engine", "quintet/internal/lang", "quintet/learn/lesson", "quintet/learn/puzzle", "quintet/record", "quintet/review", "quintet/review/stored", "quintet/tui/*",
		"charm.land/bubbletea/v2", "charm.land/bubbles/v2/*", "charm.land/lipgloss/v2",
	},
	"arena/players": {"quintet/game", "quintet/engine", "quintet/arena", "quintet/bots", "quintet/bots/othello/book", "quintet/protocol", "quintet/protocol/*"},
	"tui/paint":     {"quintet/internal/escape", "quintet/game", "charm.land/lipgloss/v2"},
	"tui/board":     {"quintet/game", "quintet/tui/paint"},
	"tui/table":     {"quintet/game", "quintet/record"},
	"tui/remote":    {"quintet/game", "quintet/games", "quintet/record", "quintet/tui/table"},
	"tui/lines":     {"quintet/game", "quintet/games", "quintet/engine", "quintet/tui", "quintet/tui/*"},
	"cmd/quintet": {
		"quintet/internal/cli", "quintet/internal/escape", "quintet/internal/lang",
		"quintet/internal/atomicfile", "quintet/game", "quintet/games", "quintet/games/othello", "quintet/game/perft", "quintet/game/playout", "quintet/judge/console",
		"quintet/engine", "quintet/bots", "quintet/bots/othello/book", "quintet/arena",
		"quintet/review", "quintet/review/stored", "quintet/protocol", "quintet/protocol/*", "quintet/picture", "quintet/record", "quintet/record/*", "quintet/live", "quintet/live/index", "quintet/live/jet",
		"quintet/learn/puzzle", "quintet/engine/remote", "quintet/engine/remote/*", "quintet/serve", "quintet/internal/gcpace", "quintet/internal/platform", "quintet/tui", "quintet/tui/*", "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/charmbracelet/x/term", "quintet/judge",
		"quintet/judge/*", "quintet/people", "quintet/people/class", "quintet/serve/classes", "quintet/arena/players", "quintet/web", "quintet/farm", "quintet/farm/*", "charm.land/bubbletea/v2",
	},

	// Searches elsewhere.
	"engine/remote":         {"quintet/engine", "quintet/game"}, // it knows no game: a function reads names of engines
	"engine/remote/pipe":    {"quintet/engine/remote", "quintet/internal/platform"},
	"engine/remote/workers": {"quintet/engine/remote", "github.com/nats-io/nats.go"},

	// Proofs of Connect6.
	"bots/connect6/certificate": {"quintet/game"},
}

// lab lists what all packages of the lab may import: they make and test the product, and are no
// part of it.
var lab = []string{
	"quintet/*", "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/coder/websocket", "github.com/google/go-cmp/cmp",
	"github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go", "github.com/nats-io/nats.go/jetstream", "pgregory.net/rapid", "github.com/evanw/esbuild/pkg/api",
}

// inLab reports whether a package, by its folder, is of the lab.
func inLab(pkg string) bool { return strings.HasPrefix(pkg, "lab/") || pkg == "cmd/lab" }

// onlyForTests are the packages that only tests and each other import.
var onlyForTests = []string{"quintet/lab/enginetest", "quintet/lab/board8test", "quintet/lab/gametest", "quintet/lab/await", "quintet/lab/livetest", "quintet/lab/farmtest", "quintet/lab/oracle", "quintet/lab/faulty", "quintet/lab/hostile", "quintet/lab/recordtest", "quintet/lab/baregame"}

// source is a Go file of the project.
type source struct {
	path, pkg string // pkg is the folder
	test      bool
	file      *ast.File
	set       *token.FileSet
}

func sources(t *testing.T) (list []source) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		list = append(list, source{
			path: path, pkg: filepath.ToSlash(filepath.Dir(path)), test: strings.HasSuffix(path, "_test.go"), file: file, set: set,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("only %d files found", len(list))
	}
	return list
}

func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		may, listed := allowed[s.pkg]
		if inLab(s.pkg) {
			may, listed = lab, true
		}
		if !listed {
			may, listed = allowed[path.Dir(s.pkg)+"/*"]
		}
		if !listed && s.pkg != "." {
			t.Errorf("%s: package %s has no place in the list of allowed imports", s.path, s.pkg)
		}
		for _, spec := range s.file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !s.test && !standard(name) && !slices.ContainsFunc(may, func(rule string) bool { return matches(rule, name) }) {
				t.Errorf("%s imports %s, want only %s", s.path, name, strings.Join(may, ", "))
			}
			if !s.test && !inLab(s.pkg) && inLab(strings.TrimPrefix(name, "quintet/")) {
				t.Errorf("%s imports %s, which is of the lab: the product must not depend on it", s.path, name)
			}
			if !s.test && slices.Contains(onlyForTests, name) && !slices.Contains(onlyForTests, "quintet/"+s.pkg) {
				t.Errorf("%s imports %s, which is for tests", s.path, name)
			}
		}
	}
}

// TestHTTPOnTop checks that the lower floors of the server do not import HTTP.
func TestHTTPOnTop(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || s.pkg != "serve/clock" && s.pkg != "serve/hall" && s.pkg != "live" && s.pkg != "farm" && s.pkg != "farm/scheduler" {
			continue
		}
		for _, spec := range s.file.Imports {
			if strings.HasPrefix(spec.Path.Value, `"net`) {
				t.Errorf("%s imports %s, which belongs to package serve", s.path, spec.Path.Value)
			}
		}
	}
}

// standard reports whether a path is of the standard library: its first part
// has no dot, and it is not ours.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && first != "quintet"
}

func matches(rule, path string) bool {
	if prefix, ok := strings.CutSuffix(rule, "*"); ok {
		return strings.HasPrefix(path, prefix)
	}
	return rule == path
}

// TestSizes checks that files have at most 400 lines, functions at most 60, and half of
// all functions under 12.
func TestSizes(t *testing.T) {
	const fileLines, funcLines, median = 400, 60, 12
	var lengths []int
	for _, s := range sources(t) {
		if lines := s.set.File(s.file.Pos()).LineCount(); lines > fileLines {
			t.Errorf("%s has %d lines, want at most %d", s.path, lines, fileLines)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
			if !s.test {
				lengths = append(lengths, lines)
			}
			if lines > funcLines && !s.test {
				t.Errorf("%s: %s has %d lines, want at most %d", s.path, f.Name.Name, lines, funcLines)
			}
		}
	}
	slices.Sort(lengths)
	if got := lengths[len(lengths)/2]; got >= median {
		t.Errorf("the median function has %d lines, want fewer than %d", got, median)
	}
}

// TestComments checks that each package has one comment, in one file.
func TestComments(t *testing.T) {
	comments := map[string][]string{}
	for _, s := range sources(t) {
		if _, ok := comments[s.pkg]; !ok {
			comments[s.pkg] = nil
		}
		if s.file.Doc != nil && (!s.test || s.pkg == ".") {
			comments[s.pkg] = append(comments[s.pkg], s.path)
		}
	}
	for pkg, files := range comments {
		if len(files) != 1 {
			t.Errorf("package %s is described in %q, want one file", pkg, files)
		}
	}
}

// TestRaced checks that the Makefile's lists for the race detector name every package
// with goroutines or locks, and no other.
func TestRaced(t *testing.T) {
	want := map[string]bool{}
	for _, s := range sources(t) {
		if !slices.Contains(onlyForTests, "quintet/"+s.pkg) && concurrent(s.file) {
			want["./"+s.pkg] = true
		}
	}
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, name := range []string{"RACED = ", "RACED_PARTS = "} {
		for _, pkg := range racedPackages(string(makefile), name) {
			got[pkg] = true
		}
	}
	for pkg := range want {
		if !got[pkg] {
			t.Errorf("%s has goroutines: add it to RACED in the Makefile", pkg)
		}
	}
	for pkg := range got {
		if !want[pkg] {
			t.Errorf("%s has no goroutines: take it from RACED in the Makefile", pkg)
		}
	}
}

// TestRacedWhole checks that packages whose tests run with the race detector only
// skip none of them there.
func TestRacedWhole(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range racedPackages(string(makefile), "RACED = ") {
		if files, _ := filepath.Glob(filepath.Join(pkg, "race_on_test.go")); len(files) > 0 {
			t.Errorf("%s skips tests with the race detector: move it to RACED_PARTS in the Makefile", pkg)
		}
	}
}

// racedPackages returns the packages of a list in the Makefile.
func racedPackages(makefile, name string) []string {
	for line := range strings.Lines(strings.ReplaceAll(makefile, "\\\n", " ")) {
		if list, ok := strings.CutPrefix(line, name); ok {
			return strings.Fields(list)
		}
	}
	return nil
}

// concurrent reports whether a file starts goroutines, has a callback that runs in
// one, or guards against others.
func concurrent(file *ast.File) (found bool) {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"sync"` || spec.Path.Value == `"sync/atomic"` {
			return true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "AfterFunc"
		}
		return true
	})
	return found
}

// TestState checks that no functions run before main.
func TestState(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s has an init function", s.path)
			}
		}
	}
}
