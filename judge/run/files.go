package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Limits on reading a submission, so that a huge or endless file neither fills the memory
// nor blocks the judge.
const (
	maxSource  = 4 << 20   // bytes of a source or header
	maxSources = 32 << 20  // bytes of all sources and headers together
	maxFiles   = 1000      // sources and headers
	maxProgram = 256 << 20 // bytes of a compiled program
)

// errLink is the error for a symbolic link.
var errLink = errors.New("a symbolic link: submit the file itself")

// open opens a regular file of limited size. With the flag noFollow it rejects links, whose
// targets would be read with the judge's rights. It rejects pipes and devices, which would
// block the judge.
func open(name string, most int64, flags int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|flags, 0) //nolint:gosec // the user names the file, or its folder
	if errors.Is(err, syscall.ELOOP) {
		return nil, errLink
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("not a regular file")
	case info.Size() > most:
		err = fmt.Errorf("it has %d bytes: at most %d are allowed", info.Size(), most)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// ReadSource returns the text of a source. It follows links: the user may name one,
// and the search for submissions skips them.
func ReadSource(name string) ([]byte, error) { return read(name, 0) }

func read(name string, flags int) ([]byte, error) {
	f, err := open(name, maxSource, flags)
	if err != nil {
		return nil, err
	}
	defer f.Close()                                 //nolint:errcheck // only read
	return io.ReadAll(io.LimitReader(f, maxSource)) //nolint:wrapcheck // the caller names the file
}

// CopyProgram copies a submitted program into a folder for Options.Program.
func CopyProgram(folder, name string) error {
	to := filepath.Join(folder, program)
	_, err := copyFile(to, name, noFollow)
	if err != nil {
		return fmt.Errorf("copying the program: %w", err)
	}
	return nil
}

// SourceFiles lists the files that Compile copies: the sources, and before each source the
// headers next to it. If several headers have the same name, the first counts.
func SourceFiles(files []string) (list []string) {
	seen := map[string]bool{} // folders, names of headers, and sources
	for _, file := range files {
		var beside []string
		if dir := filepath.Dir(file) + string(filepath.Separator); !seen[dir] {
			seen[dir], beside = true, headers(dir)
		}
		for _, f := range append(beside, file) {
			name := f
			if IsHeader(f) {
				name = filepath.Base(f)
			}
			if !seen[name] {
				seen[name] = true
				list = append(list, f)
			}
		}
	}
	return list
}

// headers lists the headers in a folder, including links.
func headers(folder string) (list []string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if IsHeader(e.Name()) && !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	return list
}

// HashFile adds the content and the length of a submitted file to a hash.
func HashFile(sum io.Writer, name string) error {
	f, err := open(name, maxProgram, noFollow)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	n, err := io.Copy(sum, io.LimitReader(f, maxProgram))
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	_, err = fmt.Fprintf(sum, "\n%d\n", n)
	return err //nolint:wrapcheck // hashes return no errors
}
