// Package class keeps classes: a teacher's students, assignments, submissions and marks.
//
// A class has two parts. Its [Class] record holds personal data, which must be erasable: names and login
// codes. The events of its stream record what happened, with opaque identifiers; [State] is their fold. Submitted
// files and verdicts are records of their own, see [Directory.Put].
//
// A student who signs in with a login code becomes a guest, whose secret the server derives from the class
// and the student. So a student has the same games on every device, and signing in stores nothing.
package class

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of classes.
const (
	MaxClasses     = 2000      // on a server, which keeps their records in memory
	MaxTaught      = 50        // classes of a teacher
	MaxStudents    = 200       // of a class
	MaxAssignments = 50        // of a class
	MaxName        = 80        // characters of the name of a student
	MaxTitle       = 80        // characters of the title of a class or an assignment
	MaxText        = 500       // characters of a reason, a question or an answer
	MaxTable       = 128 << 10 // bytes of the table of grades of a platform
	maxEarlier     = 8         // earlier persons of a student: each renewed code makes a new one
)

// Class is the record of a class. An erased class keeps only its identifier.
type Class struct {
	ID       string    `json:"id"`
	Title    string    `json:"title,omitempty"`
	Teacher  string    `json:"teacher,omitempty"` // identifier of the account
	Created  int64     `json:"created,omitempty"` // time of day, milliseconds since 1970
	Archived bool      `json:"archived,omitempty"`
	Students []Student `json:"students,omitempty"`
	Table    []byte    `json:"table,omitempty"` // the platform's table of grades, from which the roster came

	Platforms []Platform `json:"platforms,omitempty"` // from which students come by LTI
	Lines     []string   `json:"lines,omitempty"`     // addresses of line items, which take marks; none is ever removed
	Key       []byte     `json:"key,omitempty"`       // the private key by which platforms recognize the class, encrypted
	KeySet    []byte     `json:"keyset,omitempty"`    // the public key, as platforms read it

	Erasing bool `json:"erasing,omitempty"` // nobody sees it any more
	Erased  bool `json:"erased,omitempty"`

	revision uint64
}

// Student is a student of a class.
type Student struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Key     string   `json:"key,omitempty"`  // the student's identifier on the platform
	Code    string   `json:"code,omitempty"` // hash of the login code
	Renewed int      `json:"renewed,omitempty"`
	Person  string   `json:"person"`            // the guest that the student is
	Earlier []string `json:"earlier,omitempty"` // persons before the code was renewed

	Platform string         `json:"platform,omitempty"` // from which the student comes
	Subject  string         `json:"subject,omitempty"`  // the student's identifier there
	Lines    map[string]int `json:"lines,omitempty"`    // by assignment, the index in Class.Lines of what takes the mark
}

// Student returns a student of the class.
func (c Class) Student(id string) (s Student, ok bool) {
	i := slices.IndexFunc(c.Students, func(s Student) bool { return s.ID == id })
	if i < 0 {
		return s, false
	}
	return c.Students[i], true
}

// Renew gives a student a new login code, by its hash, and a new person. Devices that signed in with the old
// code are signed out.
func (s *Student) Renew(hash, person string) {
	if s.Person != "" {
		s.Earlier = append(s.Earlier, s.Person)
		s.Earlier = s.Earlier[max(len(s.Earlier)-maxEarlier, 0):]
	}
	s.Code, s.Person = hash, person
}

// clone returns a copy that can be changed.
func (c Class) clone() Class {
	c.Students, c.Platforms, c.Lines = slices.Clone(c.Students), slices.Clone(c.Platforms), slices.Clone(c.Lines)
	for i, n := range c.Students {
		c.Students[i].Earlier, c.Students[i].Lines = slices.Clone(n.Earlier), maps.Clone(n.Lines)
	}
	return c
}

// The errors that callers handle.
var (
	ErrMissing = errors.New("there is no such class")
	ErrMany    = errors.New("there are too many")
)

// CheckText returns an error for a text that is empty, too long, or has control characters.
func CheckText(what, text string, most int) error {
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text) || n == 0 || n > most:
		return fmt.Errorf("%s has 1 to %d characters", what, most)
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }):
		return fmt.Errorf("%s must not contain control characters", what)
	}
	return nil
}

// codeAlphabet has no characters that are easily confused.
const codeAlphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// codeLength is the number of characters of a login code, which has 59 random bits. Nobody can guess one, so
// right codes need no rate limit, and a whole class can sign in at once.
const codeLength = 12

// NewCode returns a new login code in groups of four.
func NewCode(random io.Reader) (string, error) {
	var out strings.Builder
	for n := 0; n < codeLength; {
		var b [1]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", fmt.Errorf("making a login code: %w", err)
		}
		i := int(b[0] & 31)
		if i >= len(codeAlphabet) { // keeps all characters equally likely
			continue
		}
		if n > 0 && n%4 == 0 {
			out.WriteByte('-')
		}
		out.WriteByte(codeAlphabet[i])
		n++
	}
	return out.String(), nil
}

// HashCode returns the hash of a login code with the server's secret. The code may be typed in upper case,
// and without hyphens.
func HashCode(secret []byte, code string) string {
	code = strings.Map(func(r rune) rune {
		if r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, code)
	mac := hmac.New(sha256.New, secret)
	_, _ = io.WriteString(mac, "quintet class code "+code) // never fails
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Emptied returns what remains of an erased class.
func (c Class) Emptied() Class { return Class{ID: c.ID, Erased: true, revision: c.revision} }
