// Package body reads the JSON objects that come with requests, and says in words that
// are not Go's what is wrong with one, and where.
//
// It promises that an Error names the field that is wrong by its path in the object
// ("options.size"), that unknown fields are rejected, and that no input
// panics.
package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Error is what is wrong with an object. Text says what would be right. Field is the
// path of the field; "" if it is not one field.
type Error struct{ Field, Text string }

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Decode reads one JSON object into a struct. The error is an *Error: it is no JSON, a
// field has another type, or the struct has no such field.
func Decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(into); err != nil {
		return inWords(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &Error{Text: "there is something after the JSON object: expected one object"}
	}
	return known(data, reflect.TypeOf(into).Elem(), "")
}

// Only returns an *Error if an object has other fields than these. Those inside of
// them it does not look at.
func Only(data []byte, names ...string) error {
	for _, name := range slices.Sorted(maps.Keys(fields(data))) {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return unknown("", name, names)
		}
	}
	return nil
}

// inWords translates an error of package json.
func inWords(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return &Error{Text: "there is no JSON object: expected one"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{Text: "the JSON ends too early: expected a whole object"}
	case errors.As(err, &syntax):
		return &Error{Text: fmt.Sprintf("this is no JSON from byte %d on: expected an object", syntax.Offset)}
	case errors.As(err, &kind) && kind.Field == "":
		return &Error{Text: fmt.Sprintf("this is %s: expected a JSON object", found(kind.Value))}
	case errors.As(err, &kind):
		return &Error{Field: short(kind.Field), Text: fmt.Sprintf("%s is %s: expected %s", short(kind.Field), found(kind.Value), wanted(kind.Type))}
	}
	return &Error{Text: "this cannot be read: expected a JSON object"}
}

// found says what something of JSON is. Numbers come with their digits.
func found(value string) string {
	kind, digits, _ := strings.Cut(value, " ")
	switch kind {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "number":
		if digits != "" {
			return "the number " + short(digits)
		}
		return "a number"
	}
	return kind
}

// wanted says what a field takes.
func wanted(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[option]():
		return "a text, a number, true or false"
	case t.Kind() == reflect.String:
		return "a text"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Slice:
		return "a list"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return "a whole number"
	}
	return "an object"
}

// fields returns what an object has; nothing of what is none.
func fields(data []byte) (in map[string]json.RawMessage) {
	if json.Unmarshal(data, &in) != nil {
		return nil
	}
	return in
}

// items returns what a list has; nothing of what is none.
func items(data []byte) (list []json.RawMessage) {
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// known returns an *Error if an object, or one in it, has a field that its struct has
// not.
func known(data []byte, t reflect.Type, path string) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		return allKnown(data, t.Elem(), path)
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	in := fields(data)
	for _, name := range slices.Sorted(maps.Keys(in)) {
		f, names, ok := fieldOf(t, name)
		if !ok {
			return unknown(path, name, names)
		}
		if err := known(in[name], f.Type, path+nameOf(f)+"."); err != nil {
			return err
		}
	}
	return nil
}

// allKnown is known for the objects of a list.
func allKnown(data []byte, t reflect.Type, path string) error {
	for i, in := range items(data) {
		if err := known(in, t, path+strconv.Itoa(i)+"."); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf returns the field of a struct that has a name in JSON, and all names that
// there are. Capitals do not matter, as package json has it.
func fieldOf(t reflect.Type, name string) (f reflect.StructField, names []string, ok bool) {
	for f := range t.Fields() {
		if strings.EqualFold(nameOf(f), name) {
			return f, nil, true
		}
		names = append(names, nameOf(f))
	}
	return f, names, false
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func unknown(path, name string, names []string) error {
	want := "expected " + strings.Join(names, ", ")
	if len(names) == 0 {
		want = "expected none"
	}
	return &Error{Field: path + short(name), Text: fmt.Sprintf("there is no field %s here: %s", path+short(name), want)}
}

// short returns a text, truncated for messages.
func short(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
