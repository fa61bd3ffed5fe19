// Package dialogue is a second, simple and slow implementation of the course's five console
// programs, with a switch for every rule and every text. It computes what a right program
// prints for given input, and what a program with a known mistake prints.
//
// Start with [New] and [Program.Play]. A [Program] without faults prints what package
// console prints; a test compares the two. A [Fault] changes one rule; [Words] and [Layout]
// change texts. [Mutants] lists the known mistakes of a game.
//
// Play terminates for every input and every program.
package dialogue

import (
	"fmt"
	"slices"

	"quintet/game"
)

// Fault is a rule that a program gets wrong. The rules of a game ask for it by its name;
// ruleMutants and textMutants say what it does.
type Fault string

// The faults that other packages name.
const (
	LosesTurn    Fault = "loses-turn"    // an invalid move costs the turn
	LengthPrefix Fault = "length-prefix" // looks at the first two characters of a cell only (D-04)
	StuckAsks    Fault = "stuck-asks"    // passes only when isolated (D-08, D-10)
	PassNoBoard  Fault = "pass-no-board" // prints no board before a pass (D-07)
)

// Faults of reading answers. A right program ignores line ends: an answer may span
// several lines, and a line may hold several answers.
const (
	ReadsLines Fault = "reads-lines" // reads one complete answer per line
	DropsRest  Fault = "drops-rest"  // drops the rest of the line after an answer
	DropsLine  Fault = "drops-line"  // drops the rest of the line after an invalid answer
	ReadsWords Fault = "reads-words" // takes a word for a cell
)

// Program is a console program for one of the games. Changes to a Clone do not affect the
// original.
type Program struct {
	Game   string
	Size   int // rows and columns
	Words  Words
	Layout Layout
	Faults []Fault
	Start  [][]byte // the board at the start, if not the usual one
	Unread string   // letters and digits of cells that it refuses, in Neighbors and Lines of Action

	Tolerates Tolerance // accepted differences from its output

	// Changes of the complete output.
	LineEnd     string // "\n" if right
	NoFinalLine bool   // the last line of a finished game has no end
	LineTail    string // printed before the end of every line
}

// New returns the specification's program for a game; size 0 means the default size. Errors
// list the valid names or sizes.
func New(name string, size int) (Program, error) {
	i := slices.IndexFunc(scripts, func(s script) bool { return s.name == name })
	if i < 0 {
		return Program{}, fmt.Errorf("game %q: expected %s", name, game.Alternatives(Games()))
	}
	s := scripts[i]
	if size == 0 {
		size = s.size
	}
	if size < s.least || size > s.most || size%s.step != 0 {
		return Program{}, fmt.Errorf("size \"%d\" of %s: expected %s", size, name, s.sizes)
	}
	return Program{Game: name, Size: size, Words: s.words, Layout: s.layout, LineEnd: "\n"}, nil
}

// Games lists the names of the games in the order of the course.
func Games() (list []string) {
	for _, s := range scripts {
		list = append(list, s.name)
	}
	return list
}

// With returns a copy of the program with one more fault.
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
	return slices.Contains(p.Faults, f) // at most two
}

// Play returns the conversation for some lines of input. If a machine moves (chess), heard
// is the output of the judged program, from which Play takes the machine's legal moves.
func (p Program) Play(lines []string, heard string) Conversation {
	return p.play(&talk{heard: heard, next: typist(lines)})
}

// Follow is Play that stops at the first byte that differs from heard; agrees is then
// false. This saves time when a game can no longer match.
func (p Program) Follow(lines []string, heard string) (c Conversation, agrees bool) {
	t := &talk{heard: heard, next: typist(lines), following: true}
	c = p.play(t)
	return c, !t.differs
}

// typist supplies lines one by one.
func typist(lines []string) func(Choice) (string, bool) {
	return func(Choice) (line string, ok bool) {
		if len(lines) > 0 {
			line, lines, ok = lines[0], lines[1:], true
		}
		return line, ok
	}
}

// Choice describes the valid answers at a prompt.
type Choice struct {
	Turn  int                      // the player to answer
	Cells [][]byte                 // the board; not to be changed
	Legal func() []string          // valid answers; nil if any number is valid
	Why   func(line string) string // why a line is refused, or ""; nil if Legal is nil
}

// Lead returns the conversation with the lines that next supplies, until it returns false.
func (p Program) Lead(next func(Choice) (line string, ok bool)) Conversation {
	return p.play(&talk{next: next})
}

func (p Program) play(t *talk) Conversation {
	t.Program, t.Turns = p, []Turn{{}}
	i := slices.IndexFunc(scripts, func(s script) bool { return s.name == p.Game })
	scripts[i].play(t)
	return t.conversation()
}

// start returns the board at the start of a game.
func (p Program) start() [][]byte {
	if p.Start != nil {
		return copied(p.Start)
	}
	switch p.Game {
	case "neighbors":
		return rows(".BBBWWW.", "W......B", "W......B", "W......B", "B......W", "B......W", "B......W", ".WWWBBB.")
	case "loa":
		return rows(".WWWWWW.", "B......B", "B......B", "B......B", "B......B", "B......B", "B......B", ".WWWWWW.")
	case "chess":
		return startOfChess(p)
	case "othello":
		return startOfOthello(p)
	}
	return grid(p.Size)
}

// script describes the console program of a game.
type script struct {
	name                    string
	size, least, most, step int
	sizes                   string // in words
	words                   Words
	layout                  Layout
	play                    func(*talk)
}

// scripts lists the games.
var scripts = []script{
	{"neighbors", 8, 8, 8, 1, "8, the only size", neighborsLOAWords, smallBoard, playNeighbors},
	{"othello", 8, 4, 26, 2, "an even number from 4 to 26", othelloWords, pitBoard, playOthello},
	{"loa", 8, 8, 8, 1, "8, the only size", neighborsLOAWords, smallBoard, playLOA},
	{"connect6", 19, 1, 26, 1, "a number from 1 to 26", connect6Words, stoneBoard, playConnect6},
	{"chess", 8, 8, 8, 1, "8, the only size", chessWords, framedBoard, playChess},
}
