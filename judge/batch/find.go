package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quintet/judge/run"
)

// Submission is the work of one student.
type Submission struct {
	Name      string
	ID        string       // the student's on the learning platform, "" if unknown
	Files     []string     // sources, or one executable program
	Fault     string       // why it cannot be judged, "" if it can
	Warnings  []string     // what was ignored, and why
	Submitted time.Time    // zero if unknown
	Late      bool         // the platform marks it as late
	Earlier   []Submission // earlier attempts, the latest first
}

// Compiles reports whether the submission consists of sources.
func (s Submission) Compiles() bool { return slices.ContainsFunc(s.Files, run.IsSource) }

// search finds the submissions of a folder.
type search struct {
	dir, scratch string
	staged       int      // folders made in scratch
	headers      []string // in dir, for all submissions that are not folders
	ignored      []string
	students     map[string]student // by the names of Gradescope's folders
}

// item is a file or folder of the folder of submissions.
type item struct {
	exported
	path   string
	folder bool
}

// Find lists the submissions of a folder, or of a zip archive of one, by name. Each subfolder is
// a submission, except the folder of verdicts, and so is each source, archive or program directly
// in the folder. Files that a learning platform named are grouped by student and attempt.
// Find unpacks archives and renames such files in the folder scratch, which the caller removes.
//
// Links count only if they lead to folders below it: a student's archive may hold links to files
// of the grader. Find also returns a line for each ignored file, except headers and hidden ones.
func Find(dir, out, scratch string) (list []Submission, ignored []string, err error) {
	f := search{dir: dir, scratch: scratch}
	if isArchive(dir) {
		f.dir = f.stage()
		var u unpacked
		if err := u.unpack(dir, f.dir, maxExport); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
		f.ignored = u.left
	}
	f.students = f.metadata()
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the submissions: %w", err)
	}
	ours, _ := os.Stat(out) // from an earlier run
	var items []item
	for _, e := range entries {
		if i, ok := f.item(e, ours); ok {
			items = append(items, i)
		}
	}
	f.shortenNames(items)
	list = f.submissions(items)
	if len(list) == 0 {
		return nil, f.ignored, fmt.Errorf("%s: no submissions: each is a folder or a file", dir)
	}
	return list, f.ignored, nil
}

// Folder returns the submission in a folder, without the name of a student.
func Folder(dir, scratch string) Submission {
	if path, err := filepath.Abs(dir); err == nil { // "." looks like a hidden folder
		dir = path
	}
	f := search{dir: dir, scratch: scratch}
	s := f.submissionIn(dir)
	if len(s.Files) == 0 {
		s.Fault = cmp.Or(s.Fault, noProgram)
	}
	return s
}

// item returns an entry as a submission or a part of one; ok is false if it is neither.
func (f *search) item(e fs.DirEntry, ours fs.FileInfo) (i item, ok bool) {
	i.path = filepath.Join(f.dir, e.Name())
	info, err := os.Stat(i.path)
	x, named := parseName(e.Name())
	i.exported, i.folder = x, err == nil && info.IsDir()
	switch {
	case strings.HasPrefix(e.Name(), "."), e.Name() == metadataFile, err == nil && os.SameFile(info, ours):
		return i, false
	case run.IsHeader(i.path) && !named:
		f.headers = append(f.headers, i.path)
		return i, false
	case e.Type()&fs.ModeSymlink != 0 && !leadsBelow(f.dir, i.path):
		f.ignored = append(f.ignored, escapeName(e.Name())+" is not judged: it is a link out of the folder of submissions")
		return i, false
	case i.folder, e.Type().IsRegular() && (named || run.IsSource(i.path) || isArchive(i.path) || executable(e)):
		return i, true
	}
	f.ignored = append(f.ignored, escapeName(e.Name())+" is not judged: it is not a folder, a source, a zip archive or an executable program")
	return i, false
}

// shortenNames removes the name of the assignment from Blackboard's names.
func (f *search) shortenNames(items []item) {
	var names []string
	for _, i := range items {
		if i.platform == "Blackboard" {
			names = append(names, i.who)
		}
	}
	prefix := commonPrefix(names)
	for k := range items {
		if items[k].platform == "Blackboard" {
			items[k].who = strings.TrimPrefix(items[k].who, prefix)
			items[k].id = items[k].who
		}
	}
}

