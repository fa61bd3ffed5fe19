// Package console is the five console programs of the course, byte for byte:
// what they print, and what they make of any input.
//
// [Run] plays one game between an input and an output; [Scripts] lists the
// games and [Status] says how a program that called Run should exit. All words
// that people read in the dialogues live here. The rules live in the packages
// of the games, which know no words.
//
// The package promises:
//
//   - every byte follows from the input, the options and the random source;
//   - what has been written is passed on before the program waits for input,
//     and no input is waited for that the dialogue does not need yet;
//   - no input makes a program panic, or run on after its end.
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

// Scripts lists the console programs, in the order in which the course set
// them.
var Scripts = []Script{
	{"neighbors", playNeighbors},
	{"othello", playOthello},
	{"loa", playLOA},
	{"connect6", playConnect6},
	{"chess", playChess},
}

// Script is the dialogue of one game.
type Script struct {
	Name string // the game's, as in commands
	play func(*dialogue, Options) error
}

// Options are the choices that the programs leave open. The zero value is the
// program of the course.
type Options struct {
	// Size is the number of rows and columns; 0 is the game's usual size.
	Size int

	// Random makes the machine's moves in chess; nil is a source seeded
	// differently in every run.
	Random *rand.PCG

	// Rounds, if not 0, halts a game of chess between two machines after
	// that many rounds: the scores are compared as after a player's Z0 Z0.
	// Other games wait for a person, who can end them, and ignore it.
	Rounds int
}

// ErrInputEnded is the error of Run if the input ends before the game does.
var ErrInputEnded = errors.New("the input ended before the game did")

// UsageError is an error in what Run was asked to play. Nothing has been read
// or written then.
type UsageError struct{ err error }

// Error says what was wrong and what would be right.
func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the error as the game's package reported it.
func (e *UsageError) Unwrap() error { return e.err }

// Run plays the named game. It returns nil when the game has ended, a
// *UsageError if there is no such game or size, ErrInputEnded if the input
// was too short, and otherwise the error that reading or writing met. The
// context is looked at before every read and in every round between machines;
// a read that is already waiting is not interrupted.
func Run(ctx context.Context, name string, o Options, in io.Reader, out io.Writer) error {
	i := slices.IndexFunc(Scripts, func(s Script) bool { return s.Name == name })
	if i < 0 {
		return &UsageError{fmt.Errorf("game %q: want %s", name, game.Alternatives(names()))}
	}
	if o.Rounds < 0 {
		return &UsageError{fmt.Errorf(`rounds "%d": want a number of rounds, or 0 for no limit`, o.Rounds)}
	}
	t := newDialogue(ctx, in, out)
	return cmp.Or(Scripts[i].play(t, o), t.flush())
}

func names() (list []string) {
	for _, s := range Scripts {
		list = append(list, s.Name)
	}
	return list
}

// Status returns the exit status of a program that ends with the error of Run:
// 0 after a finished game, 2 after a UsageError, 1 after any other.
func Status(err error) int {
	var usage *UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return 2
	}
	return 1
}

// sizeOrDefault returns the size to play on, given the usual one.
func (o Options) sizeOrDefault(usual int) int { return cmp.Or(o.Size, usual) }

// checkSize returns an error if a size was asked for that is not the only one.
func (o Options) checkSize(size int) error {
	if o.sizeOrDefault(size) == size {
		return nil
	}
	return &UsageError{fmt.Errorf(`size "%d": want %d, the only size of this game`, o.Size, size)}
}

// random returns the source of the machine's moves.
func (o Options) random() *rand.PCG {
	if o.Random != nil {
		return o.Random
	}
	return rand.NewPCG(rand.Uint64(), rand.Uint64())
}
