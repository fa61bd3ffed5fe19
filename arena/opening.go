package arena

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"quintet/game"
)

// Opening is how a pair of games begins before the players take over.
type Opening struct {
	Start game.Position
	Moves []game.Move
}

// Openings makes the opening of a round, numbered from 0: the same for the same
// number. Run asks for one at a time.
type Openings func(ctx context.Context, round int) (Opening, error)

// RandomOpenings returns openings of so many random plies.
func RandomOpenings(start game.Position, plies int, seed uint64) Openings {
	return func(_ context.Context, round int) (Opening, error) {
		return Opening{start, RandomOpening(start, plies, rand.NewPCG(seed, uint64(round)))}, nil
	}
}

// Band is an interval of scores from the view of the first side of a game, both
// ends included.
type Band struct{ Low, High int }

// bandTries is how many random openings are looked at for one in a band.
const bandTries = 1_000

// BandOpenings returns openings of so many random plies whose value is in a
// band. The value is from the view of the side to move. If a thousand openings
// have other values, that is an error.
func BandOpenings(start game.Position, plies int, seed uint64, b Band, value func(context.Context, game.Position) int) Openings {
	return func(ctx context.Context, round int) (Opening, error) {
		r := rand.NewPCG(seed, uint64(round))
		for range bandTries {
			moves := RandomOpening(start, plies, r)
			p := start.Clone()
			for _, mv := range moves {
				p.Play(mv)
			}
			if len(moves) < plies || p.Result().Over() {
				continue
			}
			v := value(ctx, p)
			if err := ctx.Err(); err != nil {
				return Opening{}, fmt.Errorf("valuing it: %w", err)
			}
			if p.Turn() == game.Second {
				v = -v
			}
			if b.Low <= v && v <= b.High {
				return Opening{start, moves}, nil
			}
		}
		return Opening{}, fmt.Errorf("none of %d random openings of %d plies has a value from %d to %d: want a wider band or another number of plies",
			bandTries, plies, b.Low, b.High)
	}
}

// ListOpenings returns openings of a list, which is not empty, in their order;
// behind the last comes the first again.
func ListOpenings(list []Opening) Openings {
	return func(_ context.Context, round int) (Opening, error) { return list[round%len(list)], nil }
}

// ReadOpenings reads openings, one a line: moves in the game's notation, played
// from start; or the word "position" with the text of a position, and behind it,
// if wanted, the word "moves" with moves. Empty lines and lines that begin with
// # are left out. The error names the line.
func ReadOpenings(r io.Reader, g game.Game, start game.Position) (list []Opening, err error) {
	s := bufio.NewScanner(r)
	for number := 1; s.Scan(); number++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		o, err := readOpening(text, g, start)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		list = append(list, o)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("reading openings: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("no openings: want a line of moves, or position TEXT, for each")
	}
	return list, nil
}

func readOpening(text string, g game.Game, start game.Position) (Opening, error) {
	words := strings.Fields(text)
	if words[0] == "position" {
		end := slices.Index(words, "moves")
		if end < 0 {
			end = len(words)
		}
		p, err := g.Read(strings.Join(words[1:end], " "))
		if err != nil {
			return Opening{}, fmt.Errorf("position: %w", err)
		}
		start, words = p, words[min(end+1, len(words)):]
	}
	m := game.NewMatch(g, start)
	for _, w := range words {
		if err := m.PlayText(w); err != nil {
			return Opening{}, err
		}
	}
	if m.Outcome().Result.Over() {
		return Opening{}, errors.New("the game is over behind it: want an opening that leaves something to play")
	}
	return Opening{m.Start(), m.Moves()}, nil
}

// RandomOpening returns so many random plies from a position, after which the
// game is not over. If ten tries find none, it returns as many as there are.
func RandomOpening(start game.Position, plies int, r *rand.PCG) (moves []game.Move) {
	for range 10 {
		p := start.Clone()
		moves = nil
		for len(moves) < plies {
			mv := game.Sample(p, r, nil)
			if mv == 0 {
				break
			}
			moves = append(moves, mv)
			p.Play(mv)
		}
		if !p.Result().Over() {
			break
		}
	}
	return moves
}
