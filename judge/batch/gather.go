package batch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"quintet/judge/run"
)

// submissionIn returns the submission in some folders and the archives in them: its sources, or
// a program if there are none. It skips the folders that build tools and archives leave behind.
func (f *search) submissionIn(dirs ...string) (s Submission) {
	g := gathering{search: f}
	var err error
	for _, dir := range dirs {
		err = errors.Join(err, g.walk(dir, "", 0))
	}
	s.Files = g.sources
	slices.SortStableFunc(s.Files, g.compareDepth)
	slices.SortStableFunc(g.programs, g.compareDepth)
	s.choose(g)
	s.Warnings = append(s.Warnings, g.left...)
	s.Submitted = g.newest
	if err != nil {
		s.Fault = fmt.Sprintf("files cannot be read: %v", err)
	}
	if len(s.Files) == 0 {
		s.Files = g.programs[:min(len(g.programs), 1)]
	}
	return s
}

// gathering collects the files of a submission.
type gathering struct {
	*search
	unpacked
	sources, programs []string
	roots             []root // folders that were walked
}

// root is a folder of a submission, or the folder in which one of its archives was unpacked.
type root struct{ dir, archive string }

// walk collects the files of a folder and its archives.
func (g *gathering) walk(dir, archive string, nested int) error {
	g.roots = append(g.roots, root{dir, archive})
	var archives []string
	err := filepath.WalkDir(dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
		hidden := leftover(e.Name())
		switch {
		case err != nil:
			return err
		case hidden && e.IsDir():
			return filepath.SkipDir
		case hidden:
		case isArchive(path) && (e.Type().IsRegular() || strings.HasPrefix(dir, g.scratch)):
			archives = append(archives, path)
		case !e.Type().IsRegular():
		case run.IsSource(path):
			g.sources = append(g.sources, path)
		case otherArchive(path):
			g.left = append(g.left, g.relative(path)+" was not unpacked: only zip archives are.")
		case executable(e):
			g.programs = append(g.programs, path)
		}
		return nil
	})
	for _, path := range archives {
		if nested == maxNested {
			g.left = append(g.left, g.relative(path)+" was not unpacked: it is in too many archives.")
			continue
		}
		to := g.stage()
		switch err2 := g.unpack(path, to, 1); {
		case errors.Is(err2, errTooMuch):
			return err2
		case err2 != nil:
			g.left = append(g.left, g.relative(path)+" was not unpacked: "+err2.Error()+".")
		}
		err = errors.Join(err, g.walk(to, g.relative(path), nested+1))
	}
	return err //nolint:wrapcheck // it names the file
}

// leftover reports whether a file or folder is hidden, or left behind by build tools or archivers.
func leftover(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "cmake-build") || slices.Contains([]string{"__MACOSX", "CMakeFiles", "__pycache__", "venv"}, name)
}

// depth returns the number of folders between a file and the folder or archive that it is in.
func (g *gathering) depth(path string) int {
	return strings.Count(g.relative(path), string(filepath.Separator))
}

// compareDepth orders files by depth.
func (g *gathering) compareDepth(a, b string) int { return cmp.Compare(g.depth(a), g.depth(b)) }

// relative returns a file's path within its folder or archive.
func (g *gathering) relative(path string) string {
	for _, root := range g.roots {
		if rest, err := filepath.Rel(root.dir, path); err == nil && filepath.IsLocal(rest) {
			return filepath.Join(root.archive, escapeName(rest))
		}
	}
	return escapeName(path)
}

// choose keeps, of sources with the same name, the one nearest the top. It warns about
// others that differ, such as those in a backup folder. If two are equally near, the
// submission cannot be judged.
func (s *Submission) choose(g gathering) {
	first := map[string]string{}
	all := s.Files
	s.Files = nil
	for _, path := range all {
		base := filepath.Base(path)
		chosen, ok := first[base]
		if !ok {
			first[base] = path
			s.Files = append(s.Files, path)
			continue
		}
		if sameContent(chosen, path) {
			continue
		}
		one, other := g.relative(chosen), g.relative(path)
		if g.depth(chosen) == g.depth(path) && !run.IsHeader(base) {
			s.Fault = fmt.Sprintf("%s and %s have the same name: hand in one of them", one, other)
			continue
		}
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s is judged; %s, which has the same name, is ignored.", one, other))
	}
}

// sameContent reports whether two files have the same content.
func sameContent(a, b string) bool {
	x, err := run.ReadSource(a)
	y, err2 := run.ReadSource(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}
