package marks

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Late is the penalty for late submissions. The zero value is none.
type Late struct {
	Due     time.Time // zero for none
	Penalty float64   // for each day begun
	Percent bool      // the penalty is a percentage of the maximum, not points
}

// eastAsian matches Moodle's dates in Chinese and Japanese, such as "2026年 11月 19日(木曜日) 23:59".
var eastAsian = regexp.MustCompile(`^(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})日(\D*)(\d{1,2}):(\d\d)$`)

// ParseTime reads a date and time in the local time zone, as profiles and learning platforms
// write them. A date alone means its last second.
func ParseTime(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{
		"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02-15-04-05", time.RFC3339,
		"Monday, 2 January 2006, 3:04 PM", "Monday, January 2, 2006, 3:04 PM", "2 January 2006, 3:04 PM",
	} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, true
		}
	}
	if m := eastAsian.FindStringSubmatch(text); m != nil {
		var n [5]int
		for i, digits := range append(m[1:4:4], m[5:]...) {
			n[i], _ = strconv.Atoi(digits)
		}
		if strings.ContainsAny(m[4], "上下前後") { // a clock of twelve hours
			n[3] %= 12
		}
		if strings.ContainsAny(m[4], "下後") {
			n[3] += 12
		}
		t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], 0, 0, time.Local)
		return t, t.Month() == time.Month(n[1]) && t.Day() == n[2] && n[3] < 24 && n[4] < 60 // Date accepts the 32nd, too
	}
	t, err := time.ParseInLocation(time.DateOnly, text, time.Local)
	return t.Add(24*time.Hour - time.Second), err == nil
}

// SetPenalty reads a penalty such as "10%" or "5 points", and reports whether it is one.
func (l *Late) SetPenalty(text string) bool {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	number = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(number, "s"), "point"))
	n, err := strconv.ParseFloat(number, 64)
	l.Penalty, l.Percent = n, percent
	return err == nil && n >= 0 && n <= MaxPoints
}

// Days returns the days begun since the due date, 0 if the submission is not late. A submission that its
// platform marks as late is at least a day late.
func (l Late) Days(submitted time.Time, calledLate bool) int {
	days := 0
	if !l.Due.IsZero() && submitted.After(l.Due) {
		days = int(math.Ceil(submitted.Sub(l.Due).Hours() / 24))
	}
	if calledLate {
		days = max(days, 1)
	}
	return days
}

// Mark returns the points less the penalty for some days.
func (l Late) Mark(points, of float64, days int) float64 {
	lost := l.Penalty * float64(days)
	if l.Percent {
		lost *= of / 100
	}
	return math.Round(100*max(0, points-lost)) / 100
}

// String formats the policy for keys of verdicts and messages.
func (l Late) String() string {
	unit := " points"
	if l.Percent {
		unit = "%"
	}
	return fmt.Sprintf("%v%s a day after %s", l.Penalty, unit, l.Due.Format("2006-01-02 15:04"))
}
