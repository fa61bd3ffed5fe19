package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/judge/run"
)

// TestCommand runs a script that looks for files: in the sandbox it finds itself, the files
// named by the command and the requested ones, but no others and no link targets.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	err := os.MkdirAll(in("more/inner"), 0o700)
	for _, name := range []string{"named", "private", "more/inner/file", "private.txt"} {
		err = errors.Join(err, os.WriteFile(in(name), []byte("x"), 0o600))
	}
	const script = "#!/bin/sh\ncd $(dirname \"$0\")\nls -d look named private more/inner/file more/link more/private.txt 2>/dev/null | tr '\\n' ' '\ntest -r \"$1\" && echo $2\n"
	err = errors.Join(err, os.WriteFile(in("look"), []byte(script), 0o700), os.Symlink(in("private.txt"), in("more/link")))
	if err != nil {
		t.Fatal(err)
	}
	const want = "look more/inner/file named readable\n"
	for _, s := range found(t) {
		folder, err := s.MkdirTemp(0)
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		o := run.Options{Sandbox: s}
		p, err := o.Command(folder, []string{in("look"), in("named"), "readable"}, []string{in("more")}, run.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if out := p.Run(t.Context(), nil, len(want)); out.Output != want {
			t.Errorf("%s: %+v, want %q", s.Name, out, want)
		}
		if _, err := o.Command(folder, []string{in("look"), in("named")}, []string{in("more/inner/file"), "named"}, run.DefaultLimits()); err == nil || !strings.Contains(err.Error(), "named: no such file") {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
