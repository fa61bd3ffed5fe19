package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quintet/internal/escape"
	"quintet/judge/dialogue"
	"quintet/judge/run"
)

// rule describes what a program does wrong: "accepts a move that ...".
func (f finding) rule() string {
	var says []string
	for _, m := range f.Mutants {
		says = append(says, m.Description)
	}
	if len(says) > 0 {
		return strings.Join(says, ", and ")
	}
	switch f.Kind {
	case Crashed:
		return "crashes with " + f.out.Signal
	case Whitespace:
		return f.space()
	case WrongRule:
		return f.ruling()
	}
	if f.Kind == DoesNotStop && f.out.Ending == run.OutputExceeded {
		return "does not stop printing"
	}
	return cmp.Or(rules[f.Kind], f.wording())
}

// rules has what a program does wrong, for verdicts that say it all.
var rules = map[string]string{
	DoesNotStop:     "does not stop",
	TooSlow:         "takes too long",
	WaitsForInput:   "waits for input that never comes",
	StopsEarly:      "ends before the game does",
	PrintsTooMuch:   "prints too much",
	CannotBeStarted: "cannot be started",
}

// Names of mistakes, in verdicts and beside points.
const (
	endsEarly    = "ends the game too early"
	passesMover  = "skips a player who has a move"
	passesNobody = "does not pass a player without moves"
)

// place locates the first difference.
type place struct {
	turn   dialogue.Turn
	typed  string // the turn's input line, and earlier lines if its first answer began there
	start  int    // offset of the turn's output
	piece  dialogue.Piece
	actual string // output from the beginning of the turn
	rest   string // output from the difference
}

func (f finding) place() place {
	i, k := f.want.At(f.diff.at)
	p := place{turn: f.want.Turns[i], start: f.want.Start(i), typed: f.want.Turns[i].Typed}
	for n := i - 1; n > 0 && f.want.Turns[n].Answers == 0; n-- {
		p.typed = f.want.Turns[n].Typed + " " + p.typed
	}
	if k < len(p.turn.Pieces) {
		p.piece = p.turn.Pieces[k]
	}
	p.actual = f.out.Output[min(p.start, len(f.out.Output)):]
	p.rest = f.out.Output[min(f.diff.at, len(f.out.Output)):]
	return p
}

// ruling names the broken rule if the program prints a known text at the wrong time;
// otherwise it returns "".
func (f finding) ruling() string {
	p := f.place()
	if f.diff.kind == machineMove {
		if strings.HasPrefix(p.rest, "Round") {
			return "does not print the machine's move"
		}
		return "plays or prints a machine's move that is not legal"
	}
	refusal, refuses := first(p.turn, dialogue.Refusal)
	prompts := f.prompted(p.rest)
	_, got, _ := f.differing()
	at := f.diff.at - p.start
	why := strings.Join(p.turn.Why, ", ")
	switch {
	case at == 0 && refuses && len(p.turn.Pieces) > 1 && p.turn.Pieces[1].Kind == dialogue.PromptText && strings.HasPrefix(p.actual, p.turn.Pieces[1].Text):
		return "asks again without the message " + escape.Space(refusal)
	case at == 0 && refuses && len(p.turn.Pieces) > 0 && p.turn.Pieces[0].Kind == dialogue.Refusal && !similar(refusal, p.actual):
		return "accepts a move that " + why
	case at == 0 && !refuses && p.turn.Typed != "" && similar(dialogue.Refusals()[0], p.actual):
		return f.blame("", "refuses the valid move "+p.typed, dialogue.Refusing)
	case p.turn.Typed == "Z0 Z0" && p.piece.Kind == dialogue.ResultText && f.otherResult() != "":
		return fmt.Sprintf("compares wrong scores when the game is stopped: %s instead of %s", f.otherResult(), strings.TrimSpace(p.piece.Text))
	case p.piece.Kind == dialogue.ResultText && f.otherResult() != "":
		return f.blame("result", fmt.Sprintf("announces the wrong result: %s instead of %s", f.otherResult(), strings.TrimSpace(p.piece.Text)), dialogue.Ending)
	case p.piece.Kind == dialogue.PromptText && startsWith(got, f.want.Results):
		return f.blame("result", fmt.Sprintf("%s: %s", endsEarly, strings.TrimSpace(got)), "")
	case p.piece.Kind == dialogue.PromptText && refuses && f.otherTurn(p):
		return "takes the turn away after an invalid answer"
	case p.piece.Kind == dialogue.PromptText && startsWith(strings.TrimPrefix(p.rest, f.passer(p.rest)), dialogue.Passes()):
		return f.blame("passes", passesMover, dialogue.Skipping)
	case p.piece.Kind == dialogue.PassText && prompts:
		return f.blame("passes", passesNobody, "")
	case p.piece.Kind == dialogue.ResultText && (prompts || strings.HasPrefix(p.rest, "Round")):
		return f.blame("result", "does not end the game after a move that "+why, dialogue.Ending)
	case p.piece.Kind == dialogue.BoardText && f.diff.kind == differs && !onlySpace(line(f.want.Output(), f.diff.at), line(f.out.Output, f.diff.at)) && sameForm(f.want.Output(), f.out.Output, f.diff.at):
		return f.blame("board", "shows another board than it should after "+typed(p.turn), dialogue.Showing)
	}
	return ""
}

