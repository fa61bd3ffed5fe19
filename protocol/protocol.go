// Package protocol speaks UGI, the Universal Game Interface, and UCI, its older
// sibling for chess, with other programs: [Serve] offers a search to them, a
// [Client] is a player that is another program, and [Clauses] are what a program
// promises that speaks one of the two. Package reversi has the same for the
// protocols of Othello programs, package program runs the programs, and package
// check tries the clauses.
//
// UGI is described at github.com/kz04px/cutegames (ugi.md); it is UCI with
// names that fit any game, and queries. Positions are texts of game.Position,
// moves are in the game's notation; in UCI a pass is 0000.
package protocol

import (
	"fmt"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Dialect is one of the protocols: the words in which they differ.
type Dialect struct {
	Name    string    // what a client says first; "ok" behind it is the answer
	newGame string    // another game begins
	times   [2]string // the clocks of the sides, in milliseconds
	incs    [2]string // what is added after each move
	pass    string    // the notation of a pass
}

// The dialects.
var (
	UGI = Dialect{Name: "ugi", newGame: "uginewgame", times: [2]string{"p1time", "p2time"}, incs: [2]string{"p1inc", "p2inc"}, pass: game.PassText}
	UCI = Dialect{Name: "uci", newGame: "ucinewgame", times: [2]string{"wtime", "btime"}, incs: [2]string{"winc", "binc"}, pass: "0000"}
)

// format returns the notation of a move in the dialect.
func (d Dialect) format(p game.Position, m game.Move) string {
	if m == game.Pass || m == 0 {
		return d.pass
	}
	return p.Format(m)
}

// parse reads a move in the dialect.
func (d Dialect) parse(p game.Position, text string) (game.Move, error) {
	if text == d.pass {
		text = game.PassText
	}
	m, err := p.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("reading a move: %w", err)
	}
	return m, nil
}

// line returns the moves of a line, in the dialect.
func (d Dialect) line(p game.Position, moves []game.Move) string {
	at := p.Clone()
	words := make([]string, 0, len(moves))
	for _, m := range moves {
		words = append(words, d.format(at, m))
		at.Play(m)
	}
	return strings.Join(words, " ")
}

// info returns what a search reports as a line of the protocol.
func (d Dialect) info(p game.Position, l engine.Line) string {
	return fmt.Sprintf("info depth %d score %s nodes %d nps %.0f time %d pv %s",
		l.Depth, score(l.Score), l.Nodes, l.NodesPerSecond(), l.Time.Milliseconds(), d.line(p, l.Moves))
}

// score returns a score as the protocols do: in hundredths, or for a proved end
// in moves of the side until then.
func score(s int) string {
	switch {
	case s > engine.MaxEval:
		return fmt.Sprintf("mate %d", (engine.Won-s+1)/2)
	case s < -engine.MaxEval:
		return fmt.Sprintf("mate -%d", (engine.Won+s+1)/2)
	}
	return fmt.Sprintf("cp %d", s)
}

// milliseconds reads a time; not negative, and at most some weeks.
func milliseconds(text string) (time.Duration, error) {
	var ms int64
	if _, err := fmt.Sscan(text, &ms); err != nil || ms > 1<<31 {
		return 0, fmt.Errorf("time %q: want milliseconds", text)
	}
	return max(time.Duration(ms)*time.Millisecond, 0), nil
}
