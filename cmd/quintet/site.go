package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/web"
)

func newSite() *cobra.Command {
	return &cobra.Command{
		Use:   "site DIR",
		Short: "Write the pages that need no server as a static site",
		Long: `Site writes into DIR, which must be new or empty, all that works without a server:
games against engines and at one device, puzzles, lessons, analysis, the board editor
and reviews of games on the device. It includes all languages: pages use the browser's,
or the one chosen in Settings. Any web server can serve it, at the root of a host and over
https. It lacks live games, accounts, studies, classes and tournaments.`,
		Example: "  quintet site public",
		Args:    cli.Exactly(1),
		RunE:    func(_ *cobra.Command, args []string) error { return failed(writeSite(args[0])) },
	}
}

// writeSite writes the static site into a folder.
func writeSite(dir string) error {
	if found, err := os.ReadDir(dir); len(found) > 0 {
		return fmt.Errorf("writing a site: %s is not empty", dir)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("writing a site: %w", err)
	}
	err := web.WriteStatic(func(name string, data []byte) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil { //nolint:gosec // a web server reads it
			return fmt.Errorf("making a folder: %w", err)
		}
		return os.WriteFile(to, data, 0o644) //nolint:gosec,wrapcheck // a web server reads it; the error names the file
	})
	if err != nil {
		return fmt.Errorf("writing a site: %w", err)
	}
	return nil
}
