package class_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"quintet/people/class"
)

// TestEnter checks that a student who comes again is recognized, and that names and line items are stored once.
func TestEnter(t *testing.T) {
	c := class.Class{}
	enter := func(l class.Launch) (n *class.Student, changed bool, err error) {
		return c.Enter(l, func() (class.Student, error) {
			return class.Student{ID: fmt.Sprint("s", len(c.Students)), Name: "guest"}, nil
		})
	}
	for i, one := range []struct {
		launch  class.Launch
		id      string
		changed bool
	}{
		{class.Launch{Platform: "p", Subject: "a"}, "s0", true},
		{class.Launch{Platform: "p", Subject: "a"}, "s0", false},
		{class.Launch{Platform: "p", Subject: "a", Name: "Ann"}, "s0", true},
		{class.Launch{Platform: "p", Subject: "a"}, "s0", false},
		{class.Launch{Platform: "q", Subject: "a"}, "s1", true},
		{class.Launch{Platform: "p", Subject: "b", Assignment: "x", Line: "l0"}, "s2", true},
		{class.Launch{Platform: "p", Subject: "a", Assignment: "x", Line: "l0"}, "s0", true},
		{class.Launch{Platform: "p", Subject: "a", Assignment: "x", Line: "l0"}, "s0", false},
		{class.Launch{Platform: "p", Subject: "a", Assignment: "x", Line: "l1"}, "s0", true},
		{class.Launch{Platform: "p", Subject: "a", Assignment: "x"}, "s0", false},
	} {
		if n, changed, err := enter(one.launch); err != nil || n.ID != one.id || changed != one.changed {
			t.Errorf("launch %d: %+v, changed: %t, %v", i, n, changed, err)
		}
	}
	if n := c.Students[0]; n.Name != "Ann" || n.Lines["x"] != 1 || len(c.Lines) != 2 {
		t.Errorf("the student is %+v, the line items %v", n, c.Lines)
	}
	for i := range 300 {
		_, _, _ = enter(class.Launch{Platform: "p", Subject: "a", Assignment: "x", Line: fmt.Sprint("m", i)})
	}
	if n := c.Students[0]; len(c.Lines) != class.MaxLines || n.Lines["x"] != class.MaxLines-1 {
		t.Errorf("%d line items, and the last is %d", len(c.Lines), n.Lines["x"])
	}
	for i := range class.MaxStudents - 3 {
		if _, _, err := enter(class.Launch{Platform: "r", Subject: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := enter(class.Launch{Platform: "r", Subject: "more"}); !errors.Is(err, class.ErrMany) {
		t.Errorf("a full class: %v", err)
	}
}

// TestUnreported checks which marks a platform lacks.
func TestUnreported(t *testing.T) {
	c := class.Class{
		Platforms: []class.Platform{{ID: "p"}}, Lines: []string{"l0", "l1"},
		Students: []class.Student{{ID: "s", Platform: "p", Subject: "a", Lines: map[string]int{"a": 1}}, {ID: "u", Platform: "gone", Lines: map[string]int{"a": 0}}, {ID: "v", Platform: "p"}},
	}
	mark := func(student string) []string {
		return []string{
			`{"kind":"submitted","submission":"` + student + `","student":"` + student + `","to":"a","time":1}`,
			`{"kind":"judged","submission":"` + student + `","points":60}`,
		}
	}
	all := append(append(append([]string{fmt.Sprintf(assigned, "")}, mark("s")...), mark("u")...), mark("v")...)
	for name, one := range map[string]struct {
		report string
		want   int64 // time of the report in milliseconds; 0 for none
	}{
		"new":             {`{"kind":"asked"}`, 5000},
		"reported":        {`{"kind":"reported","student":"s","to":"a","points":60,"of":100,"line":1,"sent":4500}`, 0},
		"another mark":    {`{"kind":"reported","student":"s","to":"a","points":61,"of":100,"line":1,"sent":4500}`, 5500},
		"another maximum": {`{"kind":"reported","student":"s","to":"a","points":60,"of":10,"line":1,"sent":3000}`, 5000},
		"another line":    {`{"kind":"reported","student":"s","to":"a","points":60,"of":100,"sent":3000}`, 5000},
		"not known":       {`{"kind":"reported","student":"s","to":"a","points":60,"of":100,"line":-1,"sent":3000}`, 5000},
		"of another":      {`{"kind":"reported","student":"v","to":"a","points":60,"of":100,"line":1,"sent":4500}`, 5000},
	} {
		s := fold(t, append(all, one.report)...)
		list := s.Unreported(c, time.UnixMilli(5000))
		got := int64(0)
		if len(list) == 1 && list[0].Student == "s" && list[0].Subject == "a" && list[0].Mark == 60 && s.Follows(list[0]) {
			got = list[0].At.UnixMilli()
		}
		if got != one.want || len(list) > 1 {
			t.Errorf("%s: %+v, want a report at %d", name, list, one.want)
		}
	}
	old := fold(t, all...).Unreported(c, time.UnixMilli(5000))[0]
	if fold(t, append(all, `{"kind":"reported","student":"s","to":"a","sent":1}`)...).Follows(old) {
		t.Error("another report came first, and is not noticed")
	}
}