// submissions groups items by student and attempt.
func (f *search) submissions(items []item) (list []Submission) {
	taken := map[string]bool{"index": true, "results": true, "gradescope": true, "unpacked": true} // names of our own files
	for k := 0; k < len(items); {
		first, n := items[k], 1
		if first.platform != "" {
			same := func(i item) bool { return i.platform == first.platform && i.who == first.who && i.id == first.id }
			// The files of a student may not be adjacent: "a_b" sorts between "a" and "a_c".
			slices.SortStableFunc(items[k:], func(a, b item) int { return cmp.Compare(order(same(a)), order(same(b))) })
			for k+n < len(items) && same(items[k+n]) {
				n++
			}
		}
		s := f.student(items[k : k+n])
		k += n
		for taken[s.Name] {
			s.Name += "-" + cmp.Or(s.ID, "1")
		}
		taken[s.Name] = true
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b Submission) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

func order(first bool) int {
	if first {
		return 0
	}
	return 1
}

// student returns the last attempt of a student, with the earlier ones.
func (f *search) student(items []item) Submission {
	slices.SortStableFunc(items, func(a, b item) int { return a.time.Compare(b.time) })
	var attempts []Submission
	for k := 0; k < len(items); {
		n := 1
		for k+n < len(items) && items[k+n].time.Equal(items[k].time) {
			n++
		}
		attempts = append(attempts, f.attempt(items[k:k+n]))
		k += n
	}
	slices.Reverse(attempts)
	s := attempts[0]
	s.Earlier = attempts[1:]
	return s
}

// attempt makes a submission of some items.
func (f *search) attempt(items []item) (s Submission) {
	first := items[0]
	base := filepath.Base(first.path)
	if len(items) == 1 && first.folder && first.platform == "" {
		s = f.submissionIn(first.path)
		s.Name = escapeName(base)
		if who, ok := f.students[base]; ok {
			s.Name, s.ID, s.Submitted = escapeName(who.name), who.id, who.time
		}
		return s
	}
	if first.platform == "" && !isArchive(base) {
		name := strings.TrimSuffix(base, filepath.Ext(base))
		if _, err := os.Lstat(filepath.Join(f.dir, name)); err == nil && name != base || slices.Contains([]string{"index", "results", "gradescope"}, name) {
			name = base
		}
		return Submission{Name: escapeName(name), Files: []string{first.path}}
	}
	var folders []string
	to := f.stage()
	for _, i := range items {
		switch name := cmp.Or(i.file, filepath.Base(i.path)); {
		case i.folder:
			folders = append(folders, i.path)
		case run.IsSource(name), isArchive(name), otherArchive(name):
			copySource(i.path, to, name)
		}
		s.Late = s.Late || i.late
	}
	late := s.Late
	for _, header := range f.headers {
		copySource(header, to, filepath.Base(header))
	}
	s = f.submissionIn(append(folders, to)...)
	s.Name, s.ID, s.Late = escapeName(cmp.Or(first.who, strings.TrimSuffix(base, filepath.Ext(base)))), first.id, late
	if !first.time.IsZero() {
		s.Submitted = first.time
	}
	return s
}

// stage makes a new folder in scratch. Errors surface when it is used.
func (f *search) stage() string {
	f.staged++
	dir := filepath.Join(f.scratch, strconv.Itoa(f.staged))
	_ = os.MkdirAll(dir, 0o700)
	return dir
}

// copySource copies a source or an archive under another name, unless that is taken. It skips a file that
// it cannot copy.
func copySource(from, to, name string) {
	if !filepath.IsLocal(name) || strings.ContainsRune(name, filepath.Separator) {
		name = filepath.Base(from)
	}
	path := filepath.Join(to, name)
	if _, err := os.Lstat(path); err == nil {
		path = filepath.Join(to, filepath.Base(from))
	}
	if _, err := os.Lstat(path); err == nil {
		return
	}
	if isArchive(name) {
		if from, err := filepath.Abs(from); err == nil {
			_ = os.Symlink(from, path)
		}
		return
	}
	if data, err := run.ReadSource(from); err == nil {
		_ = os.WriteFile(path, data, 0o600)
	}
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

func executable(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
