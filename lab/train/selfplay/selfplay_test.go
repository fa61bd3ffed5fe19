package selfplay_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/games/loa"
	"quintet/lab/train/selfplay"
)

func plan(games int) *selfplay.Plan {
	know := engine.Knowledge{Eval: func(p game.Position) int { return game.Count(p, nil) }}
	return &selfplay.Plan{
		Game: loa.Game, Player: "mobility", Search: engine.NewAlphaBeta(know, 1, 1),
		Nodes: 40, Games: games, Seed: 1, Opening: 2, Spread: 3, Plies: 30,
	}
}

// record plays the games of a plan.
func record(t *testing.T, p *selfplay.Plan) (list []*selfplay.Game) {
	t.Helper()
	for i := range p.Games {
		text, err := p.Record(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		g, err := selfplay.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	return list
}

// TestDecode rejects damaged records.
func TestDecode(t *testing.T) {
	for name, text := range map[string]string{
		"a cut number": "\x01\xff", "a cut opening": "\x01\x7f", "a missing score": "\x01\x00\x05", "nothing": "",
	} {
		if g, err := selfplay.Decode([]byte(text)); err == nil {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestReplay checks that recorded games follow the rules and that their results are
// those of their last positions.
func TestReplay(t *testing.T) {
	p := plan(5)
	for _, g := range record(t, p) {
		m := game.NewMatch(loa.Game, loa.Start())
		for _, mv := range g.Opening {
			if err := m.Play(mv); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		err := g.Replay(loa.Start(), func(pos game.Position, ply selfplay.Ply) {
			if !reflect.DeepEqual(pos, m.Position()) || ply != g.Plies[n] {
				t.Fatalf("ply %d: %s, want %s", n, pos, m.Position())
			}
			n++
			if err := m.Play(ply.Move); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil || n != len(g.Plies) || n > p.Plies || g.Result != m.Outcome().Result {
			t.Errorf("%d of %d plies, result %v, want %v: %v", n, len(g.Plies), g.Result, m.Outcome().Result, err)
		}
	}
	bad := selfplay.Game{Plies: []selfplay.Ply{{Move: game.Shift(0, 1)}}}
	if err := bad.Replay(loa.Start(), func(game.Position, selfplay.Ply) {}); err == nil {
		t.Error("an illegal move: no error")
	}
}

// scripted plays the first legal move that keeps the game going, and says scores in turn.
type scripted struct {
	scores []int
	n      int
}

func (s *scripted) Reset() { s.n = 0 }

func (s *scripted) Search(_ context.Context, p engine.Position, _ engine.Limit, _ func(engine.Line)) engine.Line {
	score := s.scores[min(s.n, len(s.scores)-1)]
	s.n++
	return engine.Line{Moves: p.Moves(nil)[:1], Score: score}
}

// TestAdjudication ends games by the scores. First moves first.
func TestAdjudication(t *testing.T) {
	rule := selfplay.Adjudication{Win: 500, Draw: 20, Plies: 3, From: 5}
	for _, test := range []struct {
		name   string
		scores []int
		rule   selfplay.Adjudication
		plies  int
		want   game.Result
	}{
		{"none", []int{900, -900, 900, -900, 900, -900, 900, -900}, selfplay.Adjudication{}, 12, game.Ongoing},
		{"the first ahead", []int{0, -900, 500, -500, 900}, rule, 4, game.FirstWins},
		{"the second ahead", []int{-500, 500, -500}, rule, 3, game.SecondWins},
		{"the first ahead, the second moved last", []int{0, 500, -500, 0, -500, 500, -500, 500, -500, 500, -500}, rule, 7, game.SecondWins},
		{"both ahead", []int{900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900}, rule, 12, game.Ongoing},
		{"not enough", []int{499, -900, 900, -499, 499, -900, 900, -30, 499, -900, 900, -30}, rule, 12, game.Ongoing},
		{"level too early", []int{20, -20, 20, 300, 20, -20, 20, -20}, rule, 7, game.Draw},
		{"level from the start", []int{0}, rule, 5, game.Draw},
		{"not level", []int{21, -21, 21, -21, 20, -20, 21, 0, 0, -21, 21, 21}, rule, 12, game.Ongoing},
	} {
		p := plan(1)
		p.Search, p.Opening, p.Spread, p.Plies, p.Adjudication = &scripted{scores: test.scores}, 0, 0, 12, test.rule
		if g := record(t, p)[0]; len(g.Plies) != test.plies || g.Result != test.want {
			t.Errorf("%s: %v after %d plies, want %v after %d", test.name, g.Result, len(g.Plies), test.want, test.plies)
		}
		before := p.Header()
		if p.Win++; (p.Header() != before) != (test.rule.Plies > 0) {
			t.Errorf("%s: games of another adjudication are %q, too", test.name, before)
		}
	}
}

// shuffle moves a man to and fro.
type shuffle struct{}

func (shuffle) Reset() {}

func (shuffle) Search(_ context.Context, p engine.Position, _ engine.Limit, _ func(engine.Line)) engine.Line {
	text := map[string]string{"w": "b1c3", "b": "b8c6"}[strings.Fields(p.String())[1]]
	m, err := p.Parse(text)
	if err != nil || !game.Legal(p.Position, m) {
		m, _ = p.Parse(text[2:] + text[:2])
	}
	return engine.Line{Moves: []game.Move{m}}
}

// TestHalts plays a chess game that repeats when White has taken a pawn more.
func TestHalts(t *testing.T) {
	start, err := chess.Game.Read("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w")
	if err != nil {
		t.Fatal(err)
	}
	g := chess.Game
	g.New = func(game.Setup) (game.Position, error) { return start.Clone(), nil }
	for draw, want := range map[bool]game.Result{false: game.FirstWins, true: game.Draw} {
		p := plan(1)
		p.Game, p.Search, p.Opening, p.Spread, p.HaltsDraw = g, shuffle{}, 0, 0, draw
		if g := record(t, p)[0]; g.Result != want || len(g.Plies) != 8 {
			t.Errorf("halts draw %t: %v after %d plies, want %v", draw, g.Result, len(g.Plies), want)
		}
		before := p.Header()
		if p.HaltsDraw = !draw; p.Header() == before {
			t.Errorf("halts draw %t: games of the other kind have the same header", draw)
		}
	}
}
