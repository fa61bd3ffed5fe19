package batch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"quintet/judge/run"
)

// Submission is the work of one student.
type Submission struct {
	Name     string
	Files    []string // C++ sources, or one executable program
	Fault    string   // why it cannot be judged, "" if it can
	Warnings []string // what was ignored, and why
}

// Compiles reports whether the submission consists of sources.
func (s Submission) Compiles() bool { return slices.ContainsFunc(s.Files, run.IsSource) }

// Find lists the submissions of a folder by name. Each subfolder is a submission, except
// the folder of verdicts, and so is each source or program directly in the folder. Links
// count only if they lead to folders below it: a student's archive may hold links to files
// of the grader. Find also returns a line for each ignored file, except headers and hidden
// ones.
func Find(dir, out string) (list []Submission, ignored []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the submissions: %w", err)
	}
	ours, _ := os.Stat(out)                                                      // from an earlier run
	taken := map[string]bool{"index": true, "results": true, "gradescope": true} // names of our own files
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		switch {
		case strings.HasPrefix(e.Name(), "."), run.IsHeader(path), err == nil && os.SameFile(info, ours):
			continue
		case e.Type()&fs.ModeSymlink != 0 && !leadsBelow(dir, path):
			ignored = append(ignored, escapeName(e.Name())+" is not judged: it is a link out of the folder of submissions")
			continue
		case err == nil && info.IsDir():
			list = append(list, submissionIn(path))
			list[len(list)-1].Name = escapeName(e.Name())
		case e.Type().IsRegular() && (run.IsSource(path) || executable(e)):
			name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
			if taken[name] || slices.ContainsFunc(entries, func(o fs.DirEntry) bool { return o.Name() == name }) {
				name = e.Name()
			}
			list = append(list, Submission{Name: escapeName(name), Files: []string{path}})
		default:
			ignored = append(ignored, escapeName(e.Name())+" is not judged: it is not a folder, a C++ source or an executable program")
			continue
		}
		last := &list[len(list)-1]
		for taken[last.Name] {
			last.Name += "-1"
		}
		taken[last.Name] = true
	}
	if len(list) == 0 {
		return nil, ignored, fmt.Errorf("%s: no submissions: each is a folder or a file", dir)
	}
	return list, ignored, nil
}

// leadsBelow reports whether a link leads to something below a folder.
func leadsBelow(dir, link string) bool {
	root, err := filepath.EvalSymlinks(dir)
	target, err2 := filepath.EvalSymlinks(link)
	inside, err3 := filepath.Rel(root, target)
	return errors.Join(err, err2, err3) == nil && inside != "." && filepath.IsLocal(inside)
}

// escapeName escapes bytes that are not UTF-8, as found in archives of other systems:
// J%F6rg. Verdicts are text, and different names must stay different.
func escapeName(name string) string {
	var w strings.Builder
	for i, r := range name {
		if _, size := utf8.DecodeRuneInString(name[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&w, "%%%02X", name[i])
			continue
		}
		w.WriteRune(r)
	}
	return w.String()
}

// submissionIn returns the submission in a folder: its sources, or a program if there are
// none. It skips the folders that build tools and archives leave behind.
func submissionIn(dir string) (s Submission) {
	var programs []string
	err := filepath.WalkDir(dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "cmake-build") || e.Name() == "__MACOSX" || e.Name() == "CMakeFiles"
		switch {
		case err != nil:
			return err
		case hidden && e.IsDir():
			return filepath.SkipDir
		case hidden || !e.Type().IsRegular():
		case run.IsSource(path):
			s.Files = append(s.Files, path)
		case executable(e):
			programs = append(programs, path)
		}
		return nil
	})
	slices.SortStableFunc(s.Files, compareDepth)
	slices.SortStableFunc(programs, compareDepth)
	s.choose(dir)
	if err != nil {
		s.Fault = fmt.Sprintf("files cannot be read: %v", err)
	}
	if len(s.Files) == 0 {
		s.Files = programs[:min(len(programs), 1)]
	}
	return s
}

// depth returns the number of folders above a file.
func depth(path string) int { return strings.Count(filepath.Clean(path), string(filepath.Separator)) }

// compareDepth orders files by depth.
func compareDepth(a, b string) int { return cmp.Compare(depth(a), depth(b)) }

// choose keeps, of sources with the same name, the one nearest the top. It warns about
// others that differ, such as those in a backup folder. If two are equally near, the
// submission cannot be judged.
func (s *Submission) choose(dir string) {
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
		one, other := relative(dir, chosen), relative(dir, path)
		if depth(chosen) == depth(path) && !run.IsHeader(base) {
			s.Fault = fmt.Sprintf("%s and %s are two sources with the same name: expected one of them", one, other)
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

// relative returns the path of a file relative to a folder.
func relative(dir, path string) string {
	if rest, err := filepath.Rel(dir, path); err == nil {
		return escapeName(rest)
	}
	return escapeName(path)
}

func executable(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
