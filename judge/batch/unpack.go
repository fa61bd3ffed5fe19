package batch

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"quintet/judge/run"
)

// Limits on all archives of a student together.
const (
	maxEntries  = 2000     // files and folders
	maxUnpacked = 64 << 20 // bytes
	maxNested   = 3        // depth of archives in archives
	maxFolders  = 20       // depth of folders
)

// maxExport multiplies these limits for the archive of a whole course.
const maxExport = 20

// unpacked counts the contents of a student's archives.
type unpacked struct {
	entries int
	bytes   int64
	newest  time.Time // of the entries
	left    []string  // what was not unpacked, and why
}

// isArchive reports whether unpack can read an archive of this name.
func isArchive(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }

// otherArchive reports whether the name is that of an archive in another format.
func otherArchive(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".rar", ".7z", ".gz", ".tgz", ".tar", ".xz", ".bz2":
		return true
	}
	return false
}

// errTooMuch ends the unpacking of a student's archives.
var errTooMuch = errors.New("its archives are too large: at most 2,000 files and 64 MB are unpacked for a student")

// unpack writes the regular files of a zip archive into a folder. It counts the bytes that it reads,
// because an archive can state wrong sizes. It skips links, and names that lead out of the folder.
func (u *unpacked) unpack(archive, to string, times int) error {
	if info, err := os.Stat(archive); err == nil && info.Size() > maxUnpacked*int64(times) {
		return errTooMuch
	}
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("opening an archive: %w", err)
	}
	defer z.Close() //nolint:errcheck // only read
	for _, f := range z.File {
		if u.entries++; u.entries > maxEntries*times {
			return errTooMuch
		}
		name := strings.TrimSuffix(strings.ReplaceAll(f.Name, `\`, "/"), "/")
		mode := f.Mode()
		switch {
		case f.FileInfo().IsDir() || strings.HasSuffix(f.Name, `\`):
			continue
		case !mode.IsRegular(), !filepath.IsLocal(name), strings.Count(name, "/") > maxFolders:
			u.left = append(u.left, escapeName(name)+" was not unpacked: it is a link, or its path leads out of the archive or is too long.")
			continue
		}
		if f.Modified.After(u.newest) {
			u.newest = f.Modified
		}
		if !run.IsSource(name) && !isArchive(name) && !otherArchive(name) && mode&0o100 == 0 && times == 1 {
			continue
		}
		if err := u.write(f, filepath.Join(to, filepath.FromSlash(path.Clean(name))), int64(times)); err != nil {
			return err
		}
	}
	return nil
}

// write unpacks a file. It skips a file that it cannot write.
func (u *unpacked) write(f *zip.File, to string, times int64) error {
	in, err := f.Open()
	if err != nil {
		u.left = append(u.left, escapeName(f.Name)+" was not unpacked: "+err.Error()+".")
		return nil
	}
	defer in.Close() //nolint:errcheck // only read
	err = os.MkdirAll(filepath.Dir(to), 0o700)
	var out *os.File
	if err == nil {
		out, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600|f.Mode()&0o100) //nolint:gosec // below our own folder
	}
	if err != nil {
		u.left = append(u.left, escapeName(f.Name)+" was not unpacked: its name is taken or cannot be written.")
		return nil
	}
	n, err := io.Copy(out, io.LimitReader(in, maxUnpacked*times-u.bytes+1))
	u.bytes += n
	switch err = errors.Join(err, out.Close()); {
	case u.bytes > maxUnpacked*times:
		return errTooMuch
	case err != nil:
		u.left = append(u.left, escapeName(f.Name)+" was not unpacked: "+err.Error()+".")
	}
	return nil
}
