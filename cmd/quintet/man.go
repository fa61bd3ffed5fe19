package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quintet/internal/cli"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages and the shell completions to a folder",
		Long: `Man writes a manual page for every command and the completions for bash, zsh and
fish, generated from the texts of --help. It creates the folder if it is missing.`,
		Example: `  quintet man doc
  man ./doc/quintet-play.1`,
		Args: cli.Exactly(1),
		RunE: func(c *cobra.Command, args []string) error { return failed(writeManual(c.Root(), args[0])) },
	}
}

// writeManual writes the pages and completions of a program.
func writeManual(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // manual pages are for everyone
		return fmt.Errorf("writing the manual: %w", err)
	}
	write := func(name, text string) error {
		err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644) //nolint:gosec // manual pages are for everyone
		if err != nil {
			return fmt.Errorf("writing the manual: %w", err)
		}
		return nil
	}
	for _, c := range commands(root) {
		if err := write(manName(c)+".1", manPage(c)); err != nil {
			return err
		}
	}
	for name, generate := range map[string]func(*strings.Builder) error{
		"quintet.bash": func(b *strings.Builder) error { return root.GenBashCompletionV2(b, true) },
		"_quintet":     func(b *strings.Builder) error { return root.GenZshCompletion(b) },
		"quintet.fish": func(b *strings.Builder) error { return root.GenFishCompletion(b, true) },
	} {
		var b strings.Builder
		if err := generate(&b); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		if err := write(name, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// commands returns a command and all below it that help shows.
func commands(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" {
			list = append(list, commands(sub)...)
		}
	}
	return list
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns the page of a command in the man macros of roff.
func manPage(c *cobra.Command) string {
	var b strings.Builder
	name := manName(c)
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q \"Quintet\"\n", strings.ToUpper(name), "quintet "+version())
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", strings.ReplaceAll(roff(c.Long), "\n\n", "\n.PP\n"))
	if flags := c.NonInheritedFlags(); flags.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		flags.VisitAll(func(f *pflag.Flag) { manFlag(&b, f) })
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	if related := related(c); len(related) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", roff(strings.Join(related, ", ")))
	}
	return b.String()
}

// manFlag writes a flag with its default.
func manFlag(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	if zero := f.DefValue == "" || f.DefValue == "false" || f.DefValue == "0" || f.DefValue == "0s"; !zero {
		usage += " (default " + f.DefValue + ")"
	}
	fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(usage))
}

// related returns the pages of the commands above and below.
func related(c *cobra.Command) (pages []string) {
	if c.HasParent() {
		pages = append(pages, manName(c.Parent())+"(1)")
	}
	for _, sub := range commands(c)[1:] {
		if sub.Parent() == c {
			pages = append(pages, manName(sub)+"(1)")
		}
	}
	return pages
}

// roff escapes the special characters of roff: backslashes, hyphens, and dots and quotes at
// the beginning of a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
