package arena

import (
	"cmp"
	"math"
	"slices"
)

// Rating is a player's rating.
type Rating struct {
	Player int     // index of Standings.Players
	Elo    float64 // on the logistic scale; the mean of all players with games is 0
	Error  float64 // half the width of the 95 % confidence interval; 0 after a sweep
	Swept  bool    // whether the player has won, or lost, every game: there is no interval

	// Superiority is the likelihood of superiority over the next player of the list,
	// from 0 to 1; ½ for the last.
	Superiority float64
}

// Ratings returns the ratings, best first.
//
// They are the maximum likelihood ratings of the Bradley-Terry model (1952) on the
// Elo scale, with a draw as half a win and half a loss: every player's expected score
// equals its actual score. No finite ratings do that if some players took no point from
// the rest (Ford, 1957). A sweep between players whom no chain of points connects both ways
// counts as if a quarter of a game had gone the other way, as in Score.Elo.
//
// Errors use the squared deviations of pairs from the expected score instead of the model's
// variance (the sandwich estimator of Huber, 1967), which is wrong where openings favour a
// side. A player without games has the rating 0 and the error 0.
func (s *Standings) Ratings() []Rating {
	b := newBradleyTerry(s)
	for range 100 {
		if b.newtonStep() < 1e-9 {
			break
		}
	}
	b.center() // bounded steps move the mean
	variances := b.covariance()
	ratings := make([]Rating, len(s.Players))
	for i := range s.Players {
		ratings[i] = Rating{Player: i, Elo: b.elo[i], Superiority: 0.5}
		if ratings[i].Swept = s.Players[i].swept(); s.Players[i].Games > 0 && !ratings[i].Swept {
			ratings[i].Error = 1.96 * math.Sqrt(max(variances[i][i], 0))
		}
	}
	slices.SortStableFunc(ratings, func(a, b Rating) int { return cmp.Compare(b.Elo, a.Elo) })
	for n := range len(ratings) - 1 {
		i, j := ratings[n].Player, ratings[n+1].Player
		ratings[n].Superiority = probabilityPositive(b.elo[i]-b.elo[j], variances[i][i]+variances[j][j]-2*variances[i][j])
	}
	return ratings
}

// probabilityPositive returns the probability that a normal variable exceeds 0.
func probabilityPositive(mean, variance float64) float64 {
	if mean == 0 {
		return 0.5
	}
	return (1 + math.Erf(mean/math.Sqrt(2*max(variance, 1e-12)))) / 2
}

// pairResult is the statistics of a pairing that ratings need.
type pairResult struct {
	a, b               int
	n, share, variance float64 // number of pairs, mean and variance of a's share
}

// bradleyTerry is the model: the ratings and the results to fit.
type bradleyTerry struct {
	elo      []float64
	meetings []pairResult
}

func newBradleyTerry(s *Standings) *bradleyTerry {
	b := &bradleyTerry{elo: make([]float64, len(s.Players))}
	took := chains(s)
	for _, p := range s.Pairings {
		n, mean, variance := moments(p.Score.Pentanomial)
		if n == 0 {
			continue
		}
		if !took[p.A][p.B] || !took[p.B][p.A] {
			edge := 1 / (8 * n)
			mean = min(max(mean, edge), 1-edge)
		}
		b.meetings = append(b.meetings, pairResult{p.A, p.B, n, mean, variance})
	}
	return b
}

// chains returns for every two players whether the first took points from the second, or
// from somebody who did, and so on (Warshall's algorithm).
func chains(s *Standings) [][]bool {
	took := make([][]bool, len(s.Players))
	for i := range took {
		took[i] = make([]bool, len(s.Players))
	}
	for _, p := range s.Pairings {
		n, mean, _ := moments(p.Score.Pentanomial)
		took[p.A][p.B], took[p.B][p.A] = n > 0 && mean > 0, n > 0 && mean < 1
	}
	for via, onward := range took {
		for _, row := range took {
			if !row[via] {
				continue
			}
			for j, ok := range onward {
				row[j] = row[j] || ok
			}
		}
	}
	return took
}

// perElo is the slope of the log-odds per Elo.
const perElo = math.Ln10 / 400

// ridge keeps the matrix regular for players without games. It is not part of the
// gradient, so that it moves no rating, and too small to affect an error.
const ridge = 1e-7

// informationMatrix returns the negative Hessian of the log-likelihood, by Elo.
func (b *bradleyTerry) informationMatrix() [][]float64 {
	m := zeroMatrix(len(b.elo))
	for _, g := range b.meetings {
		p := shareOf(b.elo[g.a] - b.elo[g.b])
		addDifference(m, g, g.n*p*(1-p)*perElo)
	}
	for i := range m {
		m[i][i] += ridge
		for j := range m { // the mean is undetermined: hold it at 0
			m[i][j] += perElo / float64(len(m)*len(m))
		}
	}
	return m
}

// addDifference adds the weighted Laplacian term of two players to a matrix.
func addDifference(m [][]float64, g pairResult, weight float64) {
	m[g.a][g.a] += weight
	m[g.b][g.b] += weight
	m[g.a][g.b] -= weight
	m[g.b][g.a] -= weight
}

// newtonStep takes one step of Newton's method, at most 200 Elo per player, and
// returns the largest change.
func (b *bradleyTerry) newtonStep() (most float64) {
	slope := make([]float64, len(b.elo))
	for _, g := range b.meetings {
		d := g.n * (g.share - shareOf(b.elo[g.a]-b.elo[g.b]))
		slope[g.a] += d
		slope[g.b] -= d
	}
	inverse := invert(b.informationMatrix())
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

// center makes the mean of the players with games 0, and the others' ratings, too.
func (b *bradleyTerry) center() {
	played := map[int]bool{}
	for _, g := range b.meetings {
		played[g.a], played[g.b] = true, true
	}
	var mean float64
	for i := range b.elo {
		if !played[i] {
			b.elo[i] = 0
		}
		mean += b.elo[i] / float64(max(len(played), 1))
	}
	for i := range b.elo {
		if played[i] {
			b.elo[i] -= mean
		}
	}
}

// covariance returns the covariance matrix of the ratings.
func (b *bradleyTerry) covariance() [][]float64 {
	n := len(b.elo)
	noise := zeroMatrix(n)
	for _, g := range b.meetings {
		deviation := g.share - shareOf(b.elo[g.a]-b.elo[g.b])
		addDifference(noise, g, g.n*settled(g.n, g.variance+deviation*deviation))
	}
	inverse := invert(b.informationMatrix())
	return multiply(multiply(inverse, noise), inverse)
}

func zeroMatrix(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

func multiply(a, b [][]float64) [][]float64 {
	m := zeroMatrix(len(a))
	for i := range a {
		for j := range b {
			for k := range b {
				m[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return m
}

// invert returns the inverse of a positive definite matrix by Gauss-Jordan
// elimination. It overwrites the matrix.
func invert(m [][]float64) [][]float64 {
	inverse := zeroMatrix(len(m))
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
