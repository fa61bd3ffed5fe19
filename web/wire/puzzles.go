package wire

import (
	"context"

	"quintet/game"
	"quintet/learn/lesson"
	"quintet/learn/puzzle"
)

// PuzzleSet is the puzzles of a game.
type PuzzleSet struct {
	Game    string        `json:"game"`
	Puzzles []PuzzleEntry `json:"puzzles"` // the easiest first

	ByID map[string]*puzzle.Puzzle `json:"-"`
}

// PuzzleEntry is a puzzle in a list.
type PuzzleEntry struct {
	ID         string   `json:"id"`
	Side       string   `json:"side"`
	WinsIn     int      `json:"wins_in"` // 0 if the win is counted at the end of the game
	Themes     []string `json:"themes"`
	Difficulty int      `json:"difficulty"`
}

// ReadPuzzles returns the puzzles of a game. Those that come with Quintet are tested: one that cannot be read
// is a fault of the program, and panics.
func ReadPuzzles(name string) *PuzzleSet {
	set := &PuzzleSet{Game: name, Puzzles: []PuzzleEntry{}, ByID: map[string]*puzzle.Puzzle{}}
	list := must(puzzle.Embedded(name))
	for i := range list {
		p := &list[i]
		set.Puzzles = append(set.Puzzles, PuzzleEntry{p.ID, p.Side, p.WinsIn, p.Themes, p.Difficulty})
		set.ByID[p.ID] = p
	}
	return set
}

// must returns a value that was read from embedded data.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// LessonStep is a step with the turns that reach its goal.
type LessonStep struct {
	lesson.Step
	Side  string     `json:"side"`
	Turns [][]string `json:"turns"` // null if any turn does
}

// ReadLessons returns the lesson of a game, as ReadPuzzles does.
func ReadLessons(name string) []LessonStep {
	steps := []LessonStep{}
	for _, s := range must(lesson.For(name)) {
		c := must(lesson.NewChecker(name, &s))
		step := LessonStep{Step: s, Side: c.Start().Turn().String()}
		if s.Goal != (lesson.Goal{}) {
			for _, turn := range must(c.Turns(context.Background())) { // kept for all requests
				step.Turns = append(step.Turns, formatTurn(c.Start(), turn))
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// formatTurn writes the moves of a turn.
func formatTurn(p game.Position, turn []game.Move) (words []string) {
	for _, m := range turn {
		words = append(words, p.Format(m))
		p.Play(m)
	}
	return words
}
