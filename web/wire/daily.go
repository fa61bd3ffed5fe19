package wire

import (
	"time"

	"quintet/games"
)

// Daily is the puzzle of the day of each game. Days begin at midnight UTC.
type Daily struct {
	Day     string        `json:"day"` // 2026-11-22
	Puzzles []DailyPuzzle `json:"puzzles"`
}

// DailyPuzzle is the puzzle of the day of one game.
type DailyPuzzle struct {
	Game       string `json:"game"`
	ID         string `json:"id"`
	Side       string `json:"side"`
	WinsIn     int    `json:"wins_in"`
	Difficulty int    `json:"difficulty"`
	Board      Board  `json:"board"` // where it begins
}

// dailyIndex returns the number of the day's puzzle among n, which is not 0. The step is the integer from
// 0.6 n on that has no divisor in common with n: successive days have puzzles of different
// difficulty, and none returns before all others have had their day.
func dailyIndex(day time.Time, n int) int {
	step := max(1, n*3/5)
	for gcd(step, n) != 1 {
		step++
	}
	return int((day.Unix() / (24 * 60 * 60) * int64(step)) % int64(n))
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// DailyAt returns the puzzle of the day of every game that has puzzles.
func DailyAt(now time.Time, puzzles func(game string) *PuzzleSet) Daily {
	now = now.UTC()
	daily := Daily{Day: now.Format(time.DateOnly), Puzzles: []DailyPuzzle{}}
	for _, g := range games.All() {
		set := puzzles(g.Name)
		if len(set.Puzzles) == 0 {
			continue
		}
		e := set.Puzzles[dailyIndex(now, len(set.Puzzles))]
		_, p, err := set.ByID[e.ID].Start()
		if err != nil { // embedded puzzles are tested
			panic(err)
		}
		daily.Puzzles = append(daily.Puzzles, DailyPuzzle{g.Name, e.ID, e.Side, e.WinsIn, e.Difficulty, BoardOf(p.Board())})
	}
	return daily
}
