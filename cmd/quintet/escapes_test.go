//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// ownSequences are those of cli.Display.
var ownSequences = regexp.MustCompile(`\x1b\[(\?7[lh]|[0-9]+A|J)`)

// TestEscapesOfOthers checks that no command passes control sequences of a file or of a program to the
// terminal, and that files and pipes get every byte.
func TestEscapesOfOthers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const evil = "\x1b]0;owned\x07\u009b2J\u202e"
	game := write("game.quintet", "[Game \"othello\"]\n[Black \""+evil+"\"]\n\n1. e3 {"+evil+" here} *\n", 0o600)
	broken := write("broken.quintet", "[Game \""+evil+"\"]\n\n1. e3 *\n", 0o600)
	named := write("a\x1b[31m.quintet", "[Game \"othello\"]\n\n1. a1 *\n", 0o600)
	engine := write("engine", "#!/bin/sh\nprintf '"+strings.NewReplacer("\x1b", `\033`, "\x07", `\007`).Replace(evil)+"\\n' >&2\nprintf 'id name \\033[31mred\\nnonsense\\n'\nexit 3\n", 0o700)
	for _, args := range [][]string{
		{"convert", "--to", "sgf", game},
		{"convert", "--to", "quintet", game},
		{"convert", "--to", "moves", "--plain", named},
		{"convert", "--to", "moves", broken},
		{"show", broken},
		{"review", "--nodes", "100", broken},
		{"engine", "othello", "--check", "uci:" + engine},
		{"arena", "othello", "ugi:" + engine, "random", "--games", "2"},
		{"judge", "othello", named},
	} {
		got := onTerminal(t, args...)
		if clean := strings.ReplaceAll(ownSequences.ReplaceAllString(got, ""), "\r", ""); strings.ContainsAny(clean, "\x1b\x07\u009b\u202e") {
			t.Errorf("%s: the terminal gets %q", args[0], got)
		}
	}
	var out, errs bytes.Buffer
	if status := execute(t.Context(), []string{"convert", "--to", "quintet", game}, strings.NewReader(""), &out, &errs); status != 0 || strings.Count(out.String(), evil) != 2 {
		t.Errorf("status %d: %q %q", status, out.String(), errs.String())
	}
}

// onTerminal runs the program and returns what its terminal gets.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	out, _ := io.ReadAll(terminal) // it ends with an error when the program does
	_ = cmd.Wait()                 // most fail
	return string(out)
}
