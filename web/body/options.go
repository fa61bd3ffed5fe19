package body

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// Options are the options of a game, by name. In JSON a value is a string, a number or a
// boolean; numbers and booleans stand for their text: 10 is "10".
type Options map[string]string

// option is the type of a value, for json.UnmarshalTypeError.
type option string

// UnmarshalJSON implements json.Unmarshaler.
func (o *Options) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	in := members(data)
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

// kindOf returns the kind of a JSON value, in the words of json.UnmarshalTypeError.
func kindOf(value []byte) string {
	switch value[0] { // encoding/json passes no empty value
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
