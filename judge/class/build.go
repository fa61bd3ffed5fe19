package class

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quintet/judge/run"
)

// builder compiles a class with drivers.
type builder struct {
	class   class
	folder  string
	sources []string
	options run.Options
	built   int
}

// compile compiles the class with a driver for some checks and returns the folder of the
// program. The driver may use more functions.
func (b *builder) compile(ctx context.Context, cases []testCase, more string) (string, error) {
	b.built++
	build := filepath.Join(b.folder, fmt.Sprint("build", b.built))
	driver := filepath.Join(b.folder, "quintet_driver.cpp")
	err := errors.Join(
		os.WriteFile(driver, []byte(b.class.driver(cases, more)), 0o600),
		os.Mkdir(build, 0o755), os.Chmod(build, 0o755), //nolint:gosec // the sandbox runs as another user
	)
	if err != nil {
		return "", fmt.Errorf("writing the driver: %w", err)
	}
	return build, run.Compile(ctx, build, append(slices.Clone(b.sources), driver), b.options) //nolint:wrapcheck // the compiler's error
}

// missing compiles the member functions one by one and returns the compiler's errors about
// those that are missing or have other parameters. It fails if the class does not compile
// without them.
func (b *builder) missing(ctx context.Context) (map[string]string, error) {
	if _, err := b.compile(ctx, nil, ""); err != nil {
		return nil, err
	}
	list := map[string]string{}
	for _, m := range b.class.members[1:] { // every program calls the constructor
		_, err := b.compile(ctx, []testCase{{code: m.call}}, "")
		var refused *run.CompileError
		switch {
		case errors.As(err, &refused):
			list[m.name] = FirstError(refused.Text)
		case err != nil:
			return nil, err
		}
	}
	return list, nil
}

// FirstError returns the most informative line of a compiler's output.
func FirstError(text string) string {
	lines := strings.Split(text, "\n")
	for _, word := range []string{"error: ", "undefined reference to "} {
		for _, line := range lines {
			if i := strings.Index(line, word); i >= 0 {
				return strings.TrimPrefix(line[i:], "error: ")
			}
		}
	}
	return lines[0]
}

// needs returns a missing member function that a check calls, or "".
func (k testCase) needs(missing map[string]string) string {
	if missing[k.member] != "" {
		return k.member
	}
	for _, m := range slices.Sorted(maps.Keys(missing)) {
		if strings.Contains(k.code, "."+m+"(") {
			return m
		}
	}
	return ""
}

func runnable(cases []testCase, missing map[string]string) (list []testCase) {
	for _, k := range cases {
		if k.needs(missing) == "" {
			list = append(list, k)
		}
	}
	return list
}
