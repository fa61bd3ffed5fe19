package class

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"
)

// This file is about learning platforms (LTI 1.3), such as Moodle: students come to a class from a course there, and their
// marks go back. The record of the class has what identifies students there; events only say which marks were sent.

// Limits of platforms.
const (
	MaxPlatforms = 4   // of a class
	MaxLines     = 200 // line items of a class
	MaxURL       = 500 // bytes of an address; characters of an identifier
)

// Platform is a platform, and the tool that the class is there.
type Platform struct {
	ID         string `json:"id"`
	Issuer     string `json:"issuer"`
	Client     string `json:"client"`
	Deployment string `json:"deployment"`
	Auth       string `json:"auth"`  // where it authenticates people
	Token      string `json:"token"` // where it gives access tokens
	Keys       string `json:"keys"`  // where its public keys are
}

// Check returns an error if a field is invalid.
func (p Platform) Check() (err error) {
	for _, text := range []string{p.Issuer, p.Client, p.Deployment} {
		err = errors.Join(err, CheckText("an identifier of a platform", text, MaxURL))
	}
	return errors.Join(err, CheckURL(p.Auth), CheckURL(p.Token), CheckURL(p.Keys))
}

// CheckURL returns an error for an address of a platform that the server must not use.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" || len(text) > MaxURL {
		return fmt.Errorf("%.100q: the address of a platform begins with https:// and has at most %d bytes", text, MaxURL)
	}
	return nil
}

// Launch is what a platform says about a person who opens the class there.
type Launch struct {
	Platform   string
	Subject    string // identifier there
	Name       string // "" if the platform does not send it
	Student    bool
	Assignment string // that the link is for; "" for none
	Line       string // address of the line item that takes the mark; "" for none
}

// Enter returns the student of a launch, whom it adds with fresh if needed. It notes the name and where the mark goes, and
// reports whether that changed the class. The error is ErrMany if the class is full.
func (c *Class) Enter(l Launch, fresh func() (Student, error)) (student *Student, changed bool, err error) {
	i := slices.IndexFunc(c.Students, func(n Student) bool { return n.Platform == l.Platform && n.Subject == l.Subject })
	if i < 0 {
		if len(c.Students) >= MaxStudents {
			return nil, false, ErrMany
		}
		added, err := fresh()
		if err != nil {
			return nil, false, err
		}
		added.Platform, added.Subject = l.Platform, l.Subject
		i, c.Students, changed = len(c.Students), append(c.Students, added), true
	}
	student = &c.Students[i]
	if l.Name != "" && student.Name != l.Name {
		student.Name, changed = l.Name, true
	}
	line := slices.Index(c.Lines, l.Line)
	if line < 0 && l.Line != "" && len(c.Lines) < MaxLines {
		line, c.Lines = len(c.Lines), append(c.Lines, l.Line)
	}
	if old, ok := student.Lines[l.Assignment]; line >= 0 && (!ok || old != line) {
		if student.Lines == nil {
			student.Lines = map[string]int{}
		}
		student.Lines[l.Assignment], changed = line, true
	}
	return student, changed, nil
}

// Report is the mark of a student for a platform.
type Report struct {
	Student, Assignment string

	Platform Platform
	Subject  string
	Mark, Of float64
	Line     int       // index in Class.Lines; -1 if it is not known what the platform has
	At       time.Time // later than the last report by a second, because some platforms ignore what is not

	last int64 // the time of the last report, in milliseconds since 1970
}

// Unreported returns the marks that platforms lack.
func (s *State) Unreported(c Class, now time.Time) (list []Report) {
	for _, n := range c.Students {
		i := slices.IndexFunc(c.Platforms, func(p Platform) bool { return p.ID == n.Platform })
		for _, a := range s.Assignments {
			line, ok := n.Lines[a.ID]
			if i < 0 || !ok {
				continue
			}
			m, last := s.Mark(n.ID, a), s.reports[[2]string{n.ID, a.ID}]
			if m.Submission == "" || last.Sent > 0 && last.Points == m.Mark && last.Of == m.Of && last.Line == line {
				continue
			}
			at := time.UnixMilli(max(now.UnixMilli(), last.Sent+1000))
			list = append(list, Report{n.ID, a.ID, c.Platforms[i], n.Subject, m.Mark, m.Of, line, at, last.Sent})
		}
	}
	return list
}

// Follows reports whether the last report is still the one that r follows. If not, two servers have sent marks at once.
func (s *State) Follows(r Report) bool {
	return s.reports[[2]string{r.Student, r.Assignment}].Sent == r.last
}
