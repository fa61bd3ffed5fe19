package run

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
)

// language is a programming language of submissions, recognized by the extension of a source.
type language struct {
	name       string
	extensions []string
	n          *regexp.Regexp // matches the definition of the constant N, the size of the board
}

var (
	cpp = language{"C++", []string{".cpp", ".cc", ".cxx", ".c++", ".h", ".hpp", ".hh", ".hxx"}, sizeInC}
	c   = language{"C", []string{".c"}, sizeInC}
	py  = language{"Python", []string{".py"}, regexp.MustCompile(`(?m)^(N[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*)(\d+)`)}
)

// sizeInC matches the definition of N in C and C++.
var sizeInC = regexp.MustCompile(`(?m)^([ \t]*(?:#[ \t]*define[ \t]+N[ \t]+\(?[ \t]*|enum[ \t]*\{[ \t]*N[ \t]*=[ \t]*|` +
	`(?:(?:static|inline|unsigned|auto|int|short|long|size_t|std::size_t)[ \t]+)*(?:const|constexpr)[ \t]+(?:[\w:]+[ \t]+)*(?:\w+[ \t]*=[ \t]*\d+[ \t]*,[ \t]*)?N[ \t]*[={(][ \t]*))(\d+)`)

// languageOf returns the language of a source; ok is false for other files.
func languageOf(name string) (language, bool) {
	extension := strings.ToLower(filepath.Ext(name))
	for _, l := range []language{cpp, c, py} {
		if slices.Contains(l.extensions, extension) {
			return l, true
		}
	}
	return language{}, false
}

// IsSource reports whether the file is a source or header in C++, C or Python.
func IsSource(name string) bool {
	_, ok := languageOf(name)
	return ok
}

// IsHeader reports whether the file is a C or C++ header.
func IsHeader(name string) bool {
	return IsSource(name) && strings.HasPrefix(strings.ToLower(filepath.Ext(name)), ".h")
}

// common returns the language of a program. It is C only if all sources are in C, because C++ compilers
// read C, too.
func common(files []string) (language, error) {
	found := map[string]bool{}
	for _, f := range files {
		if l, ok := languageOf(f); ok && !IsHeader(f) {
			found[l.name] = true
		}
	}
	switch {
	case found[py.name] && len(found) > 1:
		return py, &CompileError{Text: "some sources are in Python and some are not: hand in one language"}
	case found[py.name]:
		return py, nil
	case found[c.name] && len(found) == 1:
		return c, nil
	}
	return cpp, nil
}

// WithBoardSize returns a source with its board size replaced, and whether it defines one.
func WithBoardSize(name, text string, n int) (string, bool) {
	l, _ := languageOf(name)
	if l.n == nil || !l.n.MatchString(text) {
		return text, false
	}
	return l.n.ReplaceAllString(text, fmt.Sprintf("${1}%d", n)), true
}

// Text converts a text to UTF-8 without a byte order mark. Some Windows editors save UTF-16.
func Text(data []byte) []byte {
	order := unicode.LittleEndian
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:]
	case len(data) < 2 || len(data)%2 == 1:
		return data
	case bytes.HasPrefix(data, []byte("\xfe\xff")), data[0] == 0 && data[1] != 0:
		order = unicode.BigEndian
	case !bytes.HasPrefix(data, []byte("\xff\xfe")) && (data[0] == 0 || data[1] != 0):
		return data
	}
	text, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(data)
	if err != nil {
		return data
	}
	return text
}

// checkPython exits with the message of the first syntax error.
const checkPython = `import sys
for name in sys.argv[1:]:
    try:
        compile(open(name, "rb").read(), name, "exec")
    except (SyntaxError, ValueError) as e:
        import traceback
        print("".join(traceback.format_exception_only(type(e), e)))
        sys.exit(1)`

// preparePython checks the syntax of Python sources and leaves a program that starts them.
func (o Options) preparePython(ctx context.Context, folder string, g sourceCopy) error {
	first, err := mainModule(folder, g.sources)
	if err != nil {
		return err
	}
	p := o.tool(folder, o.name(py), "-c", checkPython)
	for _, name := range g.sources {
		p.Args = append(p.Args, o.Sandbox.PathInside(folder, name))
	}
	out := p.Run(ctx, nil, 1)
	if ctx.Err() != nil {
		return fmt.Errorf("checking Python: %w", ctx.Err())
	}
	if out.Ending == Failed || o.Sandbox.Protects() && !o.Sandbox.HasCommand(o.name(py)) {
		return fmt.Errorf("running Python: %s is not below /usr, or not installed: install it with apt install python3", o.name(py))
	}
	if err := o.refusal(folder, o.name(py), out); err != nil {
		return err
	}
	// Unbuffered: a program that reads sys.stdin does not flush its prompts.
	script := fmt.Sprintf("#!/bin/sh\nexec %s -B -u '%s'\n", o.name(py), strings.ReplaceAll(o.Sandbox.PathInside(folder, first), "'", `'\''`))
	if err := writeFile(filepath.Join(folder, program), []byte(script), 0o755); err != nil {
		return fmt.Errorf("writing the program: %w", err)
	}
	return nil
}

// startsHere matches the line that tests whether a Python file is the main module.
var startsHere = regexp.MustCompile(`(?m)^if[ \t(]+__name__\b`)

// mainModule returns the Python source that starts the program: the only one, main.py, or the
// only one that tests __name__.
func mainModule(folder string, sources []string) (string, error) {
	if len(sources) == 1 {
		return sources[0], nil
	}
	var first []string
	for _, name := range sources {
		if strings.EqualFold(name, "main.py") || name == "__main__.py" {
			return name, nil
		}
		if text, err := ReadSource(filepath.Join(folder, name)); err == nil && startsHere.Match(text) {
			first = append(first, name)
		}
	}
	if len(first) == 1 {
		return first[0], nil
	}
	return "", &CompileError{Text: fmt.Sprintf("there are %d Python sources, and it is not clear which one starts the program: name that one main.py", len(sources))}
}