// blame returns the mistake that explains all wrong checks of a feature. Without one it adds to what the program does
// wrong in this game what it always does wrong, or for which moves only.
func (f finding) blame(feature, says, decision string) string {
	if known, ok := f.seen.blamed[feature]; ok && known.Name != "" {
		return known.Description
	}
	if f.seen.Examiner != nil {
		if more := f.seen.Common(decision); more != "" {
			return says + ": " + more
		}
	}
	return says
}

// otherResult returns the wrong result that the program prints, or "" if it prints none.
func (f finding) otherResult() string {
	_, got, _ := f.differing()
	for _, r := range f.want.Results {
		if got == r && f.diff.kind == differs {
			return strings.TrimSpace(got)
		}
	}
	return ""
}

// otherTurn reports whether the program continues with the other player when it should ask
// again.
func (f finding) otherTurn(p place) bool {
	_, got, _ := f.differing()
	return strings.HasPrefix(p.rest, "Round ") || f.prompted(got) && !strings.HasPrefix(got, p.piece.Text) && !similarPrompt(got, p.piece.Text)
}

// similarPrompt reports whether a text begins like a prompt, apart from the player's name.
func similarPrompt(got, prompt string) bool {
	name, _, _ := strings.Cut(prompt, "'s ")
	return strings.HasPrefix(got, name+"'s ")
}

func typed(t dialogue.Turn) string {
	if strings.Trim(t.Typed, "0123456789") == "" { // nothing, or the mode or number of pits
		return "the start"
	}
	return "the answer " + t.Typed
}

func first(t dialogue.Turn, k dialogue.Kind) (text string, ok bool) {
	for _, p := range t.Pieces {
		if p.Kind == k {
			return p.Text, true
		}
	}
	return "", false
}

// passer returns the player's name in a pass message.
func (f finding) passer(text string) string {
	name, _, _ := strings.Cut(text, " has ")
	return name + " "
}

// startsWith reports whether a text begins with any of some prefixes.
func startsWith(text string, some []string) bool {
	return slices.ContainsFunc(some, func(s string) bool { return strings.HasPrefix(text, s) })
}

// prompted reports whether a text begins with a prompt for either player.
func (f finding) prompted(text string) bool {
	_, form, ok := strings.Cut(f.lastPrompt(), "'s ")
	return ok && strings.Contains(text[:min(len(text), len(form)+12)], "'s "+form)
}

// lastPrompt returns the last prompt of the conversation.
func (f finding) lastPrompt() (text string) {
	for _, t := range f.want.Turns {
		if s, ok := first(t, dialogue.PromptText); ok {
			text = s
		}
	}
	return text
}

// similar reports whether a text begins like another, apart from a few letters.
func similar(want, got string) bool {
	want, got = strings.ToLower(squeeze(want)), strings.ToLower(squeeze(got))
	n := min(len(want), 5)
	return n > 0 && len(got) >= n && (want[:n] == got[:n] || strings.Contains(got[:min(len(got), len(want)+8)], want[:n]))
}

// sameForm reports whether two lines of boards differ only in cells.
func sameForm(want, got string, at int) bool {
	a, b := line(want, at), line(got, at)
	if len(a) != len(b) {
		return false
	}
	differ := 0
	for i := range len(a) {
		if (a[i] == ' ') != (b[i] == ' ') && !strings.Contains(a, "|") {
			return false
		}
		if a[i] != b[i] {
			differ++
		}
	}
	return differ <= 8
}

