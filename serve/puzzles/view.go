package puzzles

import (
	"context"

	"quintet/game"
	"quintet/learn/lesson"
	"quintet/learn/puzzle"
)

// puzzleSet is the puzzles of a game.
type puzzleSet struct {
	Game    string        `json:"game"`
	Puzzles []puzzleEntry `json:"puzzles"` // the easiest first

	byID map[string]*puzzle.Puzzle
}

// puzzleEntry is a puzzle in a list.
type puzzleEntry struct {
	ID         string   `json:"id"`
	Side       string   `json:"side"`
	WinsIn     int      `json:"wins_in"` // 0 if the win is counted at the end of the game
	Themes     []string `json:"themes"`
	Difficulty int      `json:"difficulty"`
}

func readPuzzles(name string) *puzzleSet {
	set := &puzzleSet{Game: name, Puzzles: []puzzleEntry{}, byID: map[string]*puzzle.Puzzle{}}
	list := must(puzzle.Embedded(name))
	for i := range list {
		p := &list[i]
		set.Puzzles = append(set.Puzzles, puzzleEntry{p.ID, p.Side, p.WinsIn, p.Themes, p.Difficulty})
		set.byID[p.ID] = p
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

// lessonStep is a step with the turns that reach its goal.
type lessonStep struct {
	lesson.Step
	Side  string     `json:"side"`
	Turns [][]string `json:"turns"` // null if any turn does
}

func readLessons(name string) []lessonStep {
	steps := []lessonStep{}
	for _, s := range must(lesson.For(name)) {
		c := must(lesson.NewChecker(name, &s))
		step := lessonStep{Step: s, Side: c.Start().Turn().String()}
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
