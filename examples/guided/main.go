// Guided speaks the part of UGI that a program needs if Quintet sends it the legal moves, so that it
// plays every game without knowing the rules.
//
//	go build -o mine ./examples/guided
//	quintet arena loa --a "ugi[guided]:./mine" --b level:1 --nodes 1000 --games 10
//
// It plays a random move: replace choose by something better.
package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
)

func main() { play(os.Stdin, os.Stdout) }

func play(in io.Reader, out io.Writer) {
	var position string
	chance := rand.New(rand.NewPCG(1, 1))
	for lines := bufio.NewScanner(in); lines.Scan(); {
		command, rest, _ := strings.Cut(lines.Text(), " ")
		switch command {
		case "ugi":
			_, _ = fmt.Fprintln(out, "id name Random\nugiok")
		case "isready":
			_, _ = fmt.Fprintln(out, "readyok")
		case "position": // fen TEXT
			position = strings.TrimPrefix(rest, "fen ")
		case "go": // nodes 1000 searchmoves e3 d3
			_, moves, _ := strings.Cut(rest, "searchmoves ")
			_, _ = fmt.Fprintln(out, "bestmove", choose(chance, position, strings.Fields(moves)))
		case "quit":
			return
		}
	}
}

// choose returns one of the moves. The position is written as docs/rules.md describes.
func choose(chance *rand.Rand, _ string, moves []string) string {
	return moves[chance.IntN(len(moves))]
}
