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

// Opening is the start position and first moves of a pair of games.
type Opening struct {
	Start game.Position
	Moves []game.Move
}

// Openings returns the opening of a round, numbered from 0. It is deterministic. Run
// makes one call at a time.
type Openings func(ctx context.Context, round int) (Opening, error)

// RandomOpenings returns openings with the given number of random plies.
func RandomOpenings(start game.Position, plies int, seed uint64) Openings {
	return func(_ context.Context, round int) (Opening, error) {
		return Opening{start, RandomOpening(start, plies, rand.NewPCG(seed, uint64(round)))}, nil
	}
}

// bandTries is the number of random openings tried to find one in a band.
const bandTries = 1_000

// BandOpenings returns random openings whose value, from the view of the first side, lies in
// a band, both ends included. value returns the score for the side to move. An opening fails if bandTries random openings all lie
// outside the band.
func BandOpenings(start game.Position, plies int, seed uint64, low, high int, value func(context.Context, game.Position) int) Openings {
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
				return Opening{}, fmt.Errorf("evaluating it: %w", err)
			}
			if p.Turn() == game.Second {
				v = -v
			}
			if low <= v && v <= high {
				return Opening{start, moves}, nil
			}
		}
		return Opening{}, fmt.Errorf("none of %d random openings of %d plies has a value from %d to %d: use a wider band or another number of plies",
			bandTries, plies, low, high)
	}
}

// ListOpenings returns the openings of a non-empty list in order, cyclically.
func ListOpenings(list []Opening) Openings {
	return func(_ context.Context, round int) (Opening, error) { return list[round%len(list)], nil }
}

// ReadOpenings parses openings, one a line: either moves from start in the game's
// notation, or "position TEXT", optionally followed by "moves" and moves. It skips
// empty lines and lines that begin with #. The error names the line.
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
		return nil, errors.New("no openings: write a line of moves, or position TEXT, for each")
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
	if m.Over() {
		return Opening{}, errors.New("the opening ends the game")
	}
	return Opening{m.Start(), m.Moves()}, nil
}

// RandomOpening returns random plies from a position after which the game is not
// over. After ten failed attempts it returns the moves of the last one.
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
