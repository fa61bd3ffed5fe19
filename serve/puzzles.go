package serve

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"quintet/game"
	"quintet/games"
	"quintet/learn/lesson"
	"quintet/learn/puzzle"
)

// learning is the puzzles and lessons of each game. They are read when first asked
// for, and kept. They are embedded and tested: one that cannot be read is a fault of the
// program, and panics.
type learning struct {
	puzzles map[string]func() *puzzleSet
	lessons map[string]func() []lessonStep
}

func newLearning() *learning {
	s := &learning{map[string]func() *puzzleSet{}, map[string]func() []lessonStep{}}
	for _, g := range games.All() {
		s.puzzles[g.Name] = sync.OnceValue(func() *puzzleSet { return readPuzzles(g.Name) })
		s.lessons[g.Name] = sync.OnceValue(func() []lessonStep { return readLessons(g.Name) })
	}
	return s
}

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

// requestedGame returns the game of a request that names it, and nothing else.
func requestedGame(r *http.Request) (string, *Problem) {
	for name := range r.URL.Query() {
		if name != "game" {
			return "", fieldProblem("request", "there is no parameter %q here: expected game", name)
		}
	}
	g, err := games.ByName(r.URL.Query().Get("game"))
	if err != nil {
		return "", fieldProblem("game", "%v", err)
	}
	return g.Name, nil
}

// listPuzzles lists the puzzles of a game.
func (s *Server) listPuzzles(w http.ResponseWriter, r *http.Request) {
	name, p := requestedGame(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	s.write(w, http.StatusOK, s.learning.puzzles[name]())
}

// showPuzzle shows a puzzle with its solution.
func (s *Server) showPuzzle(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	name, _, _ := strings.Cut(id, "-")
	missing := problem(http.StatusNotFound, "missing", "there is no puzzle %q", id).withReason("puzzle")
	read, ok := s.learning.puzzles[name]
	if !ok {
		s.fail(w, missing)
		return
	}
	p, ok := read().byID[id]
	if !ok {
		s.fail(w, missing)
		return
	}
	s.write(w, http.StatusOK, p)
}

// listLessons lists the steps of the lessons of a game.
func (s *Server) listLessons(w http.ResponseWriter, r *http.Request) {
	name, p := requestedGame(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	s.write(w, http.StatusOK, map[string]any{"game": name, "steps": s.learning.lessons[name]()})
}
