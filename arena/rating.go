package arena

import (
	"cmp"
	"math"
	"slices"
)

// Rating is how strong a player is by the games of all.
type Rating struct {
	Player int     // index of Standings.Players
	Elo    float64 // on the logistic scale; the mean of all players is 0
	Error  float64 // half the width of the interval that holds the true value with 95 %

	// Superiority is the likelihood, from 0 to 1, that the player is stronger
	// than the next one of the list; ½ for the last.
	Superiority float64
}

// Ratings returns the ratings, the best first.
//
// They are those under which the results are the most likely, in the model of
// Bradley and Terry (1952) on the Elo scale, a draw being half a win and half a
// loss: the expected score of every player against all it has met is the one
// that it has made. A pairing that was won or lost outright counts as if a
// quarter of a game had gone the other way, as in Score.Elo, so that all ratings
// are finite. Errors are those of pairs, as in Score.Elo: the variance of the
// pairs of a pairing takes the place of that of the model (the sandwich
// estimator of Huber, 1967), which is too small or too large where openings
// favour a side. A player without games has the rating 0 and the error 0.
func (s *Standings) Ratings() []Rating {
	b := newBradley(s)
	for range 100 {
		if b.improve() < 1e-9 {
			break
		}
	}
	variances := b.covariance()
	ratings := make([]Rating, len(s.Players))
	for i := range s.Players {
		ratings[i] = Rating{Player: i, Elo: b.elo[i], Superiority: 0.5}
		if s.Players[i].Games > 0 {
			ratings[i].Error = 1.96 * math.Sqrt(max(variances[i][i], 0))
		}
	}
	slices.SortStableFunc(ratings, func(a, b Rating) int { return cmp.Compare(b.Elo, a.Elo) })
	for n := range len(ratings) - 1 {
		i, j := ratings[n].Player, ratings[n+1].Player
		ratings[n].Superiority = likelihood(b.elo[i]-b.elo[j], variances[i][i]+variances[j][j]-2*variances[i][j])
	}
	return ratings
}

// likelihood returns how likely a normal variable of a mean and variance is
// above 0.
func likelihood(mean, variance float64) float64 {
	if mean == 0 {
		return 0.5
	}
	return (1 + math.Erf(mean/math.Sqrt(2*max(variance, 1e-12)))) / 2
}

// meeting is what a rating uses of a pairing.
type meeting struct {
	a, b               int
	n, share, variance float64 // pairs, their mean and variance of a's share
}

// bradley is the model: ratings, and the meetings that they are to explain.
type bradley struct {
	elo      []float64
	meetings []meeting
}

func newBradley(s *Standings) *bradley {
	b := &bradley{elo: make([]float64, len(s.Players))}
	for _, p := range s.Pairings {
		n, mean, variance := moments(p.Score.Pentanomial)
		if n == 0 {
			continue
		}
		edge := 1 / (8 * n)
		b.meetings = append(b.meetings, meeting{p.A, p.B, n, min(max(mean, edge), 1-edge), max(variance, edge*edge)})
	}
	return b
}

// perElo is the slope of the logarithm of the odds, by Elo.
const perElo = math.Ln10 / 400

// ridge keeps the matrix of a player without games from being singular. It is
// not in the slope, so that it moves no rating, and too small to be seen in an
// error.
const ridge = 1e-7

// information returns the matrix of second derivatives of the logarithm of the
// likelihood, by Elo and with its sign turned.
func (b *bradley) information() [][]float64 {
	m := square(len(b.elo))
	for _, g := range b.meetings {
		p := shareOf(b.elo[g.a] - b.elo[g.b])
		spread(m, g, g.n*p*(1-p)*perElo)
	}
	for i := range m {
		m[i][i] += ridge
		for j := range m { // the mean is not known: hold it at 0
			m[i][j] += perElo / float64(len(m)*len(m))
		}
	}
	return m
}

// spread adds a weight for the difference of two players to a matrix.
func spread(m [][]float64, g meeting, weight float64) {
	m[g.a][g.a] += weight
	m[g.b][g.b] += weight
	m[g.a][g.b] -= weight
	m[g.b][g.a] -= weight
}

// improve takes a step of Newton's method, of at most 200 Elo for each player,
// and returns the largest change.
func (b *bradley) improve() (most float64) {
	slope := make([]float64, len(b.elo))
	for _, g := range b.meetings {
		d := g.n * (g.share - shareOf(b.elo[g.a]-b.elo[g.b]))
		slope[g.a] += d
		slope[g.b] -= d
	}
	inverse := invert(b.information())
	for i := range b.elo {
		var step float64
		for j, d := range slope {
			step += inverse[i][j] * d
		}
		step = min(max(step, -200), 200)
		b.elo[i] += step
		most = max(most, math.Abs(step))
	}
	return most
}

// covariance returns the variances of the ratings and how they go together.
func (b *bradley) covariance() [][]float64 {
	n := len(b.elo)
	noise := square(n)
	for _, g := range b.meetings {
		spread(noise, g, g.n*g.variance)
	}
	inverse := invert(b.information())
	return product(product(inverse, noise), inverse)
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

func product(a, b [][]float64) [][]float64 {
	m := square(len(a))
	for i := range a {
		for j := range b {
			for k := range b {
				m[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return m
}

// invert returns the inverse of a positive definite matrix, by elimination
// (Gauss and Jordan), and changes the matrix.
func invert(m [][]float64) [][]float64 {
	inverse := square(len(m))
	for i := range m {
		inverse[i][i] = 1
	}
	for i := range m {
		pivot := 1 / m[i][i]
		for k := range m {
			m[i][k] *= pivot
			inverse[i][k] *= pivot
		}
		for j := range m {
			if factor := m[j][i]; j != i && factor != 0 {
				for k := range m {
					m[j][k] -= factor * m[i][k]
					inverse[j][k] -= factor * inverse[i][k]
				}
			}
		}
	}
	return inverse
}
