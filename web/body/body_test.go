package body_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quintet/web/body"
)

// order is a struct with a field of each kind.
type order struct {
	Name    string       `json:"name"`
	Ply     *int         `json:"ply"`
	Private bool         `json:"private,omitempty"`
	Moves   []string     `json:"moves"`
	Options body.Options `json:"options"`
	Clock   *struct {
		Main int64 `json:"main"`
	} `json:"clock"`
	Edits []struct {
		Do string `json:"do"`
	} `json:"edits"`
}

// TestDecode checks that errors are in our words, with the path of the field.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ data, field, text string }{
		{`{"name":"Ann","ply":3,"private":true,"moves":["a1"],"clock":{"main":3},"options":{"size":"8"}}`, "", ""},
		{`{"NAME":"Ann","ply":null,"clock":null,"options":null}`, "", ""},
		{`null`, "", ""},
		{``, "", "there is no JSON object: expected one"},
		{`nonsense`, "", "this is no JSON from byte 2 on: expected an object"},
		{`{"name":`, "", "the JSON ends too early: expected a whole object"},
		{`[]`, "", "this is a list: expected a JSON object"},
		{`3`, "", "this is a number: expected a JSON object"},
		{`{} {}`, "", "there is something after the JSON object: expected one object"},
		{`{"name":7}`, "name", "name is a number: expected a text"},
		{`{"ply":"0"}`, "ply", "ply is a text: expected a whole number"},
		{`{"ply":1e99}`, "ply", "ply is the number 1e99: expected a whole number"},
		{`{"ply":1.5}`, "ply", "ply is the number 1.5: expected a whole number"},
		{`{"private":"yes"}`, "private", "private is a text: expected true or false"},
		{`{"moves":"a1"}`, "moves", "moves is a text: expected a list"},
		{`{"moves":["a1",true]}`, "moves", "moves is true or false: expected a text"},
		{`{"clock":"5+3"}`, "clock", "clock is a text: expected an object"},
		{`{"clock":{"main":"5"}}`, "clock.main", "clock.main is a text: expected a whole number"},
		{`{"clock":{"mein":5}}`, "clock.mein", "there is no field clock.mein here: expected main"},
		{`{"edits":[{"do":"x"},{}]}`, "", ""},
		{`{"edits":[{"do":"x"},{"to":1}]}`, "edits.1.to", "there is no field edits.1.to here: expected do"},
		{`{"edits":{}}`, "edits", "edits is an object: expected a list"},
		{`{"options":[]}`, "options", "options is a list: expected an object"},
		{`{"options":{"size":[8]}}`, "options.size", "options.size is a list: expected a text, a number, true or false"},
		{`{"options":{"size":null}}`, "options.size", "options.size is null: expected a text, a number, true or false"},
		{`{"color":"red"}`, "color", "there is no field color here: expected name, ply, private, moves, options, clock, edits"},
	} {
		var got order
		err := body.Decode([]byte(c.data), &got)
		var e *body.Error
		if errors.As(err, &e) != (c.text != "") || e != nil && (e.Field != c.field || e.Text != c.text) {
			t.Errorf("%s: %q, %v, want %q, %s", c.data, field(e), err, c.field, c.text)
		}
	}
}

func field(e *body.Error) string {
	if e == nil {
		return ""
	}
	return e.Field
}

// TestOptions checks that numbers and truth values are accepted as their text.
func TestOptions(t *testing.T) {
	var got order
	if err := body.Decode([]byte(`{"options":{"size":10,"pits":"a1,\u0062\u0032","even":true,"odd":false,"x":-1.50e3}}`), &got); err != nil {
		t.Fatal(err)
	}
	want := body.Options{"size": "10", "pits": "a1,b2", "even": "true", "odd": "false", "x": "-1.50e3"}
	if diff := cmp.Diff(want, got.Options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

// TestOnly checks that known fields are rejected where they mean nothing.
func TestOnly(t *testing.T) {
	for data, want := range map[string]string{
		`{"ply":1,"Side":"first"}`: "", `null`: "", ``: "", `[]`: "",
		`{"ply":1,"name":null}`: "there is no field name here: expected ply, side",
	} {
		err := body.Only([]byte(data), "ply", "side")
		if got := errors.Join(err); (got == nil) != (want == "") || got != nil && got.Error() != want {
			t.Errorf("%s: %v, want %q", data, err, want)
		}
	}
	if err := body.Only([]byte(`{"x":1}`)); err == nil || err.Error() != "there is no field x here: expected none" {
		t.Errorf("no fields wanted: %v", err)
	}
}

// FuzzDecode checks that nothing panics, and that errors about valid text are short and
// free of Go terms.
func FuzzDecode(f *testing.F) {
	for _, data := range []string{`{"options":{"size":10}}`, `{"ply":"0"}`, `{"clock":{"x":{}}}`, `{"` + strings.Repeat("ä", 99) + `":1}`, `{"options":{"a":`} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got order
		err := body.Decode(data, &got)
		var e *body.Error
		if err != nil && (!errors.As(err, &e) || len(e.Field) > 200 || len(e.Text) > 400 || !utf8.ValidString(e.Text) || strings.Contains(e.Text, "json:")) {
			t.Errorf("%q: %v", data, err)
		}
	})
}
