package batch

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quintet/judge/marks"
)

// participant matches Moodle's identifier of a student in any language, such as "Participant 101".
var participant = regexp.MustCompile(`^\D+\d+$`)

// worksheet recognizes Moodle's grading worksheet in any language, and returns the platform with the
// table's own column names. Those come from the language pack of the site, but the order of the
// columns is fixed: identifier, name, ..., grade, maximum grade, ..., times, feedback comments.
func (s *Sheet) worksheet() (p platform, ok bool) {
	head := s.rows[0]
	maximum := func(column int) bool {
		return cell(s.rows[1], column) != "-" && s.every(column-1, isGrade) &&
			s.every(column, func(text string) bool { return text == cell(s.rows[1], column) && decimal(text) > 0 })
	}
	if !s.every(0, participant.MatchString) {
		return p, false
	}
	most := 3
	for most < len(head) && !maximum(most) {
		most++
	}
	if most >= len(head)-1 {
		return p, false
	}
	p = platform{name: "Moodle", key: head[0], grade: regexp.MustCompile("^" + regexp.QuoteMeta(head[most-1]) + "$"), most: head[most]}
	if most > 3 { // anonymous submissions have no names
		p.student = head[1:2]
	}
	for i := len(head) - 1; i > most; i-- {
		if s.every(i, isTime) {
			p.time = head[i]
		}
	}
	if last := len(head) - 1; !s.every(last, isTime) {
		p.feedback = head[last]
	}
	return p, true
}

// every reports whether a column has only cells of a kind, and at least one.
func (s *Sheet) every(column int, is func(string) bool) bool {
	return len(s.rows) > 1 && !slices.ContainsFunc(s.rows[1:], func(row []string) bool { return !is(cell(row, column)) })
}

// isGrade reports whether a cell can be a grade; Moodle writes "-" for none.
func isGrade(text string) bool { return text == "" || text == "-" || decimal(text) >= 0 }

// isTime reports whether a cell is a time; Moodle writes "-" for none.
func isTime(text string) bool {
	_, ok := marks.ParseTime(text)
	return ok || text == "-"
}

// decimal reads a number with a decimal point or comma, -1 if it is none.
func decimal(text string) float64 {
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return -1
	}
	return n
}
