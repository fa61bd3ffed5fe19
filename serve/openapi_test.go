package serve_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// document is openapi.json, as far as it is checked here.
type document struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

type operation struct {
	Responses map[string]struct {
		Content map[string]struct{ Schema schema }
	}
}

type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Enum       []any
	Properties map[string]schema
	Required   []string
	Items      *schema
	OneOf      []schema
	Additional json.RawMessage `json:"additionalProperties"`
}

// readOpenAPI reads the document once: every answer is compared with it.
var readOpenAPI = sync.OnceValues(func() (d document, err error) {
	data, err := os.ReadFile("openapi.json")
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	return d, err
})

func openapi(t testing.TB) document {
	t.Helper()
	d, err := readOpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// described fails the test unless the document has an answer like this one. Every
// answer in the tests of this package passes through it.
func described(t testing.TB, method, path string, status int, data []byte) {
	t.Helper()
	d := openapi(t)
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimSuffix(path, "/") // it leads there
	op, ok := d.find(method, path)
	if !ok {
		if status != 404 && status != 405 {
			t.Errorf("%s %s gives %d and is not described", method, path, status)
		}
		return
	}
	answer, ok := op.Responses[strconv.Itoa(status)]
	if !ok {
		t.Errorf("%s %s gives %d, which is not described: %s", method, path, status, data)
		return
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Error(err)
	}
	for _, c := range answer.Content {
		if err := d.check(c.Schema, v); err != nil {
			t.Errorf("%s %s, %d: %v in %s", method, path, status, err, data)
		}
	}
}

// framed fails the test unless the document describes a frame of a socket.
func framed(t testing.TB, data []byte) {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	name := "Event"
	switch v["kind"] {
	case "reply":
		name = "Reply"
	case "beat":
		name = "Beat"
	case "presence":
		name = "PresenceLine"
	case "said":
		name = "SaidLine"
	case "state": // the game, and that it is that
		name = "Game"
		delete(v, "kind")
	}
	if err := openapi(t).check(schema{Ref: "#/components/schemas/" + name}, v); err != nil {
		t.Errorf("%s: %v in %s", name, err, data)
	}
}

// find returns what the document says of a request. A path that it names as it is goes
// before one with a parameter, as in the routes.
func (d document) find(method, path string) (operation, bool) {
	if op, ok := d.Paths[path][strings.ToLower(method)]; ok {
		return op, true
	}
	for pattern, ops := range d.Paths {
		if op, ok := ops[strings.ToLower(method)]; ok && alike(pattern, path) {
			return op, true
		}
	}
	return operation{}, false
}

func alike(pattern, path string) bool {
	a, b := strings.Split(pattern, "/"), strings.Split(path, "/")
	return len(a) == len(b) && !slices.ContainsFunc(a, func(part string) bool {
		other := b[slices.Index(a, part)]
		return part != other && !strings.HasPrefix(part, "{")
	})
}

// check checks a value against a schema.
func (d document) check(s schema, v any) error {
	if s.Ref != "" {
		named, ok := d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
		if !ok {
			return fmt.Errorf("%s is not in the document", s.Ref)
		}
		return d.check(named, v)
	}
	if s.OneOf != nil {
		var err error
		for _, one := range s.OneOf {
			if err = d.check(one, v); err == nil {
				return nil
			}
		}
		return err
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) {
		return fmt.Errorf("%v is none of %v", v, s.Enum)
	}
	if !s.is(v) {
		return fmt.Errorf("%v is no %v", v, s.Type)
	}
	return d.inside(s, v)
}

func (s schema) is(v any) bool {
	types, several := s.Type.([]any)
	if !several {
		types = []any{s.Type}
	}
	name := "object"
	switch v := v.(type) {
	case nil:
		name = "null"
	case string:
		name = "string"
	case bool:
		name = "boolean"
	case []any:
		name = "array"
	case float64:
		name = "number"
		if v == float64(int64(v)) {
			name = "integer"
		}
	}
	return s.Type == nil || slices.Contains(types, any(name)) || name == "integer" && slices.Contains(types, any("number"))
}

func (d document) inside(s schema, v any) error {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := d.check(*s.Items, e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				return fmt.Errorf("%q is missing", name)
			}
		}
		for name, e := range v {
			p, ok := s.Properties[name]
			if !ok && string(s.Additional) == "false" {
				return fmt.Errorf("%q is not described", name)
			}
			if !ok {
				continue
			}
			if err := d.check(p, e); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