// differing returns the expected and the actual line with the first difference. An answer ends
// a line, because its Enter key does.
func (f finding) differing() (want, got string, column int) {
	from := max(f.place().start, strings.LastIndexByte(f.want.Output()[:min(f.diff.at, len(f.want.Output()))], '\n')+1)
	return cut(f.want.Output(), from, f.diff.at), cut(f.printed(), from, f.diff.at), f.diff.at - from
}

// cut returns a text from an offset to the end of the line at another.
func cut(text string, from, at int) string {
	from, at = min(from, len(text)), min(at, len(text))
	if to := strings.IndexByte(text[at:], '\n'); to >= 0 {
		return text[from : at+to+1]
	}
	return text[from:]
}

// line returns the line of a text at an offset.
func line(text string, at int) string {
	return cut(text, strings.LastIndexByte(text[:min(at, len(text))], '\n')+1, at)
}

// wording describes which text is wrong.
func (f finding) wording() string {
	p := f.place()
	kind := "output"
	if p.piece.Kind != "" {
		kind = string(p.piece.Kind)
	}
	want, got, _ := f.differing()
	switch {
	case f.diff.kind == printsOn || p.rest == "":
		return "prints a wrong " + kind
	case p.piece.Kind != dialogue.BoardText && header(p.rest):
		return fmt.Sprintf("prints the board where the %s %s should be", kind, escape.Space(clip(want)))
	case strings.EqualFold(want, got):
		return fmt.Sprintf("prints the %s in the wrong letter case: %s instead of %s", kind, escape.Space(got), escape.Space(want))
	}
	return fmt.Sprintf("prints a wrong %s: %s instead of %s", kind, escape.Space(clip(got)), escape.Space(clip(want)))
}

// header reports whether a text begins with the letters above a board.
func header(text string) bool {
	first := strings.ToLower(squeeze(line(text, 0)))
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return len(first) > 2 && first == letters[:min(len(first), len(letters))]
}

func clip(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// message describes a mistake in full.
func (f finding) message(rule string) string {
	var w strings.Builder
	if f.Kind == CannotBeStarted {
		return fmt.Sprintf("The program cannot be started: %v", f.out.Err)
	}
	fmt.Fprintf(&w, "The program %s.", rule)
	p := f.place()
	if why := strings.Join(p.turn.Why, ", "); why != "" && len(f.Mutants) > 0 && p.turn.Typed != "" {
		fmt.Fprintf(&w, " The answer %q %s.", p.turn.Typed, why)
	}
	switch f.diff.kind {
	case same:
	case printsOn:
		fmt.Fprintf(&w, " After the expected output it prints %s", escape.Space(clip(p.rest)))
	case waitsAtEnd:
		w.WriteString(" Its output is right, but it does not end after the game.")
	case runsOn:
		w.WriteString(" Its output is right, but it keeps running after the game.")
	case crashesAtEnd:
		w.WriteString(" Its output is right, but it crashes at the end.")
	case waitsShort, stopsShort, runsShort, crashes:
		if f.out.Output == "" {
			w.WriteString(" It has printed nothing yet,")
		} else {
			fmt.Fprintf(&w, " Its last line is %s", escape.Space(lastLine(f.out.Output)))
		}
		if next := f.want.Output()[min(f.diff.at, len(f.want.Output())):]; next != "" {
			fmt.Fprintf(&w, " and the next line should be %s", escape.Space(clip(line(next, 0))))
		}
	default:
		want, got, _ := f.differing()
		fmt.Fprintf(&w, " It should print %s but prints %s", escape.Space(clip(want)), escape.Space(clip(got)))
	}
	if len(f.Mutants) == 0 && f.atWill() {
		w.WriteString(" White space may appear anywhere in the input: an answer may continue on the next line, and several answers may share a line.")
	}
	if errs := strings.TrimSpace(f.out.Errors); errs != "" && (f.Kind == Crashed || f.Kind == StopsEarly) {
		fmt.Fprintf(&w, " (standard error: %s)", escape.Controls(lastLine(errs)))
	}
	return w.String()
}

// atWill reports whether the answers up to the difference are not one per line.
func (f finding) atWill() bool {
	turn, _ := f.want.At(f.diff.at)
	for i, t := range f.want.Turns[:turn+1] {
		if i > 0 && t.Answers != 1 {
			return true
		}
	}
	return false
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return clip(lines[len(lines)-1])
}
