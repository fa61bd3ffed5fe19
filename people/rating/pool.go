package rating

// This file has the pools in which games count, and what the arena measured of each: the
// advantage of the first side, and the distances between the levels.

// Pool is a kind of game with ratings of its own: a class of board and a speed, as "othello-8" and
// "blitz". Ratings over all boards and speeds mislead.
type Pool struct{ Board, Speed string }

// String returns the pool as one word.
func (p Pool) String() string { return p.Board + "/" + p.Speed }

// speeds are the speeds by the time of a side for 40 moves, in seconds.
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

// Board returns the class of a board by every option of its game. ok is false for boards without
// ratings.
func Board(game string, options map[string]string) (board string, ok bool) {
	switch game {
	case "neighbors", "loa":
		return game, true
	case "chess":
		return game, options["halt"] != "claim" // which ends the game for the side that is a pawn ahead
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
