package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Command prepares a command for the sandbox. The first word is the path of a program, or
// the name of a command in the sandbox. Command copies into the folder what the sandbox
// hides: the program, every file named by a word, and the files and folders of more.
func (o Options) Command(folder string, words, more []string, limits Limits) (Program, error) {
	c := copier{folder: folder, from: map[string]string{}}
	args := append([]string{}, words...)
	for i, word := range words {
		info, err := os.Stat(word)
		if i == 0 && o.Sandbox.HasCommand(word) || err != nil || !info.Mode().IsRegular() || o.Sandbox.CanRead(word) {
			continue
		}
		if err := c.file(word, filepath.Base(word)); err != nil {
			return Program{}, err
		}
		args[i] = o.Sandbox.PathInside(folder, filepath.Base(word))
	}
	for _, name := range more {
		if err := c.tree(name); err != nil {
			return Program{}, err
		}
	}
	return o.Sandbox.Program(folder, o.Worker, limits, args...), nil
}

// copier copies files into a folder.
type copier struct {
	folder string
	from   map[string]string // source of each file, by its name in the folder
	bytes  int64
}

// tree copies a file, or a folder with everything in it except links.
func (c *copier) tree(name string) error {
	root, err := filepath.Abs(name)
	if err != nil {
		return fmt.Errorf("copying %s: %w", name, err)
	}
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error { //nolint:wrapcheck // its errors are those of the function
		inside, err2 := filepath.Rel(filepath.Dir(root), path)
		switch {
		case errors.Join(err, err2) != nil:
			return fmt.Errorf("copying %s: %w", name, errors.Join(err, err2))
		case e.IsDir():
			dir := filepath.Join(c.folder, inside)
			return errors.Join(os.MkdirAll(dir, 0o755), os.Chmod(dir, 0o755)) //nolint:gosec // another user reads it
		case !e.Type().IsRegular():
			return nil
		}
		return c.file(path, inside)
	})
}

// file copies a file to a name in the folder.
func (c *copier) file(path, name string) error {
	path, err := filepath.Abs(path)
	switch other, taken := c.from[name]; {
	case err != nil:
		return fmt.Errorf("copying %s: %w", name, err)
	case taken && other == path:
		return nil
	case taken:
		return fmt.Errorf("%s and %s would both be %s in the sandbox: give them different names", other, path, name)
	}
	c.from[name] = path
	if len(c.from) > maxFiles {
		return fmt.Errorf("more than %d files to copy into the sandbox", maxFiles)
	}
	n, err := copyFile(filepath.Join(c.folder, name), path, 0)
	if c.bytes += n; err == nil && c.bytes > maxProgram {
		err = fmt.Errorf("the files have more than %d MB together", maxProgram>>20)
	}
	if err != nil {
		return fmt.Errorf("copying %s: %w", path, err)
	}
	return nil
}

// copyFile copies a file. Everyone may execute the copy if the owner may execute the file.
func copyFile(to, from string, flags int) (n int64, err error) {
	f, err := open(from, maxProgram, flags)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	mode := os.FileMode(0o644)
	if info, err := f.Stat(); err == nil && info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode) //nolint:gosec // our own folder
	if err != nil {
		return 0, err //nolint:wrapcheck // it names the file
	}
	n, err = io.Copy(out, io.LimitReader(f, maxProgram))
	return n, errors.Join(err, out.Chmod(mode), out.Close())
}

// writeFile writes a file that the sandbox's user can read, whatever the judge's umask.
func writeFile(path string, data []byte, mode os.FileMode) error {
	return errors.Join(os.WriteFile(path, data, mode), os.Chmod(path, mode))
}
