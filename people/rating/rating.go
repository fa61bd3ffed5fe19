// Package rating computes the ratings of people: Glicko-2, one game at a time.
//
// Start with [Rating] and [Update]. [PoolOf] says in which pool a game counts, [Anchor] ties the
// levels of the engines to the scale of the people. The package knows no log and no clock: a rating is a
// fold over games, and the caller applies the games in the order of the log.
//
// The fold gives the same bits on every machine. Compilers fuse x*y + z into one rounding on
// arm64 (and on amd64 with GOAMD64=v3), unless x*y is converted explicitly, so every product here
// is. [math.Exp] and [math.Log] are assembly on some processors and round differently there, so
// exp below is ours. Addition, division and square roots are correctly rounded everywhere (IEEE
// 754). A test reads the machine code for arm64.
//
// Glickman, "Example of the Glicko-2 system" (2022), http://www.glicko.net/glicko/glicko2.pdf,
// has the method and the example of the tests. Ratings after each game, fractional rating periods
// and most constants are those of lichess (scalachess, rating/.../glicko; lila, Glicko.scala).
package rating

import "math"

// Constants of the rating system.
const (
	Start         = 1500 // of a new player
	StartRD       = 500  // its deviation
	MinRD         = 45   // keeps ratings moving
	MaxRD         = 500  // after any time without games
	ProvisionalRD = 110  // from here on a rating is provisional
	Min           = 100
	Max           = 4000
	MostPoints    = 700 // largest change by one game

	startLogVariance = -4.815891217303743 // ln 0.09²: the volatility of a new player is 0.09
	tau              = 0.75               // limits changes of the volatility
	periodsPerDay    = 0.21436            // rating periods: a deviation of 60 grows to 110 in a year
	scale            = 173.7178           // points per unit of the Glicko-2 scale: 400 / ln 10
	msPerDay         = 24 * 60 * 60 * 1000
)

// Rating is a player's rating in a pool. The zero Rating is that of a player without games.
type Rating struct {
	Points      float64 // on the Elo scale
	RD          float64 // rating deviation: half the width of the 68 % interval
	LogVariance float64 // natural logarithm of the square of the volatility
	At          int64   // time of day of the last game, in milliseconds since 1970
	Games       int
}

// New returns the rating of a player without games.
func New() Rating { return Rating{Points: Start, RD: StartRD, LogVariance: startLogVariance} }

// Known returns the rating, New if it is the zero Rating.
func (r Rating) Known() Rating {
	if r.Games == 0 && r.RD == 0 {
		return New()
	}
	return r
}

// Rounded returns the points as people see them.
func (r Rating) Rounded() int { return int(math.Round(r.Points)) }

// Provisional reports whether the rating is too uncertain for a leaderboard at a time of day.
func (r Rating) Provisional(now int64) bool { return r.DeviationAt(now) >= ProvisionalRD }

// DeviationAt returns the deviation at a time of day: it grows while a player is away.
func (r Rating) DeviationAt(now int64) float64 {
	r = r.Known()
	phi := r.RD / scale
	return bounded(scaled(math.Sqrt(grown(float64(phi*phi), r.LogVariance, r.periods(now)))), MinRD, MaxRD)
}

// periods returns how many rating periods have passed since the last game, at least 0: the time of day may
// go backwards.
func (r Rating) periods(now int64) float64 {
	if r.Games == 0 || now <= r.At {
		return 0
	}
	return float64(float64(now-r.At) / msPerDay * periodsPerDay)
}

// grown returns the variance after some rating periods without a game.
func grown(variance, logVolatility, periods float64) float64 {
	return variance + float64(periods*exp(logVolatility))
}

func scaled(x float64) float64 { return float64(x * scale) }

func bounded(x, low, high float64) float64 { return min(max(x, low), high) }

// Result is a game from one player's point of view.
type Result struct {
	Opponent  Rating
	Advantage float64 // of the player's side in points; negative for a disadvantage
	Score     float64 // 1, ½ or 0
}

