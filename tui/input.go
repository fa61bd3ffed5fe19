package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"quintet/tui/look"
)

// input is a line of text that is being typed.
type input struct {
	text []rune
	at   int // where the next character goes
}

func newInput(text string) input { return input{[]rune(text), len([]rune(text))} }

// String returns the text.
func (in *input) String() string { return string(in.text) }

// insert puts text where the cursor is; what is no character is left out.
func (in *input) insert(text string) {
	for _, r := range text {
		if !unicode.IsPrint(r) {
			continue
		}
		in.text = append(in.text[:in.at], append([]rune{r}, in.text[in.at:]...)...)
		in.at++
	}
}

// update hears of keys and of text that is pasted.
func (in *input) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		in.insert(strings.Join(strings.Fields(msg.Content), " "))
	case tea.KeyPressMsg:
		in.key(msg)
	}
}

func (in *input) key(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "left":
		in.at = max(in.at-1, 0)
	case "right":
		in.at = min(in.at+1, len(in.text))
	case "home", "ctrl+a":
		in.at = 0
	case "end", "ctrl+e":
		in.at = len(in.text)
	case "backspace":
		if in.at > 0 {
			in.text = append(in.text[:in.at-1], in.text[in.at:]...)
			in.at--
		}
	case "delete":
		if in.at < len(in.text) {
			in.text = append(in.text[:in.at], in.text[in.at+1:]...)
		}
	case "ctrl+u":
		in.text, in.at = nil, 0
	default:
		in.insert(msg.Text)
	}
}

// view draws the text with its cursor, in so many columns.
func (in *input) view(l look.Look, width int) string {
	from := max(in.at-width+2, 0)
	text := append(append([]rune{}, in.text[from:]...), ' ')
	at := in.at - from
	after := text[at+1:]
	after = after[:min(len(after), max(width-at-1, 0))]
	return l.Paint(look.Plain, string(text[:at])) + l.Paint(look.Cursor, string(text[at])) + l.Paint(look.Plain, string(after))
}
