package console

import (
	"fmt"
	"math/big"
	"strings"
)

const spaces = " \t\n\v\f\r"

// readPlain does what readAll does by cutting strings.
func readPlain(in, ops string) string {
	var shown []string
	ended := false
	for _, op := range ops {
		var word string
		if !ended {
			word, in = plainOne(in, op)
		} else {
			word = "end"
		}
		ended = ended || word == "end"
		switch {
		case op == 'd':
			ended = ended || !strings.HasSuffix(word, "\n")
			word = "-"
		case !strings.ContainsRune("tcip", op):
			word = "<nil>"
		}
		shown = append(shown, word)
	}
	return strings.Join(shown, " ") + fmt.Sprintf(" | %q", in)
}

func plainOne(in string, op rune) (word, rest string) {
	switch op {
	case 'd':
		i := strings.IndexByte(in, '\n')
		if i < 0 {
			return in, ""
		}
		return in[:i+1], in[i+1:]
	case 't', 'c', 'i', 'p':
		in = strings.TrimLeft(in, spaces)
		if in == "" {
			return "end", ""
		}
	}
	switch op {
	case 't':
		if i := strings.IndexAny(in, spaces); i >= 0 {
			return in[:min(i, maxToken)], in[i:]
		}
		return in[:min(len(in), maxToken)], ""
	case 'c':
		return string(rune(in[0])), in[1:]
	case 'i':
		return plainInteger(in)
	case 'p':
		n, rest := plainOne(in[1:], 'i')
		if n == "end" || n == "fail" {
			return n, rest
		}
		return fmt.Sprintf("%c%s", in[0], n), rest
	}
	return "", in
}

func plainInteger(in string) (word, rest string) {
	rest = in
	if in[0] == '+' || in[0] == '-' {
		rest = in[1:]
	}
	after := strings.TrimLeft(rest, "0123456789")
	number, ok := new(big.Int).SetString(in[:len(in)-len(after)], 10)
	if ok && number.IsInt64() && number.Int64() == int64(int32(number.Int64())) {
		return number.String(), after
	}
	if after == "" {
		return "end", ""
	}
	return "fail", after
}
