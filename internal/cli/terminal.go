package cli

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// Interactive reports whether a command reads from and writes to a terminal.
func Interactive(c *cobra.Command) bool {
	in, ok := c.InOrStdin().(*os.File)
	out, ok2 := c.OutOrStdout().(*os.File)
	return ok && ok2 && term.IsTerminal(in.Fd()) && term.IsTerminal(out.Fd())
}

// OnTerminal reports whether a writer is a terminal that can move its cursor.
func OnTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(file.Fd()) && os.Getenv("TERM") != "" && !Dumb(os.Getenv)
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
