package studies

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quintet/serve/api"
)

// The bounds of a study.
const (
	MaxNodes   = 2000    // the root included
	MaxEvents  = 5000    // and
	MaxBytes   = 2 << 20 // of all events
	MaxEdits   = 100     // of a request
	MaxTitle   = 100     // characters
	MaxComment = 2000    // characters
	MaxShapes  = 32      // of a node
	maxOpening = 700_000 // bytes of the first event: NATS takes messages up to 1 MB
)

// Root is the identifier of the node before the first move.
const Root = "root"

// Edit is a change of a study. Do says what it does, and which of the fields it has.
type Edit struct {
	Do         string     `json:"do"`
	ID         string     `json:"id,omitempty"` // of the node
	Parent     string     `json:"parent,omitempty"`
	Move       string     `json:"move,omitempty"`
	To         *int       `json:"to,omitempty"`
	Text       *string    `json:"text,omitempty"`
	Glyph      *string    `json:"glyph,omitempty"`
	Shapes     []Shape    `json:"shapes,omitzero"`
	Visibility Visibility `json:"visibility,omitempty"`

	// The server adds these to the edit that adds a move.
	SAN   string `json:"san,omitempty"`
	Cells *Cells `json:"cells,omitempty"`
}

// Cells are the cells that a move touches. A pass has none, a placed stone no From.
type Cells struct {
	From *int `json:"from,omitempty"`
	To   *int `json:"to,omitempty"`
}

// Shape is an arrow from a cell to a cell, or a circle around a cell.
type Shape struct {
	From  *int   `json:"from,omitempty"` // nil for a circle
	To    int    `json:"to"`
	Color string `json:"color"`
}

// Visibility is who can read a study.
type Visibility string

// The visibilities.
const (
	Link    Visibility = "link"    // everyone with the address
	Private Visibility = "private" // everyone with the key
)

// colors returns the colours of shapes.
func colors() []string { return []string{"green", "red", "blue", "yellow"} }

// glyphs returns the annotation glyphs, in the order of PGN from 1 on; the first is none.
func glyphs() []string { return []string{"", "!", "?", "!!", "??", "!?", "?!"} }

// Mark returns the numeric annotation glyph of PGN for a glyph; 0 for none.
func Mark(glyph string) uint8 { return uint8(max(slices.Index(glyphs(), glyph), 0)) }

// Glyph returns the glyph of a numeric annotation glyph of PGN; "" if studies have none.
func Glyph(mark uint8) string {
	if list := glyphs(); int(mark) < len(list) {
		return list[mark]
	}
	return ""
}

// wrong returns the problem of an edit, which says what is wrong and what would be right.
func wrong(format string, args ...any) error {
	return api.Problemf(http.StatusBadRequest, "invalid", format, args...).WithReason("study.edit").InField("edits")
}

// verb is what an edit can do.
type verb struct {
	fields string           // besides do, for people
	only   func(Edit) Edit  // the edit with its own fields alone
	check  func(Edit) error // of the fields, whatever is in the study
}

func verbs() map[string]verb {
	return map[string]verb{
		"add":     {"id, parent, move", func(e Edit) Edit { return Edit{Do: e.Do, ID: e.ID, Parent: e.Parent, Move: e.Move} }, checkAdd},
		"delete":  {"id", func(e Edit) Edit { return Edit{Do: e.Do, ID: e.ID} }, checkMoved},
		"promote": {"id, to", func(e Edit) Edit { return Edit{Do: e.Do, ID: e.ID, To: e.To} }, checkPromote},
		"comment": {"id, text", func(e Edit) Edit { return Edit{Do: e.Do, ID: e.ID, Text: e.Text} }, checkComment},
		"glyph":   {"id, glyph", func(e Edit) Edit { return Edit{Do: e.Do, ID: e.ID, Glyph: e.Glyph} }, checkGlyph},
		"shapes":  {"id, shapes", func(e Edit) Edit { return Edit{Do: e.Do, ID: e.ID, Shapes: e.Shapes} }, checkShapes},
		"title":   {"text", func(e Edit) Edit { return Edit{Do: e.Do, Text: e.Text} }, checkTitle},
		"visibility": {"visibility", func(e Edit) Edit { return Edit{Do: e.Do, Visibility: e.Visibility} }, func(e Edit) error {
			return e.Visibility.check()
		}},
	}
}

// check returns a problem if an edit, as a client sent it, is invalid for every study.
func (e Edit) check() error {
	v, ok := verbs()[e.Do]
	if !ok {
		return wrong("do %q: expected add, delete, promote, comment, glyph, shapes, title or visibility", short(e.Do))
	}
	if !reflect.DeepEqual(v.only(e), e) {
		return wrong("%s takes %s, and nothing else", e.Do, v.fields)
	}
	return v.check(e)
}

func checkAdd(e Edit) error {
	if e.ID == "" || len(e.ID) > 16 || strings.Trim(e.ID, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return wrong("id %q: expected 1 to 16 lower-case letters and digits", short(e.ID))
	}
	return nil
}

// checkMoved returns an error for the root, which has no move.
func checkMoved(e Edit) error {
	if e.ID == Root {
		return wrong("%s of the root: choose a node with a move", e.Do)
	}
	return nil
}

func checkPromote(e Edit) error {
	if e.To == nil || *e.To < 0 {
		return wrong("promote without a place: expected to, 0 or more")
	}
	return checkMoved(e)
}

func checkComment(e Edit) error {
	if e.Text == nil {
		return wrong("comment without text: expected one, empty for no comment")
	}
	return checkText("comment", *e.Text, MaxComment)
}

func checkTitle(e Edit) error {
	if e.Text == nil {
		return wrong("title without text: expected one, empty for no title")
	}
	if strings.Contains(*e.Text, "\n") {
		return wrong("the title has several lines: write one")
	}
	return checkText("title", *e.Text, MaxTitle)
}

func checkGlyph(e Edit) error {
	if e.Glyph == nil || !slices.Contains(glyphs(), *e.Glyph) {
		return wrong("unknown glyph: expected !, ?, !!, ??, !?, ?! or an empty text")
	}
	return checkMoved(e)
}

func checkShapes(e Edit) error {
	if len(e.Shapes) > MaxShapes {
		return wrong("%d shapes: expected at most %d", len(e.Shapes), MaxShapes)
	}
	for _, s := range e.Shapes {
		switch {
		case !slices.Contains(colors(), s.Color):
			return wrong("color %q: expected %s", short(s.Color), strings.Join(colors(), ", "))
		case s.From != nil && *s.From == s.To:
			return wrong("an arrow from cell %d to itself: draw a circle, which has no from", s.To)
		}
	}
	return nil
}

func (v Visibility) check() error {
	if v != Link && v != Private {
		return wrong("visibility %q: expected link or private", short(string(v)))
	}
	return nil
}

// checkText returns an error for a text that is too long, or has characters that are no
// text: control characters, and those that turn the direction of what follows.
func checkText(what, text string, most int) error {
	if n := utf8.RuneCountInString(text); n > most {
		return wrong("a %s of %d characters: expected at most %d", what, n, most)
	}
	for _, r := range text {
		if r != '\n' && unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Bidi_Control, r) {
			return wrong("the %s has the control character U+%04X: only line feeds are allowed", what, r)
		}
	}
	return nil
}

// short is the beginning of a text that may be long.
func short(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
