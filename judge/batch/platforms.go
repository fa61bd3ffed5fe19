package batch

import (
	"regexp"
	"strings"
	"time"

	"quintet/judge/marks"
)

// platform is a learning platform: how it names the files that it exports, and where its table
// of grades has the student and the grade.
type platform struct {
	name string
	file *regexp.Regexp // with groups who, id, late, time and file

	key      string         // column that identifies the student
	student  []string       // columns of the name
	grade    *regexp.Regexp // matches the columns for points; a group "most" has the maximum
	most     string         // column, or first cell of the row, with the maximum
	time     string         // column with the time of submission
	feedback string         // column for the verdict
}

// platforms lists the platforms. The formats are those of "Download all submissions" and
// "Grading worksheet" of Moodle 4, "Download submissions" and "Export gradebook" of Canvas, and
// "Assignment file download" and "Work offline" of Blackboard Learn.
var platforms = []platform{
	{
		name: "Moodle", file: regexp.MustCompile(`^(?P<who>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<file>.*))?$`),
		key: "Identifier", student: []string{"Full name", "First name", "Last name"}, grade: regexp.MustCompile(`^Grade$`), most: "Maximum grade", time: "Last modified (submission)", feedback: "Feedback comments",
	},
	{
		name: "Blackboard", file: regexp.MustCompile(`^(?P<who>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)$`),
		key: "Username", student: []string{"First Name", "Last Name"}, grade: regexp.MustCompile(`\[Total Pts: (?:up to )?(?P<most>[\d.]+)`),
	},
	{
		name: "Canvas", file: regexp.MustCompile(`^(?P<who>[^_]+)_(?:(?P<late>LATE)_)?(?P<id>\d+)_\d+_(?P<file>.+)$`),
		key: "ID", student: []string{"Student"}, grade: regexp.MustCompile(`^.+ \(\d+\)$`), most: "Points Possible",
	},
	{name: "other", key: "Name", student: []string{"Name"}, grade: regexp.MustCompile(`(?i)^(grade|mark|marks|points|score)$`), most: "Maximum", time: "Submitted", feedback: "Feedback"},
}

// exported is what an exported name says about the file or folder.
type exported struct {
	platform, who, id, file string
	time                    time.Time
	late                    bool
}

// again matches the number that Canvas adds to the name of a resubmitted file.
var again = regexp.MustCompile(`-\d+(\.\w+)$`)

// parseName reads the name of a file or folder that a platform exported.
func parseName(name string) (x exported, ok bool) {
	for _, p := range platforms {
		if p.file == nil {
			continue
		}
		m := p.file.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if i := p.file.SubexpIndex(name); i >= 0 {
				return m[i]
			}
			return ""
		}
		x = exported{platform: p.name, who: group("who"), id: group("id"), file: group("file"), late: group("late") != ""}
		x.time, _ = marks.ParseTime(group("time"))
		if p.name == "Canvas" {
			x.file = again.ReplaceAllString(x.file, "$1")
		}
		return x, true
	}
	return x, false
}

// commonPrefix returns the common beginning of all names, up to a "_", such as the assignment in names
// of Blackboard. For a single name it returns all but the last word.
func commonPrefix(names []string) (prefix string) {
	for i, name := range names {
		if i == 0 {
			prefix = name
		}
		for i == 0 || !strings.HasPrefix(name, prefix) || name == prefix {
			if prefix = prefix[:strings.LastIndexByte(strings.TrimSuffix(prefix, "_"), '_')+1]; i == 0 || prefix == "" {
				break
			}
		}
	}
	return prefix
}
