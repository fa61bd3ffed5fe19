package game_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"quintet/game"
	"quintet/games/chess"
	"quintet/games/loa"
	"quintet/games/othello"
)

// begin starts a game and plays moves; examples do not check errors that cannot occur.
func begin(g game.Game, moves ...string) *game.Match {
	start, err := g.Start(nil)
	if err != nil {
		panic(err)
	}
	m := game.NewMatch(g, start)
	for _, text := range moves {
		if err := m.PlayText(text); err != nil {
			panic(err)
		}
	}
	return m
}

// Play random moves to the end of a game.
func ExampleMatch() {
	m := begin(othello.Game)
	for r := rand.NewPCG(1, 0); !m.Over(); {
		legal := m.Legal()
		if err := m.Play(legal[game.IntN(r, len(legal))]); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(m.Position().Board().Note)
	fmt.Println(m.Outcome().Result, m.Outcome().Reason)
	// Output:
	// Black 31, White 33
	// second wins rules
}

// An illegal move leaves the match as it was. The error says why.
func ExampleMatch_PlayText() {
	m := begin(chess.Game)
	err := m.PlayText("e2e5")
	fmt.Println(errors.Is(err, game.ErrIllegal), len(m.Moves()))
	fmt.Println(err)
	// Output:
	// true 0
	// move 1: move "e2e5": not a legal move: a pawn moves one square ahead (two from home), and captures diagonally ahead
}

// Take moves back: one, or all but the first few.
func ExampleMatch_Undo() {
	m := begin(othello.Game, "f4", "d3", "c2")
	fmt.Println(m.Undo(), len(m.Moves()))
	m.UndoTo(0)
	fmt.Println(m.Undo(), len(m.Moves()))
	// Output:
	// true 2
	// false 0
}

// Try a line without a change of the game.
func ExampleMatch_Clone() {
	m := begin(othello.Game, "f4")
	line := m.Clone()
	fmt.Println(line.PlayText("d3"), len(line.Moves()), len(m.Moves()))
	// Output:
	// <nil> 2 1
}

// See where a move leads, and whether it ends the game.
func ExampleMatch_Preview() {
	m := begin(chess.Game, "e2e3", "f7f6", "d1h5", "a7a6")
	capture, err := m.Position().Parse("h5e8")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, outcome := m.Preview(capture)
	fmt.Println(outcome.Result, outcome.Reason, m.Over())
	// Output:
	// first wins rules false
}

// Walk through a game: each position comes with the move that was played in it.
func ExampleMatch_Replay() {
	m := begin(othello.Game, "f4", "d3")
	for p, move := range m.Replay() {
		fmt.Println(othello.Game.Sides[p.Turn()], p.Format(move))
	}
	fmt.Println(othello.Game.Sides[m.Position().Turn()], "is to move")
	// Output:
	// Black f4
	// White d3
	// Black is to move
}

// Give a game up.
func ExampleMatch_Resign() {
	m := begin(loa.Game)
	fmt.Println(m.Resign(game.Second), m.Outcome().Result, m.Outcome().Reason)
	// Output:
	// <nil> first wins resignation
}

// Halt a game of chess, as in the course: the pieces count.
func ExampleMatch_Halt() {
	m := begin(chess.Game, "e2e3", "f7f6", "f1a6", "b7a6")
	over, err := m.Halt(game.First, game.HaltClaim)
	fmt.Println(over, err, m.Outcome().Result, m.Outcome().Reason)
	// Output:
	// true <nil> second wins halt
}

// Try each move on a copy. After the first buffer this allocates nothing: searches work like this.
func ExamplePosition() {
	p, err := chess.Game.Read("4k3/8/8/3q4/4P3/8/8/7K w")
	if err != nil {
		fmt.Println(err)
		return
	}
	var buf [64]game.Move
	after := p.Clone()
	for _, move := range p.Moves(buf[:0]) {
		after.CopyFrom(p)
		after.Play(move)
		fmt.Println(p.Format(move), game.Count(after, nil), "replies")
	}
	// Output:
	// e4d5 5 replies
	// e4e5 29 replies
	// h1g2 29 replies
	// h1h2 29 replies
	// h1g1 29 replies
}

// Set a game up by the options that it has.
func ExampleGame_Start() {
	for _, o := range othello.Game.Options {
		fmt.Println(o.Name)
	}
	setup, err := game.ParseSetup("size=6 pits=a1,f6")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := othello.Game.Start(setup)
	fmt.Println(p, err)
	_, err = othello.Game.Start(game.Setup{"size": "7"})
	fmt.Println(err)
	// Output:
	// size
	// pits
	// start
	// #5/6/2XO2/2OX2/6/5# X <nil>
	// size "7": expected an even number from 4 to 26
}

// A move is cells, whatever the game.
func ExampleMove() {
	p := begin(loa.Game).Position()
	move, err := p.Parse("a1c1")
	if err != nil {
		fmt.Println(err)
		return
	}
	from, shifted := move.From()
	fmt.Println(shifted, from, move.To(), move == game.Shift(from, move.To()))
	// Output:
	// true 8 10 true
}

// Name the sides of a result.
func ExampleResult() {
	for _, r := range []game.Result{game.Ongoing, game.Win(game.First), game.ByCount(3, 3)} {
		winner, ok := r.Winner()
		fmt.Println(r, r.Over(), ok && winner == game.First)
	}
	// Output:
	// ongoing false false
	// first wins true true
	// draw true false
}
