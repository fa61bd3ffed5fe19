// Package console implements the five console programs of the course: byte for byte
// the same output for any input.
//
// [Run] plays one game on an input and an output; [Scripts] lists the games. This package
// holds all texts of the dialogues; the packages of the games hold the rules.
//
// Guarantees:
//
//   - the output depends only on the input, the options and the random source;
//   - output is flushed before the program waits for input, and the
//     program reads no input before the dialogue needs it;
//   - no input causes a panic, and the program stops at the end of the input.
package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"quintet/game"
)

// Scripts lists the console programs in the order of the course.
var Scripts = []Script{
	{"neighbors", smallBoard, 8, playNeighbors},
	{"othello", pitBoard, 0, playOthello},
	{"loa", smallBoard, 8, playLOA},
	{"connect6", stoneBoard, 0, playConnect6},
	{"chess", framedBoard, 8, playChess},
}

// Script is the dialogue of one game.
type Script struct {
	Name  string // name of the game, as in commands
	board style
	size  int // the only size; 0 if there are several
	play  func(*dialogue, Options) error
}

// Options configure the programs. The zero value is the program of the course.
type Options struct {
	// Size is the number of rows and columns; 0 is the game's usual size.
	Size int

	// Random is the source of the machine's moves in chess; nil means a randomly
	// seeded one.
	Random *rand.PCG

	// Rounds, if not 0, halts a game of chess between two machines after that many rounds, as a
	// player does with Z0 Z0. Other games ignore it.
	Rounds int
}

// ErrInputEnded is the error of Run if the input ends before the game does.
var ErrInputEnded = errors.New("the input ended before the game did")

// UsageError is an error in the arguments of Run. Run has then read and written
// nothing.
type UsageError struct{ err error }

// Error implements error.
func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the error of the game's package.
func (e *UsageError) Unwrap() error { return e.err }

// Run plays the named game. It returns nil when the game has ended, a *UsageError for
// an unknown game or size, ErrInputEnded if the input ends early, or the error of
// reading or writing. It checks the context before every read and in every round
// between machines; it does not interrupt a blocked read.
func Run(ctx context.Context, name string, o Options, in io.Reader, out io.Writer) error {
	s, ok := find(name)
	if !ok {
		return &UsageError{fmt.Errorf("game %q: expected %s", name, game.Alternatives(names()))}
	}
	if o.Rounds < 0 {
		return &UsageError{fmt.Errorf(`rounds "%d": expected a number of rounds, or 0 for no limit`, o.Rounds)}
	}
	if size := cmp.Or(o.Size, s.size); s.size > 0 && size != s.size {
		return &UsageError{fmt.Errorf(`size "%d": expected %d, the only size of this game`, size, s.size)}
	}
	t := newDialogue(ctx, in, out)
	t.board = s.board
	return cmp.Or(s.play(t, o), t.flush())
}

// find returns the script of a game.
func find(name string) (s Script, ok bool) {
	i := slices.IndexFunc(Scripts, func(s Script) bool { return s.Name == name })
	if i < 0 {
		return Script{}, false
	}
	return Scripts[i], true
}

func names() (list []string) {
	for _, s := range Scripts {
		list = append(list, s.Name)
	}
	return list
}

// random returns the random source of the machine.
func (o Options) random() *rand.PCG {
	if o.Random != nil {
		return o.Random
	}
	return rand.NewPCG(rand.Uint64(), rand.Uint64())
}
