package arena_test

import (
	"context"
	"testing"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
)

// scorer plays at random and returns preset scores, from the view of the first side.
type scorer struct {
	fake
	says  func(ply int) (score int, ok bool)
	score int
	known bool
}

func (s *scorer) Score() (int, bool) { return s.score, s.known }

func (s *scorer) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	s.score, s.known = s.says(len(m.Moves()) + 1)
	if m.Position().Turn() == game.Second {
		s.score = -s.score
	}
	return s.fake.Choose(ctx, m, l)
}

// TestAdjudicate lets players say things, and looks where the game ends. There
// are no openings; plies are counted from 1.
func TestAdjudicate(t *testing.T) {
	always := func(score int) func(int) (int, bool) {
		return func(int) (int, bool) { return score, true }
	}
	win := arena.Adjudication{Win: arena.Agreement{Score: 500, Plies: 4}}
	draw := arena.Adjudication{Draw: arena.Agreement{Score: 10, Plies: 6, From: 20}}
	for name, test := range map[string]struct {
		game   string
		a, b   func(ply int) (int, bool) // nil for a player that says nothing
		rule   arena.Adjudication
		plies  int // 0 for a game that is played to its end
		result game.Result
	}{
		"the first side is ahead":  {"othello", always(500), always(700), win, 4, game.FirstWins},
		"the second side is ahead": {"othello", always(-500), always(-501), win, 4, game.SecondWins},
		"not by enough":            {"othello", always(499), always(700), win, 0, 0},
		"each says it is ahead":    {"othello", always(500), always(-500), win, 0, 0},
		"one says nothing":         {"othello", always(500), nil, win, 0, 0},
		"not always known":         {"othello", always(500), func(ply int) (int, bool) { return 700, ply%4 > 0 }, win, 0, 0},
		"only later": {"othello", always(500), func(ply int) (int, bool) {
			if ply < 9 {
				return 0, true
			}
			return 600, true
		}, win, 12, game.FirstWins},
		"from a ply on":                     {"othello", always(900), always(900), arena.Adjudication{Win: arena.Agreement{Score: 500, Plies: 2, From: 30}}, 30, game.FirstWins},
		"a draw":                            {"othello", always(10), always(-10), draw, 20, game.Draw},
		"not level enough":                  {"othello", always(10), always(-11), draw, 0, 0},
		"a draw, not a win":                 {"othello", always(5), always(5), arena.Adjudication{Win: arena.Agreement{Score: 1, Plies: 2}, Draw: arena.Agreement{Score: 5, Plies: 2}}, 2, game.Draw},
		"two stones of a turn are one side": {"connect6", always(900), always(900), arena.Adjudication{Win: arena.Agreement{Score: 500, Plies: 2}}, 2, game.FirstWins},
		"off":                               {"othello", always(30_000), always(30_000), arena.Adjudication{}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, test.game, fake{}, fake{})
			o.Games, o.Openings, o.Adjudicate = 1, nil, test.rule
			for i, says := range []func(int) (int, bool){test.a, test.b} {
				if says != nil {
					o.Entrants[i].Make = func() (engine.Player, error) { return &scorer{says: says}, nil }
				}
			}
			var first *arena.Record
			o.Save = func(r arena.Record) error {
				if r.Number == 0 {
					first = &r
				}
				return nil
			}
			s := run(t, o)
			if test.plies == 0 && first.End != arena.ByRules {
				t.Fatalf("ended by %s after %d plies, want the rules", first.End, len(first.Moves))
			}
			if test.plies > 0 && (first.End != arena.Agreed || len(first.Moves) != test.plies || first.Result != test.result || s.Adjudicated == 0) {
				t.Errorf("%s by %s after %d plies, want %s after %d", first.Result, first.End, len(first.Moves), test.result, test.plies)
			}
		})
	}
}

// TestMaxPlies cuts games short.
func TestMaxPlies(t *testing.T) {
	o := options(t, "othello", fake{}, fake{})
	o.Games, o.Adjudicate.MaxPlies = 4, 10
	o.Save = func(r arena.Record) error {
		if len(r.Moves) != 10 || r.End != arena.MaxPlies || r.Result != game.Draw {
			t.Errorf("%s by %s after %d plies, want a draw after 10", r.Result, r.End, len(r.Moves))
		}
		return nil
	}
	if s := run(t, o); s.MaxPlies != 4 || s.Draws != 4 {
		t.Errorf("%+v, want 4 draws for length", s)
	}
}
