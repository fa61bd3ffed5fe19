package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commands are what programs say of a move in its comment, as PGN does:
// [%clk 0:05:00.000] is what the clock shows, [%emt 0:00:01.500] what the move
// took, [%eval 12,18] what an engine thought.

// blanks are what is trimmed off comments.
const blanks = " \t\n\v\f\r"

// escape writes the text of a comment such that unescape reads it, whatever it
// is: a \ before a character means that character, \r a carriage return.
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

// commandTexts returns what is to be said in commands.
func (n *Node) commandTexts(eval func(Eval) string) (list []string) {
	if n.Clock != nil {
		list = append(list, "[%clk "+ClockText(*n.Clock)+"]")
	}
	if n.Spent != nil {
		list = append(list, "[%emt "+ClockText(*n.Spent)+"]")
	}
	if n.Eval != nil {
		list = append(list, eval(*n.Eval))
	}
	return list
}

// ClockText writes a duration as hours, minutes, seconds and milliseconds:
// "0:04:59.250". Parts of a millisecond are rounded.
func ClockText(d time.Duration) string {
	sign := ""
	if d = d.Round(time.Millisecond); d < 0 {
		sign, d = "-", -d
	}
	return fmt.Sprintf("%s%d:%02d:%02d.%03d", sign, d/time.Hour, d/time.Minute%60, d/time.Second%60, d/time.Millisecond%1000)
}

// maxHours keeps a duration from overflowing.
const maxHours = 1_000_000

// ParseClock reads hours, minutes and seconds, of which the first ones may be
// missing and the last have decimals: "0:05:00", "5:00", "59.9".
func ParseClock(text string) (time.Duration, error) {
	fail := func() (time.Duration, error) {
		return 0, fmt.Errorf("time %q: want hours, minutes and seconds, such as 0:04:59.250", text)
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

// evalText writes an evaluation as a command.
func evalText(e Eval) string { return "[%eval " + e.String() + "]" }

// String writes an evaluation: "12,18" is a score and the depth, "#-3,18" a
// proved win and the depth, which may be missing.
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

// ParseEval reads what Eval.String wrote.
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
		return nil, fmt.Errorf("evaluation %q: want a whole number or # and plies until the end, then perhaps a comma and the depth", text)
	}
	return e, nil
}

// parseComment takes over a comment of the text form.
func (n *Node) parseComment(text string, eval func(string) (*Eval, error), escaped bool) error {
	text = strings.TrimLeft(text, blanks)
	for strings.HasPrefix(text, "[%") {
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return errors.New("a command in a comment that does not end: want ] after it")
		}
		known, err := n.parseCommand(text[2:end], eval)
		if err != nil {
			return err
		}
		if !known {
			break
		}
		text = strings.TrimLeft(text[end+1:], blanks)
	}
	n.appendComment(unescape(text, escaped))
	return nil
}

// appendComment adds to the comment.
func (n *Node) appendComment(text string) {
	if n.Comment != "" && text != "" {
		n.Comment += "\n"
	}
	n.Comment += text
}

// parseCommand carries out what stands between [% and ].
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
	case "plies": // where [%eval #3] of PGN does not say who makes the last move
		plies, err := strconv.Atoi(value)
		if err != nil || plies == 0 || n.Eval == nil || n.Eval.Win == 0 {
			return true, fmt.Errorf("[%%plies %s]: want a whole number after [%%eval #...]", value)
		}
		n.Eval.Win = plies
		return true, nil
	}
	return false, nil
}

// unescape returns the text of a comment without the blanks around it.
func unescape(text string, escaped bool) string {
	if !escaped {
		return strings.TrimSpace(text)
	}
	var b strings.Builder
	text = strings.TrimLeft(text, blanks)
	kept := 0 // how much of the text stays whatever blanks come after it
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
