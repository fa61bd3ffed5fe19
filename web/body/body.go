// Package body decodes the JSON objects in request bodies. Its errors are for clients: they
// speak of JSON, not of Go types.
//
// Start with [Decode]. An [Error] names the wrong field by its path in the object
// ("options.size"). Unknown fields are rejected, and no input panics.
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

// Error describes an invalid object. Text says what was wrong and what would be right.
// Field is the path of the wrong field; "" if the error concerns no single field.
type Error struct{ Field, Text string }

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Decode reads one JSON object into a struct. The error is an *Error: the data is not
// JSON, a field has the wrong type, or the struct has no such field.
func Decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	strict := d.Decode(into)
	if strict != nil { // again: its error names neither the place of an unknown field nor what is expected
		d = json.NewDecoder(bytes.NewReader(data))
		if err := d.Decode(into); err != nil {
			return translate(err, reflect.TypeOf(into).Elem())
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &Error{Text: "there is something after the JSON object: expected one object"}
	}
	if strict == nil {
		return nil
	}
	return checkFields(data, reflect.TypeOf(into).Elem(), "")
}

// Only returns an *Error if an object has fields other than the named ones. It does not
// check nested objects.
func Only(data []byte, names ...string) error {
	for _, name := range slices.Sorted(maps.Keys(members(data))) {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return unknown("", name, names)
		}
	}
	return nil
}

// translate translates an error of encoding/json in a struct for clients.
func translate(err error, t reflect.Type) error {
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
		return &Error{Text: fmt.Sprintf("this is %s: expected a JSON object", describe(kind.Value))}
	case errors.As(err, &kind):
		name := short(jsonPath(kind.Field, t))
		return &Error{Field: name, Text: fmt.Sprintf("%s is %s: expected %s", name, describe(kind.Value), expected(kind.Type))}
	}
	return &Error{Text: "this cannot be read: expected a JSON object"}
}

// jsonPath returns the path of a field without the embedded structs that encoding/json names.
func jsonPath(path string, t reflect.Type) string {
	for f := range t.Fields() {
		if rest, ok := strings.CutPrefix(path, f.Name+"."); ok && f.Anonymous {
			return rest
		}
	}
	return path
}

// describe names a JSON value as json.UnmarshalTypeError does, which adds the digits of numbers.
func describe(value string) string {
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

// expected describes the values of a field.
func expected(t reflect.Type) string {
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

// members returns the members of a JSON object; nil for other values.
func members(data []byte) (in map[string]json.RawMessage) {
	if json.Unmarshal(data, &in) != nil {
		return nil
	}
	return in
}

// elements returns the elements of a JSON array; nil for other values.
func elements(data []byte) (list []json.RawMessage) {
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// checkFields returns an *Error if an object, or an object nested in it, has a field that its
// struct lacks.
func checkFields(data []byte, t reflect.Type, path string) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		return checkElements(data, t.Elem(), path)
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	in := members(data)
	for _, name := range slices.Sorted(maps.Keys(in)) {
		f, names, ok := fieldOf(t, name)
		if !ok {
			return unknown(path, name, names)
		}
		if err := checkFields(in[name], f.Type, path+nameOf(f)+"."); err != nil {
			return err
		}
	}
	return nil
}

// checkElements is known for the objects of a list.
func checkElements(data []byte, t reflect.Type, path string) error {
	for i, in := range elements(data) {
		if err := checkFields(in, t, path+strconv.Itoa(i)+"."); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf returns the struct field with a JSON name, also of an embedded struct, or the names
// of all fields. It ignores case, as encoding/json does.
func fieldOf(t reflect.Type, name string) (f reflect.StructField, names []string, ok bool) {
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
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
