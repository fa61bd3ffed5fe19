// Command webbuild bundles the script, the style sheets and the font of the pages, from
// the folder web/ui into web/assets. Each page is a chunk of its own, which app.tsx
// imports. It needs nothing but Go: vendored libraries are in web/ui/vendor.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	assets := filepath.Join(root, "web", "assets")
	if err := removeStale(assets, made); err != nil {
		return err
	}
	for name, data := range made {
		if err := os.WriteFile(filepath.Join(assets, name), data, 0o644); err != nil { //nolint:gosec // assets are read by everybody
			return fmt.Errorf("writing an asset: %w", err)
		}
	}
	return nil
}

// removeStale removes the chunks of an earlier build: their names carry a hash.
func removeStale(assets string, made map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(assets, "*.js"))
	if err != nil {
		return fmt.Errorf("listing assets: %w", err)
	}
	for _, name := range old {
		if _, current := made[filepath.Base(name)]; current {
			continue
		}
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("removing a stale chunk: %w", err)
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
		EntryPoints:       []string{"app.tsx", "app.css", "form.css", "table.css", "study.css", "chart.css", "tour.css", "class.css", "cjk.css", "choose.ts", "early.ts", "engine.ts", "sw.ts"},
		Bundle:            true,
		Splitting:         true,
		ChunkNames:        "[name]-[hash]",
		AssetNames:        "[name]",
		Loader:            map[string]api.Loader{".woff2": api.LoaderFile},
		Metafile:          true,
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
	if errs != nil {
		return nil, errs
	}
	made := map[string][]byte{}
	for _, f := range result.OutputFiles {
		made[filepath.Base(f.Path)] = f.Contents
	}
	made["modules.json"], err = modules(result.Metafile)
	return made, err
}

// modules returns, as JSON, the scripts that each page needs before it can be
// drawn: the page's own chunk and what that and the program import. Pages preload
// them, so that splitting the program costs no round trip.
func modules(metafile string) ([]byte, error) {
	var meta struct {
		Outputs map[string]struct {
			EntryPoint string
			Imports    []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("reading esbuild's metafile: %w", err)
	}
	pages := map[string][]string{}
	for out, o := range meta.Outputs {
		if filepath.Ext(o.EntryPoint) != ".tsx" {
			continue
		}
		needs := map[string]bool{}
		var need func(out string)
		need = func(out string) {
			if needs[filepath.Base(out)] {
				return
			}
			needs[filepath.Base(out)] = true
			for _, i := range meta.Outputs[out].Imports {
				if i.Kind == "import-statement" {
					need(i.Path)
				}
			}
		}
		need(out)
		pages[strings.TrimSuffix(filepath.Base(o.EntryPoint), ".tsx")] = slices.Sorted(maps.Keys(needs))
	}
	data, err := json.MarshalIndent(pages, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the modules: %w", err)
	}
	return append(data, '\n'), nil
}

func place(m api.Message) string {
	if m.Location == nil {
		return "web/ui"
	}
	return fmt.Sprintf("web/ui/%s:%d", m.Location.File, m.Location.Line)
}
