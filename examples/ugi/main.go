// Ugi is an engine for any game that speaks UGI and generates its moves with the library.
//
//	go build -o mine ./examples/ugi
//	quintet engine --check "./mine loa" loa
//	quintet arena loa --a "ugi:./mine loa" --b level:1 --games 10
//
// It plays the move that leaves its opponent the fewest moves: replace choose by something better.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"quintet/game"
	"quintet/games"
)

func main() {
	g, err := games.ByName(strings.Join(os.Args[1:], " "))
	if err == nil {
		err = play(g, os.Stdin, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func play(g game.Game, in io.Reader, out io.Writer) error {
	p, err := g.Start(nil)
	infinite := false // whether a search waits for stop
	for lines := bufio.NewScanner(in); err == nil && lines.Scan(); {
		command, rest, _ := strings.Cut(lines.Text(), " ")
		switch {
		case command == "ugi":
			_, err = fmt.Fprintln(out, "id name Fewest\nugiok")
		case command == "isready":
			_, err = fmt.Fprintln(out, "readyok")
		case command == "position": // fen TEXT moves e3 d3, or startpos
			p, err = position(g, rest)
		case command == "query":
			_, err = fmt.Fprintln(out, "response", answer(p, rest))
		case command == "go" && (rest == "" || rest == "infinite"):
			infinite = true
		case command == "go", command == "stop" && infinite:
			infinite = false
			_, err = fmt.Fprintln(out, "bestmove", p.Format(choose(p)))
		case command == "quit":
			return nil
		}
	}
	return err //nolint:wrapcheck // it says what was being read or written
}

func position(g game.Game, text string) (game.Position, error) {
	start, moves, _ := strings.Cut(text, " moves ")
	p, err := g.Start(nil)
	if fen, ok := strings.CutPrefix(start, "fen "); ok {
		p, err = g.Read(fen)
	}
	if err == nil {
		_, err = game.PlayTexts(p, strings.Fields(moves))
	}
	return p, err //nolint:wrapcheck // it says what was being read
}

// answer answers a question about the position.
func answer(p game.Position, question string) any {
	switch question {
	case "p1turn":
		return p.Turn() == game.First
	case "gameover":
		return p.Result().Over()
	}
	return map[game.Result]string{game.Ongoing: "none", game.FirstWins: "p1win", game.SecondWins: "p2win", game.Draw: "draw"}[p.Result()]
}

func choose(p game.Position) (best game.Move) {
	fewest := -1
	for _, m := range p.Moves(nil) {
		next := p.Clone()
		next.Play(m)
		if n := len(next.Moves(nil)); fewest < 0 || n < fewest {
			best, fewest = m, n
		}
	}
	return best
}
