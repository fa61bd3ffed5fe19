package twin

import "testing"

func TestInteger(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		how  outcome
		rest string
	}{
		{"5", 5, got, ""},
		{" \t\r\n\v\f05x", 5, got, "x"},
		{"1.5", 1, got, ".5"},
		{"+7 ", 7, got, " "},
		{"-0\n", 0, got, "\n"},
		{"2147483647 ", 2147483647, got, " "},
		{"-2147483648 ", -2147483648, got, " "},
		{"00000000000000000001 ", 1, got, " "},
		{"2147483648 x", 0, failed, " x"},
		{"-99999999999999999999x", 0, failed, "x"},
		{"x5", 0, failed, "x5"},
		{"-x", 0, failed, "x"},
		{"+-5", 0, failed, "-5"},
		{"- 5", 0, failed, " 5"},
		{"2147483648", 0, ended, ""},
		{"-", 0, ended, ""},
		{"", 0, ended, ""},
		{" \n", 0, ended, ""},
	} {
		r := reader{text: c.in}
		n, how := r.integer()
		if n != c.n || how != c.how || r.text[r.next:] != c.rest {
			t.Errorf("%q: %d, outcome %d, rest %q; want %d, %d, %q",
				c.in, n, how, r.text[r.next:], c.n, c.how, c.rest)
		}
	}
}

func TestDiscardLine(t *testing.T) {
	r := reader{text: "abc\n\nx"}
	for _, want := range []string{"\nx", "x", "", ""} {
		r.discardLine()
		if rest := r.text[r.next:]; rest != want {
			t.Errorf("rest %q, want %q", rest, want)
		}
	}
}
