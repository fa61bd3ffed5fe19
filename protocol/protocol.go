// Package protocol implements UGI, the Universal Game Interface, and UCI, its older
// sibling for chess: [Serve] offers a search to other programs, a [Client] is a
// player backed by an external engine, and [Clauses] are the requirements of the
// protocol for package check. Package reversi does the same for the protocols of
// Othello programs; package program runs the processes.
//
// UGI is described at github.com/kz04px/cutegames (ugi.md); it is UCI with names that
// fit any game, and queries. Positions are texts of game.Position, moves are in the
// game's notation; in UCI a pass is 0000.
package protocol

import (
	"fmt"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Dialect is one of the two protocols: the keywords in which they differ.
type Dialect struct {
	Name    string    // the client's first word; the answer is the name followed by "ok"
	newGame string    // announces a new game
	times   [2]string // keywords of the sides' clocks, in milliseconds
	incs    [2]string // keywords of the increments
	pass    string    // the notation of a pass
}

// The dialects.
var (
	UGI = Dialect{Name: "ugi", newGame: "uginewgame", times: [2]string{"p1time", "p2time"}, incs: [2]string{"p1inc", "p2inc"}, pass: game.PassText}
	UCI = Dialect{Name: "uci", newGame: "ucinewgame", times: [2]string{"wtime", "btime"}, incs: [2]string{"winc", "binc"}, pass: "0000"}
)

// format returns a move in the notation of the dialect.
func (d Dialect) format(p game.Position, m game.Move) string {
	if m == game.Pass || m == 0 {
		return d.pass
	}
	return p.Format(m)
}

// parse parses a move in the notation of the dialect.
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

// line returns a variation in the notation of the dialect.
func (d Dialect) line(p game.Position, moves []game.Move) string {
	at := p.Clone()
	words := make([]string, 0, len(moves))
	for _, m := range moves {
		words = append(words, d.format(at, m))
		at.Play(m)
	}
	return strings.Join(words, " ")
}

// info returns the info line of a search report.
func (d Dialect) info(p game.Position, l engine.Line) string {
	return fmt.Sprintf("info depth %d score %s nodes %d nps %.0f time %d pv %s",
		l.Depth, score(l.Score), l.Nodes, l.NodesPerSecond(), l.Time.Milliseconds(), d.line(p, l.Moves))
}

// score formats a score: "cp" in hundredths, or "mate" in moves for a proved result.
func score(s int) string {
	switch {
	case s > engine.MaxEval:
		return fmt.Sprintf("mate %d", (engine.Won-s+1)/2)
	case s < -engine.MaxEval:
		return fmt.Sprintf("mate -%d", (engine.Won+s+1)/2)
	}
	return fmt.Sprintf("cp %d", s)
}

// milliseconds parses a time. It clamps it to a range from 0 to some weeks.
func milliseconds(text string) (time.Duration, error) {
	var ms int64
	if _, err := fmt.Sscan(text, &ms); err != nil || ms > 1<<31 {
		return 0, fmt.Errorf("time %q: expected milliseconds", text)
	}
	return max(time.Duration(ms)*time.Millisecond, 0), nil
}
