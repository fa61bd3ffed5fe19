package twin

import (
	"fmt"
	"strings"
)

// The exit statuses of the console programs.
const (
	exitDone    = 0
	exitEnd     = 1  // the input ended before the game
	exitRefused = 2  // no such game or size
	exitUnknown = -1 // a machine plays, which is not modelled here
)

// Console runs the console program of the specification on the whole input,
// and returns all that it prints on standard output and its exit status. Chess
// is modelled for two humans only; for any other mode the output stops after
// the mode prompt and exit is -1.
func Console(name string, size int, in string) (out string, exit int) {
	_, size, err := find(name, size)
	if err != nil {
		return "", exitRefused
	}
	c := &console{in: reader{text: in}}
	switch name {
	case "neighbors":
		exit = c.playNeighbors()
	case "othello":
		exit = c.playOthello(size)
	case "loa":
		exit = c.playLOA()
	case "connect6":
		exit = c.playConnect6(size)
	case "chess":
		exit = c.playChess()
	default:
		exit = exitRefused // it has no console program
	}
	return c.out.String(), exit
}

// console is the input and the output of one program.
type console struct {
	in  reader
	out strings.Builder
}

func (c *console) print(format string, values ...any) {
	fmt.Fprintf(&c.out, format, values...)
}

// printLettered prints the board of neighbors and loa.
func (c *console) printLettered(board cells) {
	c.print("  a b c d e f g h\n")
	for y, row := range board {
		c.print("%d", y)
		for _, b := range row {
			c.print(" %c", b)
		}
		c.print("\n")
	}
}

// column is the column that a letter of either case names, section 3.6 of the
// specification; other bytes become columns off the board.
func column(letter byte) int {
	if letter < 'a' {
		return int(letter) - 'A'
	}
	return int(letter) - 'a'
}
