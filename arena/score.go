package arena

import "math"

// Score is what a pairing has come to, from the view of player A, its first.
type Score struct {
	Wins        int    `json:"wins"`
	Losses      int    `json:"losses"`
	Draws       int    `json:"draws"`
	Pentanomial [5]int `json:"pentanomial"` // pairs in which A made 0, ½, 1, 1½ and 2 points
	Illegal     int    `json:"illegal"`     // games that either player lost so
	TimeLosses  int    `json:"time_losses"`
	Crashes     int    `json:"crashes"`
	Resigned    int    `json:"resignations"`
	Adjudicated int    `json:"adjudicated"` // games that ended because both players agreed
	MaxPlies    int    `json:"max_plies"`   // games that were drawn for their length
	Repeated    int    `json:"repeated"`    // games that went move for move like an earlier one

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

// add counts a pair of games, the first of which player A began.
func (s *Score) add(games [2]Record) {
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
		s.count(g.End)
	}
	s.Pentanomial[half]++
}

// count counts the ends that are worth a remark.
func (s *Score) count(e End) {
	switch e {
	case Illegal:
		s.Illegal++
	case TimeLoss:
		s.TimeLosses++
	case Crash:
		s.Crashes++
	case Resigned:
		s.Resigned++
	case Agreed:
		s.Adjudicated++
	case MaxPlies:
		s.MaxPlies++
	}
}

// Share returns A's points as a share of all, from 0 to 1.
func (s *Score) Share() float64 {
	if s.Games() == 0 {
		return 0.5
	}
	return (float64(s.Wins) + float64(s.Draws)/2) / float64(s.Games())
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

// Elo returns by how many points of the logistic Elo scale A is ahead, and the
// half width of the interval that holds the true value with 95 %. Both are
// finite: a score of nothing or everything is counted as if a quarter of a game
// had gone the other way, and then the error is not to be trusted.
func (s *Score) Elo() (elo, margin float64) {
	n, mean, variance := moments(s.Pentanomial)
	if n == 0 {
		return 0, 0
	}
	edge := 1 / (8 * n)
	mean = min(max(mean, edge), 1-edge)
	slope := 400 / math.Ln10 / (mean * (1 - mean))
	return eloOf(mean), 1.96 * math.Sqrt(max(variance, edge*edge)/n) * slope
}

func eloOf(share float64) float64 { return -400 * math.Log10(1/share-1) }

func shareOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Superiority returns the likelihood that A is the stronger player, from 0 to
// 1, for a normal distribution of the score.
func (s *Score) Superiority() float64 {
	n, mean, variance := moments(s.Pentanomial)
	if n == 0 {
		return 0.5
	}
	return likelihood(mean-0.5, max(variance, 1e-9)/n)
}

// SPRT is a sequential probability ratio test (Wald, 1945) of two hypotheses:
// that A is ahead by Elo0, and that it is ahead by Elo1. The match goes on until
// one has become so much more likely that accepting it is wrong in one case of
// twenty.
type SPRT struct {
	Elo0 float64 `json:"elo0"`
	Elo1 float64 `json:"elo1"`
}

// errorRate is the share of wrong decisions that is accepted, either way.
const errorRate = 0.05

// bounds returns where the test decides.
func (*SPRT) bounds() (low, high float64) {
	return math.Log(errorRate / (1 - errorRate)), math.Log((1 - errorRate) / errorRate)
}

// LLR returns the logarithm of the likelihood ratio of the hypotheses, in the
// normal approximation for pairs (Van den Bergh, "The generalized SPRT", as in
// fishtest).
func (t *SPRT) LLR(pentanomial [5]int) float64 {
	n, mean, variance := moments(pentanomial)
	if n == 0 {
		return 0
	}
	// A few equal pairs do not make the variance nothing.
	variance = (variance*n + 0.125) / (n + 1)
	s0, s1 := shareOf(t.Elo0), shareOf(t.Elo1)
	return n * (s1 - s0) * (2*mean - s0 - s1) / (2 * variance)
}

// Decided reports whether the test can stop.
func (t *SPRT) Decided(llr float64) bool {
	low, high := t.bounds()
	return llr <= low || llr >= high
}

// Verdict returns "H1" if A is taken to be ahead by Elo1, "H0" if by Elo0, and
// "open" if the test has not decided.
func (t *SPRT) Verdict(llr float64) string {
	low, high := t.bounds()
	switch {
	case llr >= high:
		return "H1"
	case llr <= low:
		return "H0"
	}
	return "open"
}
