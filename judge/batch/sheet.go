package batch

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	textunicode "golang.org/x/text/encoding/unicode"

	"quintet/judge/marks"
	"quintet/judge/run"
)

// maxSheet limits a table of grades, in bytes.
const maxSheet = 16 << 20

// Sheet is the table of grades of a learning platform. Write keeps the encoding, separator and line ends
// of the file.
type Sheet struct {
	platform
	rows        [][]string
	keys, grade int // columns
	wide, bom   bool
	comma       rune
	crlf        bool
}

// ReadSheet reads the table in a CSV file, see ParseSheet.
func ReadSheet(path, column string) (*Sheet, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxSheet {
		err = fmt.Errorf("%s has more than %d bytes", path, maxSheet)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path) //nolint:gosec // the user names it
	}
	if err != nil {
		return nil, fmt.Errorf("reading the table of grades: %w", err)
	}
	return ParseSheet(data, column)
}

// ParseSheet reads a table in CSV. column names the column for the grades; if it is "", there
// must be only one that the platform uses for grades.
func ParseSheet(data []byte, column string) (*Sheet, error) {
	text := string(run.Text(data))
	s := Sheet{bom: strings.HasPrefix(string(data), "\xef\xbb\xbf"), crlf: strings.Contains(text, "\r\n")}
	s.wide = !s.bom && len(text) != len(data)
	first, _, _ := strings.Cut(text, "\n")
	s.comma = slices.MaxFunc([]rune{',', '\t', ';'}, func(a, b rune) int {
		return strings.Count(first, string(a)) - strings.Count(first, string(b))
	})
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = s.comma, -1, true
	var err error
	if s.rows, err = r.ReadAll(); err != nil {
		return nil, fmt.Errorf("reading the table of grades: %w", err)
	}
	return &s, s.recognize(column)
}

// recognize finds the platform by the names of columns.
func (s *Sheet) recognize(column string) error {
	if len(s.rows) == 0 {
		return errors.New("reading the table of grades: it is empty")
	}
	list := platforms
	if p, ok := s.worksheet(); ok {
		list = append(slices.Clip(list), p)
	}
	for _, p := range list {
		s.keys = s.column(p.key)
		var grades []string
		for i, name := range s.rows[0] {
			if p.grade.MatchString(name) && (column == "" || strings.Contains(name, column)) {
				grades, s.grade = append(grades, name), i
			}
		}
		switch s.platform = p; {
		case s.keys < 0 || len(grades) == 0:
			continue
		case len(grades) > 1:
			return fmt.Errorf("the table of grades has several columns for grades: name one with --column: %s", strings.Join(grades, ", "))
		}
		return nil
	}
	return errors.New("the table of grades has no column for the student and the grade: give the grading worksheet of Moodle, the gradebook of Canvas or Blackboard, or columns Name and Grade")
}

// column returns the number of a column, or -1.
func (s *Sheet) column(name string) int {
	return slices.IndexFunc(s.rows[0], func(cell string) bool { return name != "" && strings.EqualFold(strings.TrimSpace(cell), name) })
}

// cell returns a cell of a row, "" if there is none.
func cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return strings.TrimSpace(row[column])
}

// rowOf returns the row of a student: by the ID on the platform, or else by the name.
func (s *Sheet) rowOf(name, id string) []string {
	for _, row := range s.rows[1:] {
		key := s.key(row)
		if key != "" && (strings.EqualFold(key, id) || id == "" && strings.EqualFold(key, name)) {
			return row
		}
	}
	if i := s.column(strings.Join(s.student[:min(len(s.student), 1)], "")); i >= 0 && s.name == "Moodle" {
		for _, row := range s.rows[1:] {
			if cell(row, i) == name {
				return row
			}
		}
	}
	return nil
}

// key returns what identifies the student of a row on the platform.
func (s *Sheet) key(row []string) string {
	key := cell(row, s.keys)
	if s.name == "Moodle" { // "Participant 1234", in the language of the site
		key = key[len(strings.TrimRightFunc(key, unicode.IsDigit)):]
	}
	return key
}

// Students returns the names and identifiers of the students in the table.
func (s *Sheet) Students() (list []Submission) {
	for _, row := range s.rows[1:] {
		var name []string
		for _, column := range s.student {
			if part := cell(row, s.column(column)); part != "" {
				name = append(name, part)
			}
		}
		if key := s.key(row); key != "" && len(name) > 0 {
			list = append(list, Submission{Name: strings.Join(name, " "), ID: key})
		}
	}
	return list
}

// Times sets when submissions were handed in, if the table says so.
func (s *Sheet) Times(list []Submission) {
	for i, n := range list {
		if t, ok := marks.ParseTime(cell(s.rowOf(n.Name, n.ID), s.column(s.time))); ok {
			list[i].Submitted = t
		}
	}
}

// most returns the maximum of a row's grade, 0 if the table does not have it.
func (s *Sheet) most(row []string) float64 {
	text := cell(row, s.column(s.platform.most))
	if m := s.platform.grade.FindStringSubmatch(s.rows[0][s.grade]); s.platform.grade.SubexpIndex("most") > 0 {
		text = m[s.platform.grade.SubexpIndex("most")]
	}
	for _, r := range s.rows[1:min(len(s.rows), 4)] {
		if cell(r, 0) == s.platform.most && text == "" {
			text = cell(r, s.grade)
		}
	}
	return max(0, decimal(text))
}

// late returns what was deducted for being late, as a comment for a table of grades whose points are scaled; "" if nothing.
func (r Result) late(scale float64) string {
	if r.Days == 0 || r.Mark >= r.Verdict.Points {
		return ""
	}
	return fmt.Sprintf("; %s late: %s of %s points off", days(r.Days), number(scale*(r.Verdict.Points-r.Mark)), number(scale*r.Verdict.Of))
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}

// Fill writes the marks into the table, scaled to its maximum, and returns the names that it lacks.
func (s *Sheet) Fill(results []Result) (missing []string) {
	for _, r := range results {
		row := s.rowOf(r.Name, r.ID)
		if s.grade >= len(row) {
			missing = append(missing, r.Name)
			continue
		}
		scale := 1.0
		if most := s.most(row); most > 0 && r.Verdict.Of > 0 {
			scale = most / r.Verdict.Of
		}
		row[s.grade] = number(r.Mark * scale)
		if i := s.column(s.feedback); i >= 0 && i < len(row) {
			row[i] = Cell(strings.TrimSuffix(r.Verdict.Verdict+": "+r.Verdict.Rule, ": ") + r.late(scale))
		}
	}
	return missing
}

// Write writes the table to a file.
func (s *Sheet) Write(path string) error {
	data, err := s.Encode()
	if err != nil {
		return err
	}
	return save(path, data)
}

// Encode returns the table in the form in which it was read.
func (s *Sheet) Encode() ([]byte, error) {
	var w strings.Builder
	out := csv.NewWriter(&w)
	out.Comma, out.UseCRLF = s.comma, s.crlf
	if err := out.WriteAll(s.rows); err != nil {
		return nil, fmt.Errorf("writing the table of grades: %w", err)
	}
	data := []byte(w.String())
	switch {
	case s.bom:
		data = append([]byte("\xef\xbb\xbf"), data...)
	case s.wide:
		var err error
		if data, err = textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM).NewEncoder().Bytes(data); err != nil {
			return nil, fmt.Errorf("writing the table of grades: %w", err)
		}
	}
	return data, nil
}
