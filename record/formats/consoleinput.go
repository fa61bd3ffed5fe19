package formats

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/record"
	"quintet/record/ggf"
)

// consoleInput describes the input of the console program of a game.
type consoleInput struct {
	name string

	// begin returns the input before the first move; nil if there is none.
	begin func(r *record.Record) (string, error)

	// move converts a move from library notation to input.
	move func(text string) string

	// is reports whether words may be console input rather than library notation.
	is func(first string, rest []word) bool
}

// consoleInputOf returns the description of a game's console input.
func consoleInputOf(name string) (t consoleInput, ok bool) {
	pair := func(text string) string { return text[:2] + " " + text[2:] }
	cell := func(first string, _ []word) bool { return len(first) == 2 }
	for _, t := range []consoleInput{
		{name: "neighbors", move: pair, is: cell},
		{name: "loa", move: pair, is: cell},
		{
			name: "othello", begin: pitsInput, move: strings.ToUpper,
			is: func(first string, rest []word) bool {
				return isInteger(first) && !slices.ContainsFunc(rest, func(w word) bool { return isNumber(w.text) })
			},
		},
		{
			name: "connect6", move: func(text string) string { return text },
			is: func(first string, rest []word) bool { return len(first) == 1 || hasRefusedInput(first, rest) },
		},
		{
			name: "chess", begin: modeInput,
			move: func(text string) string { // the console numbers rows from the other side
				text = strings.ToUpper(text)
				return fmt.Sprintf("%c%d %c%d", text[0], '9'-text[1], text[2], '9'-text[3])
			},
			is: func(first string, _ []word) bool { return isInteger(first) },
		},
	} {
		if t.name == name {
			return t, true
		}
	}
	return consoleInput{}, false
}

// pitsInput returns the input for the pits: their number and cells.
func pitsInput(r *record.Record) (string, error) {
	pits := r.Setup["pits"]
	if pits == "" {
		return "0\n", nil
	}
	list := strings.Split(strings.ToUpper(pits), ",")
	return fmt.Sprintf("%d\n%s\n", len(list), strings.Join(list, "\n")), nil
}

// modeInput returns the mode for two human players. They cannot pass.
func modeInput(r *record.Record) (string, error) {
	if options := r.Game.FormatSetup(r.Setup); options != "" {
		return "", errors.New("console: the console program lets either side halt the game, and here it is " + options)
	}
	for i, n := range r.Main() {
		if n.Move == game.Pass {
			return "", fmt.Errorf("console: move %d is a pass, and the course's chess has no pass", i+1)
		}
	}
	return "1\n", nil
}

// writeConsole writes the game as input of the console program.
func writeConsole(text []byte, r *record.Record) ([]byte, Omitted, error) {
	if err := r.Check(); err != nil {
		return nil, nil, err
	}
	left, err := movesOnly("console", r)
	if err != nil {
		return nil, nil, err
	}
	t, known := consoleInputOf(r.Game.Name)
	if !known {
		return nil, nil, fmt.Errorf("console: there is no console program of %s", r.Game.Name)
	}
	if t.begin != nil {
		first, err := t.begin(r)
		if err != nil {
			return nil, nil, err
		}
		text = append(text, first...)
	}
	if r.Setup["start"] == ggf.StandardStart {
		return nil, nil, errors.New("console: the console program has the course's start, and here it is the standard one: use quintet, ggf, sgf or transcript")
	}
	p := r.Start.Clone()
	for _, n := range r.Main() {
		if n.Move != game.Pass { // the program passes automatically
			text = append(append(text, t.move(p.Format(n.Move))...), '\n')
		}
		p.Play(n.Move)
	}
	if r.End == record.Halted {
		text = append(text, "Z0 Z0\n"...)
		left = slices.DeleteFunc(left, func(what string) bool { return what == omittedEnd })
	}
	return text, left, nil
}
