package rating

import "math"

// This file ties the levels of the engines to the ratings of people. The arena has measured how
// far the levels of a board are apart; how strong they are against people is one offset a board,
// fitted to the games of people against them.

// steps are the distances from each level to the next in points, by board: the scores in
// docs/levels.md on the scale of Elo. A level 10 with more time than there is stronger.
var steps = map[string][Levels - 1]float64{
	"neighbors":    {191, 220, 220, 210, 230, 191, 182, 241, 241},
	"othello-8":    {56, 85, 363, 288, 315, 363, 382, 315, 275},
	"othello-pits": {35, 85, 100, 115, 402, 676, 604, 676, 230},
	"loa":          {164, 164, 210, 210, 220, 200, 173, 191, 173},
	"connect6-19":  {147, 85, 100, 131, 147, 210, 164, 92, 123},
	"chess":        {191, 182, 200, 230, 210, 200, 220, 147, 164},
}

const (
	// Levels is the number of levels.
	Levels = 10

	// levelRD is the deviation of a level: the measured steps have errors of 25 to 40 points each.
	levelRD = 60

	// Before any game level 3 is taken for a beginner of rating Start, give or take priorRD.
	priorLevel = 3
	priorRD    = 350

	maxOffset = 2000
)

// Anchor is what is known of the levels of a board. The zero Anchor is before any game.
type Anchor struct {
	Offset      float64 // points to add to the levels' ratings before any game
	Information float64 // of the games against people (Fisher), per squared point
	Games       int
}

// Level returns the rating of a level of a board. ok is false where the levels have not been
// measured.
func (a Anchor) Level(board string, level int) (r Rating, ok bool) {
	list, ok := steps[board]
	if !ok || level < 1 || level > Levels {
		return r, false
	}
	points := Start + a.Offset
	for i, step := range list {
		switch {
		case i+1 >= priorLevel && i+1 < level:
			points += step
		case i+1 < priorLevel && i+1 >= level:
			points -= step
		}
	}
	return Rating{Points: points, RD: levelRD, LogVariance: startLogVariance}, true // without games, so that it does not grow uncertain
}

// update moves the offset by one step of Fisher scoring, which is the maximum likelihood estimate
// as it follows from one game to the next. Games of people of uncertain strength count less.
func (a *Anchor) update(level, person Rating, advantage, score float64) {
	w := weight(person.Known().RD / scale)
	e := expected(w, (level.Points-person.Known().Points+advantage)/scale)
	a.Information += float64(w*w*e*(1-e)) / float64(scale*scale)
	step := float64(w*(score-e)) / scale / (a.Information + 1/float64(priorRD*priorRD))
	a.Offset = bounded(a.Offset+bounded(step, -MostPoints, MostPoints), -maxOffset, maxOffset)
	a.Games++
}

// Nearest returns the level of a board whose rating is closest to that of a person; 0 where the
// levels have not been measured.
func (a Anchor) Nearest(board string, person Rating) (level int) {
	best := math.Inf(1)
	for n := 1; n <= Levels; n++ {
		r, ok := a.Level(board, n)
		if d := math.Abs(r.Points - person.Known().Points); ok && d < best {
			best, level = d, n
		}
	}
	return level
}

// advantages are what the first move is worth in points, by board, give or take 10: the score of
// the first side in 1,200 games of level 3 and level 5 against themselves, which play like most
// people (docs/internals/measured.md).
var advantages = map[string]float64{
	"neighbors": -16, "othello-8": -8, "othello-pits": 7, "othello-sizes": -9, "loa": 14, "connect6-19": -17, "connect6-15": -10, "chess": -14,
}

// Game is a rated game that has ended.
type Game struct {
	Board  string
	Levels [2]int  // of the sides; 0 for people
	Score  float64 // of the first side: 1, ½ or 0
	At     int64   // time of day in milliseconds since 1970
}

// Rate updates the ratings of the people, and the anchor of the board if a level played. ok is
// false, and nothing changes, if the game has no person or an unmeasured level.
func (g Game) Rate(ratings *[2]Rating, a *Anchor) (ok bool) {
	before := *ratings
	for i, level := range g.Levels {
		if level == 0 {
			continue
		}
		if before[i], ok = a.Level(g.Board, level); !ok || g.Levels[1-i] != 0 {
			return false
		}
	}
	for i, level := range g.Levels {
		score, advantage := g.Score, advantages[g.Board]
		if i == 1 {
			score, advantage = 1-score, -advantage
		}
		if level != 0 {
			a.update(before[i], before[1-i], advantage, score)
			continue
		}
		me := before[i].Known()
		ratings[i] = Update(me, me.periods(g.At), Result{before[1-i].asOf(g.At), advantage, score})
		ratings[i].At = max(g.At, me.At)
	}
	return true
}

// asOf returns a rating with the deviation of a later time.
func (r Rating) asOf(now int64) Rating {
	r = r.Known()
	r.RD = r.DeviationAt(now)
	return r
}
