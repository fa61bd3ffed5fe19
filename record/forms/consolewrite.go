package forms

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/record"
)

// writeConsole writes what a person would have typed into the console program.
func writeConsole(text []byte, r *record.Record) ([]byte, Left, error) {
	if err := r.Check(); err != nil {
		return nil, nil, err
	}
	left, err := bare("console", r)
	if err != nil {
		return nil, nil, err
	}
	switch r.Game.Name {
	case "othello":
		text = appendPits(text, r.Setup["pits"])
	case "chess":
		if r.Game.FormatSetup(r.Setup) != "" {
			return nil, nil, errors.New("console: either side may halt the game there, and here it is " + r.Game.FormatSetup(r.Setup))
		}
		text = append(text, "1\n"...)
	}
	p := r.Start.Clone()
	for i, n := range r.Main() {
		if n.Move == game.Pass && r.Game.Name == "chess" {
			return nil, nil, fmt.Errorf("console: move %d is a pass, and nobody can pass in the course's chess", i+1)
		}
		if n.Move != game.Pass { // the others pass by themselves
			text = append(append(text, answer(r.Game.Name, p.Format(n.Move))...), '\n')
		}
		p.Play(n.Move)
	}
	if r.End == record.Halted {
		text = append(text, "Z0 Z0\n"...)
		left = slices.DeleteFunc(left, func(what string) bool { return what == leftEnd })
	}
	return text, left, nil
}

// appendPits appends the number of pits and their cells.
func appendPits(text []byte, pits string) []byte {
	var list []string
	if pits != "" {
		list = strings.Split(strings.ToUpper(pits), ",")
	}
	text = fmt.Appendf(text, "%d\n", len(list))
	for _, pit := range list {
		text = append(append(text, pit...), '\n')
	}
	return text
}

// answer writes a move in library notation as it is typed.
func answer(name, move string) string {
	switch name {
	case "neighbors", "loa":
		return move[:2] + " " + move[2:]
	case "chess": // the rows are numbered from the other side
		move = strings.ToUpper(move)
		return fmt.Sprintf("%c%d %c%d", move[0], '9'-move[1], move[2], '9'-move[3])
	case "othello":
		return strings.ToUpper(move)
	}
	return move
}
