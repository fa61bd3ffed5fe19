//go:build !race

package browser

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"quintet/lab/baregame"
)

// TestTypes checks the types of the program of the pages.
func TestTypes(t *testing.T) {
	node := prepare(t)
	run(t.Context(), t, node, filepath.Join("node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.json")
}

// vendored are the files that the program takes from others, by where the packages
// of the registry have them.
var vendored = map[string]string{
	"preact.mjs":             "preact/dist/preact.mjs",
	"preact-hooks.mjs":       "preact/hooks/dist/hooks.mjs",
	"preact-jsx-runtime.mjs": "preact/jsx-runtime/dist/jsxRuntime.mjs",
	"signals.mjs":            "@preact/signals/dist/signals.mjs",
	"signals-core.mjs":       "@preact/signals-core/dist/signals-core.mjs",
}

// TestVendor checks that vendored files are those of the packages that package-lock.json
// names.
func TestVendor(t *testing.T) {
	prepare(t)
	for name, path := range vendored {
		got, err := os.ReadFile(filepath.Join("..", "ui", "vendor", name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("node_modules", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(withoutMap(got), withoutMap(want)) {
			t.Errorf("web/ui/vendor/%s is not %s of package-lock.json", name, path)
		}
	}
}

// withoutMap cuts off the comment that names a source map, and blanks at the end.
func withoutMap(text []byte) []byte {
	text, _, _ = bytes.Cut(text, []byte("//# sourceMappingURL="))
	return bytes.TrimSpace(text)
}

// TestBrowser plays every game in windows of Chromium: see suite.mjs. It
// fails if something is missing that make tools installs. QUINTET_BROWSER is a
// pattern for the names of the tests to run; without it, all run. QUINTET_SHOTS is a folder
// for screenshots of what they see; without it, none are taken, which would take a while. The
// shell of Chromium takes two fifths less processor time than the browser.
func TestBrowser(t *testing.T) {
	ctx := t.Context()
	if end, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-20*time.Second)) // to say how far it came
		defer cancel()
	}
	args := []string{"suite.mjs"}
	if pattern := os.Getenv("QUINTET_BROWSER"); pattern != "" {
		args = slices.Insert(args, 0, "--test-name-pattern="+pattern)
	}
	inBrowser(ctx, t, nil, args...)
}

// TestBareGame checks the pages of a game that has nothing but rules: see bare.mjs.
func TestBareGame(t *testing.T) {
	inBrowser(t.Context(), t, []string{"-overlay", baregame.Overlay(t, filepath.Join("..", ".."))}, "bare.mjs")
}

// inBrowser runs tests in Chromium, with a program that is built with some flags.
func inBrowser(ctx context.Context, t *testing.T, flags []string, args ...string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "quintet")
	run(ctx, t, "go", slices.Concat([]string{"build", "-ldflags=-s -w"}, flags, []string{"-o", program, "quintet/cmd/quintet"})...)
	node := prepare(t)
	chromium := find(t, "chromium-headless-shell", "chromium")
	shots := cmp.Or(os.Getenv("QUINTET_SHOTS"), filepath.Join(os.TempDir(), "quintet-screenshots"))
	suite := exec.CommandContext(ctx, node, slices.Insert(args, 0, "--test-reporter=spec")...)
	suite.Env = append(os.Environ(), "QUINTET="+program, "CHROMIUM="+chromium, "SHOTS="+shots)
	out, err := suite.CombinedOutput()
	if err != nil {
		t.Fatalf("the tests in the browser: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// prepare returns the path of Node.js, once it and the npm packages of the tests
// are there.
func prepare(t *testing.T) (node string) {
	t.Helper()
	node = find(t, "node")
	if !installed() {
		t.Fatal("the packages of web/browser/package-lock.json are missing or old: make tools installs them")
	}
	return node
}

// installed reports whether the packages that package-lock.json names are there.
func installed() bool {
	lock, err := os.Stat("package-lock.json")
	if err != nil {
		return false
	}
	done, err := os.Stat(filepath.Join("node_modules", ".package-lock.json"))
	return err == nil && !done.ModTime().Before(lock.ModTime())
}

// find returns the path of the first of some programs that is installed.
func find(t *testing.T, programs ...string) string {
	t.Helper()
	for _, program := range programs {
		if path, err := exec.LookPath(program); err == nil {
			return path
		}
	}
	t.Fatalf("%s is not installed: make tools installs it", programs[0])
	return ""
}

func run(ctx context.Context, t *testing.T, name string, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
