package classes

import (
	"net/http"
	"slices"
	"strings"

	"quintet/judge/batch"
	"quintet/live"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
)

// This file is the roster: students, and their login codes.

// newCode is a login code, which is shown only once.
type newCode struct {
	Student string `json:"student"`
	Name    string `json:"name"`
	Code    string `json:"code"`
	URL     string `json:"url"`
	QR      string `json:"qr"` // path of SVG, in units of modules
	Modules int    `json:"modules"`
}

// code gives a student of a class a new login code.
func (s *Service) code(r *http.Request, id string, n *class.Student) (c newCode, err error) {
	c.Student, c.Name = n.ID, n.Name
	if c.Code, err = class.NewCode(s.Random); err != nil {
		return c, err
	}
	n.Renewed++
	secret, err := s.studentSecret(class.Member{Class: id, Student: n.ID}, n.Renewed)
	if err != nil {
		return c, err
	}
	n.Renew(class.HashCode(s.Secret, c.Code), people.GuestID(secret))
	c.URL = s.Origin(r) + "/class#" + c.Code // the fragment is in no log
	c.QR, c.Modules, err = qrPath(c.URL)
	return c, err
}

// addStudents adds students to the roster: names, one on each line, or the table of grades of a learning platform.
func (s *Service) addStudents(w http.ResponseWriter, r *http.Request, v visit) error {
	var q struct {
		Text string `json:"text"`
	}
	if err := api.Read(w, r, 2*class.MaxTable, &q); err != nil {
		return err
	}
	list, table, err := roster(q.Text)
	if err != nil {
		return err
	}
	var codes []newCode
	err = s.directory.Update(r.Context(), v.ID, func(c *class.Class) error {
		codes = []newCode{}
		if table {
			c.Table = []byte(q.Text)
		}
		for _, n := range list {
			if slices.ContainsFunc(c.Students, func(o class.Student) bool { return o.Name == n.Name && o.Key == n.Key }) {
				continue
			}
			if len(c.Students) >= class.MaxStudents {
				return api.Problemf(http.StatusConflict, string(live.CodeMany), "a class has at most %d students", class.MaxStudents).WithReason("class.state")
			}
			if n.ID, err = s.NewID(""); err != nil {
				return err
			}
			code, err := s.code(r, c.ID, &n)
			if err != nil {
				return err
			}
			codes, c.Students = append(codes, code), append(c.Students, n)
		}
		return nil
	})
	if err != nil {
		return failed(err)
	}
	return s.OK(w, map[string]any{"codes": codes})
}

// roster reads names or a table; table reports which.
func roster(text string) (list []class.Student, table bool, err error) {
	if sheet, err := batch.ParseSheet([]byte(text), ""); err == nil && len(text) <= class.MaxTable {
		for _, n := range sheet.Students() {
			list = append(list, class.Student{Name: n.Name, Key: n.ID})
		}
	}
	if table = len(list) > 0; !table {
		for line := range strings.Lines(text) {
			if name := strings.TrimSpace(line); name != "" {
				list = append(list, class.Student{Name: name})
			}
		}
	}
	for _, n := range list {
		if err := class.CheckText("a name", n.Name, class.MaxName); err != nil {
			return nil, table, invalidField("text", "%.80q: %v", n.Name, err)
		}
	}
	if len(list) == 0 || len(list) > class.MaxStudents {
		return nil, table, invalidField("text", "%d names: expected 1 to %d, one on each line, or a table of grades", len(list), class.MaxStudents)
	}
	return list, table, nil
}

// renewCode gives a student another login code, and signs out the devices of the old one.
func (s *Service) renewCode(w http.ResponseWriter, r *http.Request, v visit) error {
	var code newCode
	err := s.directory.Update(r.Context(), v.ID, func(c *class.Class) (err error) {
		i := slices.IndexFunc(c.Students, func(n class.Student) bool { return n.ID == r.PathValue("student") })
		if i < 0 {
			return errMissing("student")
		}
		code, err = s.code(r, c.ID, &c.Students[i])
		return err
	})
	if err != nil {
		return failed(err)
	}
	return s.OK(w, map[string]any{"codes": []newCode{code}})
}

// removeStudent erases a student with all that the student handed in.
func (s *Service) removeStudent(w http.ResponseWriter, r *http.Request, v visit) error {
	student := r.PathValue("student")
	var list []class.Submission
	v.d.view(func(st *class.State) { list = submissionsOf(st, student) })
	for _, n := range list {
		if err := s.directory.Erase(r.Context(), n); err != nil {
			return err
		}
	}
	if _, ok := v.Student(student); !ok {
		return s.done(w, nil)
	}
	if err := s.directory.EraseProgress(r.Context(), student); err != nil { // before, so that a request that fails can be repeated
		return err
	}
	err := s.directory.Update(r.Context(), v.ID, func(c *class.Class) error {
		c.Students = slices.DeleteFunc(c.Students, func(n class.Student) bool { return n.ID == student })
		return nil
	})
	if err == nil {
		err = s.directory.EraseProgress(r.Context(), student) // what was added meanwhile
	}
	return s.done(w, err)
}