// weight is g in the paper: results against players of uncertain strength count less.
func weight(phi float64) float64 {
	return 1 / math.Sqrt(1+float64(3*phi*phi)/float64(math.Pi*math.Pi))
}

// Expected returns a player's expected score, given the advantage of its side in points.
func Expected(player, opponent Rating, advantage float64) float64 {
	player, opponent = player.Known(), opponent.Known()
	phi := math.Sqrt(float64(player.RD*player.RD)+float64(opponent.RD*opponent.RD)) / scale
	return expected(weight(phi), (player.Points-opponent.Points+advantage)/scale)
}

func expected(weight, difference float64) float64 { return 1 / (1 + exp(-float64(weight*difference))) }

// Update returns a rating after some results and rating periods. The paper rates many results in one period;
// a server rates one result and the fraction of a period since the previous game.
func Update(r Rating, periods float64, results ...Result) Rating {
	r = r.Known()
	phi, mu := r.RD/scale, (r.Points-Start)/scale
	variance := float64(phi * phi)
	var information, surprise float64 // 1/v and Δ/v in the paper
	for _, g := range results {
		o := g.Opponent.Known()
		w := weight(o.RD / scale)
		e := expected(w, mu-(o.Points-Start-g.Advantage)/scale)
		information += float64(w * w * e * (1 - e))
		surprise += float64(w * (g.Score - e))
	}
	if len(results) > 0 {
		r.LogVariance = volatility(tau, r.LogVariance, variance, 1/information, surprise/information)
	}
	variance = 1 / (1/grown(variance, r.LogVariance, periods) + information)
	change := scaled(float64(variance * surprise))
	r.Points = bounded(r.Points+bounded(change, -MostPoints, MostPoints), Min, Max)
	r.RD = bounded(scaled(math.Sqrt(variance)), MinRD, MaxRD)
	r.Games += len(results)
	return r
}

// volatility is step 5 of the paper. By the Illinois method it returns the new logarithm of the squared
// volatility, for a player with some variance, and results with the variance v and the improvement delta.
func volatility(tau, a, variance, v, delta float64) float64 {
	f := func(x float64) float64 {
		e := exp(x)
		all := variance + v + e
		return float64(e*(float64(delta*delta)-all))/float64(2*all*all) - (x-a)/float64(tau*tau)
	}
	low, high := a, a
	flow, fhigh := f(a), f(a)
	for range 100 { // the paper's bracket needs a logarithm; this one is extended towards the root
		if flow >= 0 && fhigh <= 0 {
			break
		}
		if flow < 0 {
			low -= tau
			flow = f(low)
		} else {
			high += tau
			fhigh = f(high)
		}
	}
	return illinois(f, low, high, flow, fhigh)
}

// illinois finds the root of f between two arguments at which f has different signs.
func illinois(f func(float64) float64, a, b, fa, fb float64) float64 {
	for range 100 {
		if math.Abs(b-a) <= 1e-6 || fa == fb {
			break
		}
		c := a + float64((a-b)*fa)/(fb-fa)
		fc := f(c)
		if float64(fc*fb) <= 0 {
			a, fa = b, fb
		} else {
			fa /= 2
		}
		b, fb = c, fc
	}
	return a
}

// ln 2 in two parts: small multiples of the first are exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
	log2e   = 1.44269504088896338700
)

// exp is [math.Exp] to about 1e-15, with the same bits on every machine.
func exp(x float64) float64 {
	x = bounded(x, -700, 700)
	n := math.Floor(float64(x*log2e) + 0.5)
	r := x - float64(n*ln2High) - float64(n*ln2Low) // |r| <= ln 2 / 2
	sum := 1.0
	for k := 14.0; k > 0; k-- {
		sum = 1 + float64(r*sum)/k
	}
	return math.Ldexp(sum, int(n))
}
