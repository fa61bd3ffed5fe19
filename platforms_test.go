package quintet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string // of vendored packages
}

// TestWindows checks the types of the program for Windows on a processor without our
// assembly: one foreign platform that stands for all. It reads the sources of all packages
// and compiles nothing, which would take as long as all other tests together need to be built.
func TestWindows(t *testing.T) {
	packages, err := listFor(t.Context(), "windows", "arm64", "./...")
	if err != nil {
		t.Fatal(err)
	}
	checked := checkedPackages{"unsafe": types.Unsafe}
	own := 0
	for _, p := range packages {
		if p.ImportPath == "unsafe" {
			continue
		}
		if strings.HasPrefix(p.ImportPath, "quintet/") {
			own++
		}
		if err := checked.check(p, "arm64"); err != nil {
			t.Error(err)
		}
	}
	if own < 50 {
		t.Errorf("%d packages of the program are checked, want 50 or more", own)
	}
}

// listFor lists packages for a platform, and before each the packages that it imports.
func listFor(ctx context.Context, system, arch string, patterns ...string) (list []listed, err error) {
	c := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap"}, patterns...)...)
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	var failure bytes.Buffer
	c.Stderr = &failure
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the packages for %s: %w: %s", system, err, &failure)
	}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := in.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, p)
	}
}

// checkedPackages are packages whose types were checked, by import path.
type checkedPackages map[string]*types.Package

// check checks the types of a package whose imports were checked. Of packages of others it
// reads the declarations alone.
func (c checkedPackages) check(p listed, arch string) error {
	own := strings.HasPrefix(p.ImportPath, "quintet")
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	config := types.Config{
		IgnoreFuncBodies: !own, Sizes: types.SizesFor("gc", arch),
		Importer: importer(func(path string) (*types.Package, error) {
			if mapped, ok := p.ImportMap[path]; ok {
				path = mapped
			}
			if found := c[path]; found != nil {
				return found, nil
			}
			return nil, fmt.Errorf("package %s is not there", path)
		}),
	}
	var err error
	c[p.ImportPath], err = config.Check(p.ImportPath, set, files, nil)
	return err
}

// importer is a function as a types.Importer.
type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
