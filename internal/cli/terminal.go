package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"quintet/internal/escape"
)

// Safe returns a writer for text that Quintet did not write, such as names in files. If w is a terminal,
// the writer escapes control characters, see escape.Controls. Files and pipes get every byte.
func Safe(w io.Writer) io.Writer {
	if isTerminal(w) {
		return &safeTerminal{terminal: w}
	}
	return w
}

// Raw returns the writer that Safe has wrapped, for our own control sequences.
func Raw(w io.Writer) io.Writer {
	if s, ok := w.(*safeTerminal); ok {
		return s.terminal
	}
	return w
}

// safeTerminal escapes what is written to a terminal. It is safe for concurrent use.
type safeTerminal struct {
	terminal io.Writer

	mu   sync.Mutex // guards rest
	rest []byte     // the first bytes of a character that is not complete yet
}

// Write implements io.Writer.
func (s *safeTerminal) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := slices.Concat(s.rest, b)
	whole := len(text)
	for i := max(0, whole-utf8.UTFMax+1); i < len(text); i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			whole = i
			break
		}
	}
	s.rest = slices.Clone(text[whole:])
	if _, err := io.WriteString(s.terminal, escape.Controls(string(text[:whole]))); err != nil {
		return 0, fmt.Errorf("writing to the terminal: %w", err)
	}
	return len(b), nil
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// Interactive reports whether a command reads from and writes to a terminal.
func Interactive(c *cobra.Command) bool {
	return isTerminal(c.InOrStdin()) && isTerminal(Raw(c.OutOrStdout()))
}

// OnTerminal reports whether a writer is a terminal that can move its cursor.
func OnTerminal(w io.Writer) bool {
	return isTerminal(Raw(w)) && os.Getenv("TERM") != "" && !Dumb(os.Getenv)
}

// Dumb reports whether the terminal cannot move its cursor.
func Dumb(getenv func(string) string) bool { return getenv("TERM") == "dumb" }

// ASCIIOnly reports whether the terminal shows only ASCII: the Linux console has too few
// glyphs, and some locales do not use UTF-8.
func ASCIIOnly(getenv func(string) string) bool {
	if name := getenv("TERM"); name == "linux" || name == "dumb" {
		return true
	}
	for _, variable := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(variable)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}
