package batch

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// metadataFile is the file of a Gradescope export that says who handed in which folder.
const metadataFile = "submission_metadata.yml"

// student is the author of a folder, or its authors.
type student struct {
	name, id string
	time     time.Time
}

// metadata reads the authors of a Gradescope export. Its archive has one folder with
// all submissions, which becomes the folder of the search.
func (f *search) metadata() map[string]student {
	if inside, _ := filepath.Glob(filepath.Join(f.dir, "*", metadataFile)); len(inside) == 1 {
		f.dir = filepath.Dir(inside[0])
	}
	data, err := os.ReadFile(filepath.Join(f.dir, metadataFile))
	if err != nil {
		return nil
	}
	return parseMetadata(string(data))
}

// parseMetadata reads the lines of the file that name students, their numbers and times. The
// rest, such as earlier results, is indented deeper or has other keys. Names that could lead out of
// a folder are sanitized.
func parseMetadata(text string) map[string]student {
	list := map[string]student{}
	folder := ""
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		value = strings.Trim(strings.TrimSpace(value), `'"`)
		s := list[folder]
		switch name := strings.TrimPrefix(strings.ReplaceAll(value, "/", "-"), "."); {
		case key != "" && key[0] != ' ' && key[0] != '-':
			folder = strings.Trim(strings.TrimSuffix(key, ":"), `'"`)
			continue
		case key == "  - :name" && s.name == "":
			s.name = name
		case key == "  - :name":
			s.name += " and " + name
		case key == "    :sid" && s.id == "":
			s.id = value
		case key == "  :created_at":
			s.time = gradescopeTime(value)
		}
		list[folder] = s
	}
	for folder, s := range list {
		if s.name == "" {
			delete(list, folder)
		}
	}
	return list
}

// gradescopeTime reads a time such as 2026-04-26 17:34:00.861687000 Z.
func gradescopeTime(text string) time.Time {
	for _, layout := range []string{"2006-01-02 15:04:05.999999999 Z07:00", "2006-01-02 15:04:05.999999999 -07:00", time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	return time.Time{}
}
