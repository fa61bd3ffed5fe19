package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commands are annotations by programs inside the comment of a move, as in PGN: [%clk
// 0:05:00.000] is the clock after the move, [%emt 0:00:01.500] the time of the move,
// [%eval 12,18] the evaluation of an engine.

// blanks are trimmed off comments.
const blanks = " \t\n\v\f\r"

// escape escapes the text of a comment: a \ before a character means that character,
// \r a carriage return. unescape reverses it for every text.
func escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		edge := i == 0 || i == len(text)-1
		switch {
		case c == '\r':
			b.WriteString(`\r`)
			continue
		case strings.IndexByte(`\{}`, c) >= 0, c == '[' && strings.HasPrefix(text[i+1:], "%"), edge && strings.IndexByte(blanks, c) >= 0:
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// commandTexts returns the clock, time and evaluation of the node as commands.
func (n *Node) commandTexts(eval func(Eval) string) (list []string) {
	if n.Clock != nil {
		list = append(list, "[%clk "+clockText(*n.Clock)+"]")
	}
	if n.Spent != nil {
		list = append(list, "[%emt "+clockText(*n.Spent)+"]")
	}
	if n.Eval != nil {
		list = append(list, eval(*n.Eval))
	}
	return list
}

// clockText formats a duration as hours, minutes, seconds and milliseconds, rounded:
// "0:04:59.250".
func clockText(d time.Duration) string {
	sign := ""
	if d = d.Round(time.Millisecond); d < 0 {
		sign, d = "-", -d
	}
	return fmt.Sprintf("%s%d:%02d:%02d.%03d", sign, d/time.Hour, d/time.Minute%60, d/time.Second%60, d/time.Millisecond%1000)
}

// maxHours prevents an overflow of time.Duration.
const maxHours = 1_000_000

// ParseClock parses hours, minutes and seconds. Hours and minutes are optional;
// seconds may have decimals: "0:05:00", "5:00", "59.9".
func ParseClock(text string) (time.Duration, error) {
	fail := func() (time.Duration, error) {
		return 0, fmt.Errorf("time %q: expected hours, minutes and seconds, such as 0:04:59.250", text)
	}
	rest, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(rest, ".")
	parts := strings.Split(whole, ":")
	if len(parts) > 3 {
		return fail()
	}
	seconds := 0
	for _, part := range parts {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || n > maxHours*3600 || seconds > maxHours*60 {
			return fail()
		}
		seconds = seconds*60 + int(n)
	}
	d := time.Duration(seconds) * time.Second
	if fraction != "" {
		f, err := strconv.ParseUint((fraction + "00000000")[:9], 10, 32)
		if err != nil || len(fraction) > 9 {
			return fail()
		}
		d += time.Duration(f)
	}
	if negative {
		d = -d
	}
	return d, nil
}

// evalText formats an evaluation as a command.
func evalText(e Eval) string { return "[%eval " + e.String() + "]" }

// String formats an evaluation: "12,18" is a score and the depth, "#-3,18" a proved
// win and the depth. The depth is optional.
func (e Eval) String() string {
	score := strconv.Itoa(e.Score)
	if e.Win != 0 {
		score = "#" + strconv.Itoa(e.Win)
	}
	if e.Depth != 0 {
		score += "," + strconv.Itoa(e.Depth)
	}
	return score
}

// ParseEval parses the output of Eval.String.
func ParseEval(text string) (*Eval, error) {
	score, depth, hasDepth := strings.Cut(text, ",")
	win, isWin := strings.CutPrefix(score, "#")
	n, err := strconv.Atoi(win)
	e := &Eval{Score: n}
	if isWin {
		e = &Eval{Win: n}
	}
	if hasDepth && err == nil {
		e.Depth, err = strconv.Atoi(depth)
	}
	if err != nil || isWin && n == 0 {
		return nil, fmt.Errorf("evaluation %q: expected a whole number or # and plies until the end, then perhaps a comma and the depth", text)
	}
	return e, nil
}

// parseComment parses the commands of a comment into the node and returns the rest of the
// comment.
func (n *Node) parseComment(text string, eval func(string) (*Eval, error), escaped bool) (string, error) {
	text = strings.TrimLeft(text, blanks)
	for strings.HasPrefix(text, "[%") {
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return "", errors.New("an unterminated command in a comment: expected ] after it")
		}
		known, err := n.parseCommand(text[2:end], eval)
		if err != nil {
			return "", err
		}
		if !known {
			break
		}
		text = strings.TrimLeft(text[end+1:], blanks)
	}
	return unescape(text, escaped), nil
}

// Comments are the comments of nodes while a text is read. A text can have many on one node:
// appending each to Node.Comment would copy those before it.
type Comments map[*Node][]string

// Add adds a comment to a node. The first is not empty.
func (c Comments) Add(n *Node, text string) {
	if text != "" || len(c[n]) > 0 {
		c[n] = append(c[n], text)
	}
}

// move moves the comments of a node to the end of another's.
func (c Comments) move(to, from *Node) {
	if list := c[from]; len(list) > 0 {
		c[to] = append(c[to], list...)
		delete(c, from)
	}
}

// Set sets the comments of the nodes, one on a line.
func (c Comments) Set() {
	for n, list := range c {
		n.Comment = strings.Join(list, "\n")
	}
}

// parseCommand parses the text between [% and ] into the node. known is false for
// other commands.
func (n *Node) parseCommand(text string, eval func(string) (*Eval, error)) (known bool, err error) {
	name, value, _ := strings.Cut(text, " ")
	value = strings.TrimSpace(value)
	switch name {
	case "clk", "emt":
		d, err := ParseClock(value)
		if err != nil {
			return true, err
		}
		if name == "clk" {
			n.Clock = &d
		} else {
			n.Spent = &d
		}
		return true, nil
	case "eval":
		n.Eval, err = eval(value)
		return true, err
	case "plies": // because [%eval #3] of PGN does not say which side makes the last move
		plies, err := strconv.Atoi(value)
		if err != nil || plies == 0 || n.Eval == nil || n.Eval.Win == 0 {
			return true, fmt.Errorf("[%%plies %s]: expected a whole number after [%%eval #...]", value)
		}
		n.Eval.Win = plies
		return true, nil
	}
	return false, nil
}

// unescape returns the text of a comment, trimmed and without escapes.
func unescape(text string, escaped bool) string {
	if !escaped {
		return strings.TrimSpace(text)
	}
	var b strings.Builder
	text = strings.TrimLeft(text, blanks)
	kept := 0 // length of the text without trailing blanks
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			if c = text[i]; c == 'r' {
				c = '\r'
			}
			b.WriteByte(c)
			kept = b.Len()
			continue
		}
		b.WriteByte(c)
		if strings.IndexByte(blanks, c) < 0 {
			kept = b.Len()
		}
	}
	return b.String()[:kept]
}
