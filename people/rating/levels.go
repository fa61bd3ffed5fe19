package rating

import "math"

// This file puts the levels of the engines on the scale of people's ratings. The arena has measured the
// distances between the levels of a board. Their strength against people is one offset for each board,
// fitted to games of people against levels.

// steps are the distances from each level to the next in points, by board: the scores in docs/levels.md on
// the Elo scale. A level 10 with more time than in those matches is stronger.
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

	// Before any game level 3 has the rating of a beginner, Start, with deviation priorRD.
	priorLevel = 3
	priorRD    = 350

	maxOffset = 2000
)

// Anchor is the estimated strength of a board's levels. The zero Anchor is that before any game.
type Anchor struct {
	Offset      float64 // points to add to the levels' ratings before any game
	Information float64 // Fisher information of the games against people, per squared point
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
	return Rating{Points: points, RD: levelRD, LogVariance: startLogVariance}, true // without a time, so that its deviation does not grow
}

// update moves the offset by one step of Fisher scoring, an incremental maximum likelihood estimate. Games
// of people with uncertain ratings count less.
func (a *Anchor) update(level, person Rating, advantage, score float64) {
	w := weight(person.Known().RD / scale)
	e := expected(w, (level.Points-person.Known().Points+advantage)/scale)
	a.Information += float64(w*w*e*(1-e)) / float64(scale*scale)
	step := float64(w*(score-e)) / scale / (a.Information + 1/float64(priorRD*priorRD))
	a.Offset = bounded(a.Offset+bounded(step, -MostPoints, MostPoints), -maxOffset, maxOffset)
	a.Games++
}

// Nearest returns the level of a board with the rating closest to a person's, or 0 if the levels have not
// been measured.
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

// advantages are the advantages of the first side in points (± 10), by board: its scores in 1,200 games of
// level 3 and of level 5 against themselves (docs/internals/measured.md).
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

// Rate updates the ratings of the people, and the anchor of the board if a level played. If no person or an
// unmeasured level played, it changes nothing and returns false.
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

// asOf returns a rating with the deviation that it has at a later time.
func (r Rating) asOf(now int64) Rating {
	r = r.Known()
	r.RD = r.DeviationAt(now)
	return r
}
