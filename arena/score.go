package arena

import (
	"fmt"
	"math"
	"slices"
)

// Counts are numbers of games, by result and by how they ended.
type Counts struct {
	Wins       int `json:"wins"`
	Losses     int `json:"losses"`
	Draws      int `json:"draws"`
	Illegal    int `json:"illegal"`
	TimeLosses int `json:"time_losses"`
	Crashes    int `json:"crashes"`
	Resigned   int `json:"resignations"`
}

// merge adds other games.
func (c *Counts) merge(o Counts) {
	c.Wins += o.Wins
	c.Losses += o.Losses
	c.Draws += o.Draws
	c.Illegal += o.Illegal
	c.TimeLosses += o.TimeLosses
	c.Crashes += o.Crashes
	c.Resigned += o.Resigned
}

// end counts how a game ended, if that is a fault or a resignation.
func (c *Counts) end(e End) {
	switch e {
	case Illegal:
		c.Illegal++
	case TimeLoss:
		c.TimeLosses++
	case Crash:
		c.Crashes++
	case Resigned:
		c.Resigned++
	}
}

// Share returns the points as a share of all, from 0 to 1.
func (c *Counts) Share() float64 {
	games := c.Wins + c.Losses + c.Draws
	if games == 0 {
		return 0.5
	}
	return (float64(c.Wins) + float64(c.Draws)/2) / float64(games)
}

// Score is the result of a pairing from the view of player A, its first. It counts the faults and resignations of both.
type Score struct {
	Counts
	Pentanomial [5]int `json:"pentanomial"` // number of pairs in which A scored 0, ½, 1, 1½ and 2 points
	Adjudicated int    `json:"adjudicated"` // games that ended by agreement of the scores
	MaxPlies    int    `json:"max_plies"`   // games drawn for their length
	Repeated    int    `json:"repeated"`    // games identical to an earlier one

	LLR float64 `json:"llr"` // of the SPRT; 0 without one
}

// Games returns the number of games.
func (s *Score) Games() int { return s.Wins + s.Losses + s.Draws }

// Pairs returns the number of pairs.
func (s *Score) Pairs() (n int) {
	for _, c := range s.Pentanomial {
		n += c
	}
	return n
}

// add counts a pair of games; player A moved first in the first one.
func (s *Score) add(games [2]Summary) {
	half := 0
	for i, g := range games {
		switch winner, ok := g.Result.Winner(); {
		case !ok:
			s.Draws++
			half++
		case int(winner) == i:
			s.Wins++
			half += 2
		default:
			s.Losses++
		}
		s.end(g.End)
		switch g.End {
		case Agreed:
			s.Adjudicated++
		case MaxPlies:
			s.MaxPlies++
		}
	}
	s.Pentanomial[half]++
}

// merge adds the games of another match of the same players.
func (s *Score) merge(o Score) {
	s.Counts.merge(o.Counts)
	s.Adjudicated += o.Adjudicated
	s.MaxPlies += o.MaxPlies
	s.Repeated += o.Repeated
	for i, c := range o.Pentanomial {
		s.Pentanomial[i] += c
	}
}

// swapped returns the score from the view of player B.
func (s Score) swapped() Score {
	s.Wins, s.Losses = s.Losses, s.Wins
	slices.Reverse(s.Pentanomial[:])
	return s
}

// moments returns the mean of A's share in a pair and its variance.
func moments(pentanomial [5]int) (n, mean, variance float64) {
	for i, c := range pentanomial {
		n += float64(c)
		mean += float64(c) * float64(i) / 4
	}
	if n == 0 {
		return 0, 0.5, 0
	}
	mean /= n
	for i, c := range pentanomial {
		d := float64(i)/4 - mean
		variance += float64(c) * d * d
	}
	return n, mean, variance / n
}

// settled returns the variance of pairs with the prior of one pair of independent
// games, so that a few equal pairs do not make it 0.
func settled(n, variance float64) float64 { return (variance*n + 0.125) / (n + 1) }

// Elo returns A's lead on the logistic Elo scale and half the width of its 95 %
// confidence interval. Both are finite: a perfect score counts as if a quarter of a
// game had gone the other way. It has no interval; see EloBound.
func (s *Score) Elo() (elo, margin float64) {
	n, mean, variance := moments(s.Pentanomial)
	if n == 0 {
		return 0, 0
	}
	edge := 1 / (8 * n)
	mean = min(max(mean, edge), 1-edge)
	slope := 400 / math.Ln10 / (mean * (1 - mean))
	return eloOf(mean), 1.96 * math.Sqrt(settled(n, variance)/n) * slope
}

// EloBound returns the one-sided 95 % bound of A's lead after a sweep: a lower bound if A has won
// every game, an upper bound if it has lost every game. ok is false after any other score. If the
// lead were at the bound, at most one match in twenty would be such a sweep: openings that favour a
// side, draws and swapped colours make sweeping a pair less likely than winning twice from a
// neutral opening.
func (s *Score) EloBound() (bound float64, ok bool) {
	n := s.Pairs()
	if n == 0 || s.Pentanomial[0] != n && s.Pentanomial[4] != n {
		return 0, false
	}
	bound = eloOf(math.Pow(errorRate, 1/float64(2*n)))
	if s.Pentanomial[0] == n {
		bound = -bound
	}
	return bound, true
}

// EloText returns A's lead in words: "Elo +12 ± 30", or after a sweep
// "Elo > +275 (95 % bound)".
func (s *Score) EloText() string {
	signed := func(x float64) string { return fmt.Sprintf("%+.0f", math.Round(x)+0) } // nothing is +0
	switch bound, ok := s.EloBound(); {
	case ok && s.Pentanomial[0] > 0:
		return "Elo < " + signed(bound) + " (95 % bound)"
	case ok:
		return "Elo > " + signed(bound) + " (95 % bound)"
	}
	elo, margin := s.Elo()
	return fmt.Sprintf("Elo %s ± %.0f", signed(elo), margin)
}

func eloOf(share float64) float64 { return -400 * math.Log10(1/share-1) }

func shareOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Superiority returns the likelihood of superiority of A, from 0 to 1, for a normally
// distributed score.
func (s *Score) Superiority() float64 {
	n, mean, variance := moments(s.Pentanomial)
	return probabilityPositive(mean-0.5, settled(n, variance)/n)
}

// SPRT is a sequential probability ratio test (Wald, 1945) of two hypotheses: H0, A
// is ahead by Elo0, and H1, A is ahead by Elo1. The match stops when it can accept
// one with an error rate of 5 %.
type SPRT struct {
	Elo0 float64 `json:"elo0"`
	Elo1 float64 `json:"elo1"`
}

// errorRate is the accepted rate of false positives and of false negatives.
const errorRate = 0.05

// LLR returns the log-likelihood ratio of the hypotheses, in the normal approximation
// for pairs (Van den Bergh, "The generalized SPRT", as in fishtest).
func (t *SPRT) LLR(pentanomial [5]int) float64 {
	n, mean, variance := moments(pentanomial)
	if n == 0 {
		return 0
	}
	variance = settled(n, variance)
	s0, s1 := shareOf(t.Elo0), shareOf(t.Elo1)
	return n * (s1 - s0) * (2*mean - s0 - s1) / (2 * variance)
}

// Verdict returns "H1", "H0", or "open" if the test has not decided.
func (*SPRT) Verdict(llr float64) string {
	bound := math.Log((1 - errorRate) / errorRate)
	switch {
	case llr >= bound:
		return "H1"
	case llr <= -bound:
		return "H0"
	}
	return "open"
}
