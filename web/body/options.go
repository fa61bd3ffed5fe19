package body

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// Options are the options of a game, by name. In JSON a value is a text, or a number or
// a truth value, which stand for their text: 10 is "10".
type Options map[string]string

// option is the value of one, in what json.UnmarshalTypeError says.
type option string

// UnmarshalJSON implements json.Unmarshaler.
func (o *Options) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	in := fields(data)
	if in == nil {
		return &json.UnmarshalTypeError{Value: kindOf(data), Type: reflect.TypeFor[Options]()}
	}
	*o = Options{}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		value := in[name]
		switch kindOf(value) {
		case "string":
			var text string
			if err := json.Unmarshal(value, &text); err != nil {
				return err
			}
			(*o)[name] = text
		case "number", "bool":
			(*o)[name] = string(value)
		default:
			return &json.UnmarshalTypeError{Value: kindOf(value), Type: reflect.TypeFor[option](), Field: name}
		}
	}
	return nil
}

// kindOf returns what a value of JSON is, as json.UnmarshalTypeError says it.
func kindOf(value []byte) string {
	switch value[0] { // package json gives no value that is empty
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}
