package formats

import (
	"errors"
	"fmt"
	"strings"

	"quintet/record"
)

// sgfNode is a node of the Smart Game Format, FF[4]: properties and child nodes.
type sgfNode struct {
	at    int
	props []sgfProp
	next  []*sgfNode
}

// sgfProp is a property: a name and its raw values.
type sgfProp struct {
	at     int
	name   string
	values []string
}

// get returns the first value of a property.
func (n *sgfNode) get(name string) (value string, ok bool) {
	for _, p := range n.props {
		if p.name == name {
			return p.values[0], true
		}
	}
	return "", false
}

// sgfReader parses SGF.
type sgfReader struct {
	text string
	at   int
}

func (s *sgfReader) errorAt(format string, args ...any) error {
	return record.At(s.text, s.at, fmt.Errorf(format, args...))
}

// skipSpace skips blanks and returns the next byte; 0 at the end.
func (s *sgfReader) skipSpace() byte {
	s.at += len(s.text[s.at:]) - len(strings.TrimLeft(s.text[s.at:], blanks))
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// tree parses one game: parentheses enclose variations.
func (s *sgfReader) tree() (*sgfNode, error) {
	if s.skipSpace() != '(' {
		return nil, s.errorAt("%.10q: expected a game that begins with (;", s.text[s.at:])
	}
	s.at++
	top := &sgfNode{at: s.at}
	branches, at := []*sgfNode{top}, top
	for len(branches) > 0 {
		switch c := s.skipSpace(); c {
		case '(':
			s.at++
			branches = append(branches, at)
		case ')':
			s.at++
			at = branches[len(branches)-1]
			branches = branches[:len(branches)-1]
		case ';':
			n := &sgfNode{at: s.at}
			s.at++
			if err := s.node(n); err != nil {
				return nil, err
			}
			at.next = append(at.next, n)
			at = n
		case 0:
			return nil, s.errorAt("a game that does not end: expected ) after it")
		default:
			return nil, s.errorAt("%q: expected ; before a node, ( before a variation or ) after it", s.text[s.at:s.at+1])
		}
	}
	if len(top.next) != 1 {
		return nil, record.At(s.text, top.at, errors.New("a game without a first node: expected (; and properties"))
	}
	return top.next[0], nil
}

// node parses the properties of a node.
func (s *sgfReader) node(n *sgfNode) error {
	for {
		if c := s.skipSpace() | 0x20; c < 'a' || c > 'z' {
			return nil
		}
		p := sgfProp{at: s.at}
		var name []byte
		for s.at < len(s.text) && (s.text[s.at]|0x20 >= 'a' && s.text[s.at]|0x20 <= 'z' || s.text[s.at] >= '0' && s.text[s.at] <= '9') {
			if c := s.text[s.at]; c < 'a' { // skip lower case: old files have names such as "Comment" for C
				name = append(name, c)
			}
			s.at++
		}
		p.name = string(name)
		for s.skipSpace() == '[' {
			value, err := s.value()
			if err != nil {
				return err
			}
			p.values = append(p.values, value)
		}
		if len(p.values) == 0 || p.name == "" {
			return s.errorAt("a property without a value: expected a name in capitals and [value]")
		}
		n.props = append(n.props, p)
	}
}

// value parses [value]; \] does not end it.
func (s *sgfReader) value() (string, error) {
	for i := s.at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case ']':
			value := s.text[s.at+1 : i]
			s.at = i + 1
			return value, nil
		}
	}
	return "", s.errorAt("a value that does not end: expected ] after it")
}

// sgfText unescapes a value.
func sgfText(value string) string {
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) {
			if i++; value[i] == '\n' {
				continue // an escaped line break
			}
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

// sgfValue escapes a text.
func sgfValue(text string) string {
	if !strings.ContainsAny(text, `\]:`) { // a replacer is dear, and moves need none
		return text
	}
	return strings.NewReplacer(`\`, `\\`, "]", `\]`, ":", `\:`).Replace(text)
}
