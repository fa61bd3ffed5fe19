package rating

// This file has the pools of ratings: which board and which speed a game belongs to.

// Pool is a kind of game with ratings of its own: a class of board and a speed, such as "othello-8" and
// "blitz". One rating for all boards and speeds would mislead.
type Pool struct{ Board, Speed string }

// String returns the pool as one word.
func (p Pool) String() string { return p.Board + "/" + p.Speed }

// speeds are the speeds, by upper bounds of a side's time for 40 moves in seconds.
var speeds = [...]struct {
	below int64
	name  string
}{{180, "bullet"}, {480, "blitz"}, {1500, "rapid"}}

// Speed returns the speed of a clock: main time, and increment with delay, in seconds, or days
// for each turn. Without a clock it is "".
func Speed(main, perTurn, days int64) string {
	switch {
	case days > 0:
		return "correspondence"
	case main <= 0:
		return ""
	}
	for _, s := range speeds {
		if main+40*perTurn < s.below {
			return s.name
		}
	}
	return "classical"
}

// Board returns the class of a board from all options of its game. ok is false for boards without ratings.
func Board(game string, options map[string]string) (board string, ok bool) {
	switch game {
	case "neighbors", "loa":
		return game, true
	case "chess":
		return game, options["halt"] != "claim" // a side that is a pawn ahead could end the game at once
	case "othello":
		switch {
		case options["pits"] != "":
			return "othello-pits", true
		case options["size"] == "8":
			return "othello-8", true
		}
		return "othello-sizes", true
	case "connect6":
		return "connect6-" + options["size"], options["size"] == "19" || options["size"] == "15"
	}
	return "", false
}
