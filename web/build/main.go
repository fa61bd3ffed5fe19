// Command build makes the program and the style sheet that the pages load, from
// the folder web/ui into web/assets. It needs nothing but Go: what the program
// takes from others is in web/ui/vendor.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// run writes the assets of the project in a folder.
func run(root string) error {
	made, err := build(root)
	if err != nil {
		return err
	}
	for name, data := range made {
		if err := os.WriteFile(filepath.Join(root, "web", "assets", name), data, 0o644); err != nil { //nolint:gosec // assets are read by everybody
			return fmt.Errorf("writing an asset: %w", err)
		}
	}
	return nil
}

// build returns the assets by their names.
func build(root string) (map[string][]byte, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("finding the project: %w", err)
	}
	ui := filepath.Join(root, "web", "ui")
	vendor := func(name string) string { return filepath.Join(ui, "vendor", name) }
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     ui,
		EntryPoints:       []string{"app.tsx", "app.css", "early.ts"},
		Bundle:            true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		LegalComments:     api.LegalCommentsNone,
		Charset:           api.CharsetUTF8,
		Outdir:            filepath.Join(root, "web", "assets"),
		Alias: map[string]string{
			"preact":               vendor("preact.mjs"),
			"preact/hooks":         vendor("preact-hooks.mjs"),
			"preact/jsx-runtime":   vendor("preact-jsx-runtime.mjs"),
			"@preact/signals":      vendor("signals.mjs"),
			"@preact/signals-core": vendor("signals-core.mjs"),
		},
	})
	var errs error
	for _, m := range result.Errors {
		errs = errors.Join(errs, fmt.Errorf("%s: %s", place(m), m.Text))
	}
	made := map[string][]byte{}
	for _, f := range result.OutputFiles {
		made[filepath.Base(f.Path)] = f.Contents
	}
	return made, errs
}

func place(m api.Message) string {
	if m.Location == nil {
		return "web/ui"
	}
	return fmt.Sprintf("web/ui/%s:%d", m.Location.File, m.Location.Line)
}
