package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"quintet/arena/players"
	"quintet/bots/othello/book"
	"quintet/game"
)

// bookText describes a move of the book, such as "c4 +34, depth 22: c4 e3 f6".
func bookText(p game.Position, m book.Move) string {
	line := game.FormatMoves(p, m.Line)
	return fmt.Sprintf("%s %+d, depth %d: %s", line[0], m.Score, m.Depth, strings.Join(line, " "))
}

// embeddedBook is the value of the flag --book without a file.
const embeddedBook = "embedded"

// addBook adds the flag --book, with or without a file.
func addBook(flags *pflag.FlagSet, name *string) {
	flags.StringVar(name, "book", "", "use an opening book: that of the program, or of `FILE` with --book=FILE (othello)")
	flags.Lookup("book").NoOptDefVal = embeddedBook
}

// findBook returns the book of the flag --book, or that of the program if it is not given.
func findBook(g game.Game, name string) (*book.Book, error) {
	if name == embeddedBook {
		name = ""
	}
	b, err := players.Book(g, name)
	if err != nil {
		return nil, fmt.Errorf("--book: %w", err)
	}
	return b, nil
}
