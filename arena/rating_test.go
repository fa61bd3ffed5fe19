package arena_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/arena"
)

// tournament draws a round robin of players of known strength.
func tournament(r *rand.Rand, truth []float64, pairs int, bias float64) (s arena.Standings) {
	s.Players = make([]arena.Standing, len(truth))
	for a := range truth {
		for b := a + 1; b < len(truth); b++ {
			p := arena.Pairing{A: a, B: b}
			for range pairs {
				p.Score.Pentanomial[drawPair(r, truth[a]-truth[b], bias)]++
			}
			s.Players[a].Games += 2 * pairs
			s.Players[b].Games += 2 * pairs
			s.Pairings = append(s.Pairings, p)
		}
	}
	return s
}

// TestRatings simulates round robins of players of known strength, with and without
// openings that favour a side. The intervals hold the true rating in 95 of 100 cases, and
// players called superior with at least 90 % are so in at least 9 of 10 cases.
func TestRatings(t *testing.T) {
	const runs = 400
	truth := []float64{60, 20, 10, -30, -60}
	r := rand.New(rand.NewPCG(3, 3))
	for _, bias := range []float64{0, 150} {
		held, superior, right := 0, 0, 0
		for range runs {
			s := tournament(r, truth, 60, bias)
			ratings := s.Ratings()
			for i, rating := range ratings {
				if math.Abs(rating.Elo-truth[rating.Player]) <= rating.Error {
					held++
				}
				if rating.Superiority >= 0.9 {
					superior++
					if truth[rating.Player] > truth[ratings[i+1].Player] {
						right++
					}
				}
			}
		}
		if all := runs * len(truth); held < all*93/100 || held > all*97/100 {
			t.Errorf("openings worth %.0f: %d of %d intervals hold the truth, want 95 %%", bias, held, all)
		}
		if superior < runs || right < superior*9/10 {
			t.Errorf("openings worth %.0f: %d of %d who are called superior are", bias, right, superior)
		}
	}
}

// TestRatingsOfMany simulates leagues in which many players of similar or of very different strength play two games
// against each other, so that many pairings are swept. Ratings are as far apart as the strengths, on average, and the
// intervals hold the true rating in at least 95 of 100 cases.
func TestRatingsOfMany(t *testing.T) {
	const runs, players = 60, 24
	r := rand.New(rand.NewPCG(4, 4))
	for _, spread := range []float64{0, 100, 250} {
		var along, squares float64
		held := 0
		for range runs {
			truth := make([]float64, players)
			var mean float64
			for i := range truth {
				truth[i] = spread * r.NormFloat64()
				mean += truth[i] / players
			}
			s := tournament(r, truth, 1, 100)
			for _, rating := range s.Ratings() {
				strength := truth[rating.Player] - mean
				along += strength * rating.Elo
				squares += strength * strength
				if math.Abs(rating.Elo-strength) <= rating.Error {
					held++
				}
			}
		}
		if slope := along / squares; slope < 0.95 || slope > 1.1 { // without a spread it is not a number
			t.Errorf("spread %v: the ratings are %.2f times as far apart as the strengths", spread, slope)
		}
		if held < runs*players*94/100 {
			t.Errorf("spread %v: %d of %d intervals hold the truth, want 95 %%", spread, held, runs*players)
		}
	}
}

// TestRatingsOfTwo compares the ratings of two players with their score.
func TestRatingsOfTwo(t *testing.T) {
	for _, pentanomial := range [][5]int{{1, 2, 10, 5, 2}, {0, 0, 1, 0, 0}, {0, 0, 0, 0, 7}, {3, 0, 0, 0, 0}, {10, 0, 3, 0, 14}} {
		score := arena.Score{Pentanomial: pentanomial}
		s := arena.Standings{Players: []arena.Standing{{Games: 2}, {Games: 2}}, Pairings: []arena.Pairing{{A: 0, B: 1, Score: score}}}
		elo, margin := score.Elo()
		best := s.Ratings()[0]
		if math.Abs(best.Elo-math.Abs(elo)/2) > 1e-3 || math.Abs(best.Error-margin/2) > margin/1000 {
			t.Errorf("%v: %+.4f ± %.4f, want half of %+.4f ± %.4f", pentanomial, best.Elo, best.Error, elo, margin)
		}
	}
}

