// Package dialogue implements the course's five console programs a second time,
// plainly and slowly, with a switch for every rule and every text. It knows what
// a right program prints for given input, and what a program with a known mistake
// prints.
//
// Start with [New] and [Program.Play]. A [Program] without faults prints what
// package console prints; a test compares the two. A [Fault] changes one rule;
// [Words] and [Layout] change texts. [Mutants] lists the known mistakes of a game.
//
// Play terminates for every input and every program.
package dialogue

import (
	"fmt"
	"slices"

	"quintet/game"
)

// Fault names one rule that a program gets wrong. The faults of a game are
// listed where its rules are.
type Fault string

// Program is a program for one of the games. It is a value: a change of a copy
// made by Clone leaves the original as it was.
type Program struct {
	Game   string
	Size   int // rows and columns
	Words  Words
	Layout Layout
	Faults []Fault

	// Texts that are changed as a whole, after all else is printed.
	LineEnd     string // "\n" if right
	NoFinalLine bool   // the last line of a finished game has no end
	LineTail    string // printed before the end of every line
}

// New returns the program of a game as the specification has it; size 0 is the
// game's usual size. The error says which names or sizes there are.
func New(name string, size int) (Program, error) {
	i := slices.IndexFunc(scripts, func(s script) bool { return s.name == name })
	if i < 0 {
		return Program{}, fmt.Errorf("game %q: want %s", name, game.Alternatives(Games()))
	}
	s := scripts[i]
	if size == 0 {
		size = s.size
	}
	if size < s.least || size > s.most || size%s.step != 0 {
		return Program{}, fmt.Errorf("size \"%d\" of %s: want %s", size, name, s.sizes)
	}
	return Program{Game: name, Size: size, Words: s.words, Layout: s.layout, LineEnd: "\n"}, nil
}

// Games lists the names of the games, in the order of the course.
func Games() (list []string) {
	for _, s := range scripts {
		list = append(list, s.name)
	}
	return list
}

// Sized reports whether the board of the game comes in several sizes.
func Sized(name string) bool {
	i := slices.IndexFunc(scripts, func(s script) bool { return s.name == name })
	return i >= 0 && scripts[i].least < scripts[i].most
}

// With returns a copy of the program that has one more fault.
func (p Program) With(f Fault) Program {
	q := p.Clone()
	q.Faults = append(q.Faults, f)
	return q
}

// Clone returns a copy that shares nothing with the program.
func (p Program) Clone() Program {
	p.Faults = slices.Clone(p.Faults)
	return p
}

// Has reports whether the program has the fault.
func (p *Program) Has(f Fault) bool {
	for _, g := range p.Faults { // there are none, or one or two
		if g == f {
			return true
		}
	}
	return false
}

// Play returns the conversation when the lines are typed. Where a machine moves
// (chess), heard is what the judged program has printed: its moves are taken
// from there, as long as they are legal.
func (p Program) Play(lines []string, heard string) Conversation {
	return p.play(&talk{heard: heard, next: typist(lines)})
}

// Follow is Play until the program would print another byte than stands at that
// place in heard: then agrees is false, and the conversation ends there. It saves
// the rest of a game that cannot match any more.
func (p Program) Follow(lines []string, heard string) (c Conversation, agrees bool) {
	t := &talk{heard: heard, next: typist(lines), following: true}
	c = p.play(t)
	return c, !t.differs
}

// typist types lines one after the other.
func typist(lines []string) func(Choice) (string, bool) {
	return func(Choice) (line string, ok bool) {
		if len(lines) > 0 {
			line, lines, ok = lines[0], lines[1:], true
		}
		return line, ok
	}
}

// Choice is what may be answered where a line is to be typed.
type Choice struct {
	Turn  int                      // which of the two players is asked
	Cells [][]byte                 // the board; not to be changed
	Legal func() []string          // valid answers; nil where any number is one
	Why   func(line string) string // why a line is refused, "" if it is not; nil where Legal is
}

// Lead returns the conversation in which next types the lines, until it is not
// ok.
func (p Program) Lead(next func(Choice) (line string, ok bool)) Conversation {
	return p.play(&talk{next: next})
}

func (p Program) play(t *talk) Conversation {
	t.Program, t.turns = p, []Turn{{}}
	i := slices.IndexFunc(scripts, func(s script) bool { return s.name == p.Game })
	scripts[i].play(t)
	return t.conversation()
}

// script is what there is to know of a game.
type script struct {
	name                    string
	size, least, most, step int
	sizes                   string // in words
	words                   Words
	layout                  Layout
	play                    func(*talk)
}

// scripts is the one list of the games.
var scripts = []script{
	{"neighbors", 8, 8, 8, 1, "8, the only size", neighborsLOAWords, smallBoard, playNeighbors},
	{"othello", 8, 4, 26, 2, "an even number from 4 to 26", othelloWords, pitBoard, playOthello},
	{"loa", 8, 8, 8, 1, "8, the only size", neighborsLOAWords, smallBoard, playLOA},
	{"connect6", 19, 1, 26, 1, "a number from 1 to 26", connect6Words, stoneBoard, playConnect6},
	{"chess", 8, 8, 8, 1, "8, the only size", chessWords, framedBoard, playChess},
}