// TestRatingsExplain checks that every player's expected score equals its actual score:
// there the likelihood is greatest.
func TestRatingsExplain(t *testing.T) {
	s := tournament(rand.New(rand.NewPCG(5, 5)), []float64{300, 0, -100, -200}, 50, 0)
	elo := make([]float64, len(s.Players))
	var sum float64
	for _, r := range s.Ratings() {
		elo[r.Player] = r.Elo
		sum += r.Elo
	}
	if math.Abs(sum) > 1e-6 {
		t.Errorf("the ratings add up to %g", sum)
	}
	surplus := make([]float64, len(s.Players))
	for _, p := range s.Pairings {
		var made float64
		for i, n := range p.Score.Pentanomial {
			made += float64(i) / 4 * float64(n)
		}
		d := made - 50/(1+math.Pow(10, (elo[p.B]-elo[p.A])/400))
		surplus[p.A] += d
		surplus[p.B] -= d
	}
	for i, d := range surplus {
		if math.Abs(d) > 1e-6 {
			t.Errorf("player %d has made %g pairs more than expected", i, d)
		}
	}
}

// TestRatingsOfFewGames checks that ratings are finite for any set of games.
func TestRatingsOfFewGames(t *testing.T) {
	s := tournament(rand.New(rand.NewPCG(1, 1)), []float64{0, 0, 0}, 0, 0)
	for _, r := range s.Ratings() {
		if r != (arena.Rating{Player: r.Player, Superiority: 0.5}) {
			t.Errorf("without games: %+v", r)
		}
	}
	s.Pairings[0].Score.Pentanomial[4], s.Players[0].Games, s.Players[1].Games = 1000, 2000, 2000
	ratings := s.Ratings()
	for i, player := range []int{0, 2, 1} {
		r := ratings[i]
		if r.Player != player || math.IsNaN(r.Elo) || math.IsInf(r.Elo, 0) || math.IsNaN(r.Error) || math.Abs(r.Elo) > 2000 {
			t.Errorf("one pairing, all won: %+v", r)
		}
	}
	if r := ratings[1]; math.Abs(r.Elo) > 0.01 || r.Error != 0 {
		t.Errorf("the player without games: %+v", r)
	}
	s = tournament(rand.New(rand.NewPCG(1, 1)), []float64{0, 0, 0, 0}, 0, 0)
	for i, p := range s.Pairings { // the first player wins all against two, and the fourth has not played
		if p.A == 0 && p.B < 3 {
			s.Pairings[i].Score.Pentanomial[4] = 10
		}
	}
	for _, r := range s.Ratings() {
		if r.Player == 3 && r.Elo != 0 {
			t.Errorf("after sweeps of others, the player without games: %+v", r)
		}
	}
}

// TestWriteSVG reads the picture as XML and looks for what it has to show.
func TestWriteSVG(t *testing.T) {
	s := tournament(rand.New(rand.NewPCG(1, 1)), []float64{200, 0, -100}, 20, 0)
	s.Players[0].Name, s.Players[1].Name, s.Players[2].Name = "<strong> & \"quoted\"", strings.Repeat("long ", 30), "weak\x00"
	s.Players = append(s.Players, arena.Standing{Name: "absent"})
	var b bytes.Buffer
	if err := s.WriteSVG(&b, "Othello: 120 games"); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&b)
	var texts []string
	circles := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.StartElement:
			if token.Name.Local == "circle" {
				circles++
			}
		}
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"Othello: 120 games", `<strong> & "quoted"`, "long long", "…", "±", "no games", "absent"} {
		if !strings.Contains(all, want) {
			t.Errorf("the picture does not say %q: %s", want, all)
		}
	}
	if circles != 3 {
		t.Errorf("%d players have a mark, want 3", circles)
	}
	if err := s.WriteSVG(broken{}, ""); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("to a broken output: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
