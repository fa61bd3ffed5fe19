package local

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/review"
	"quintet/web/wire"
)

// reviewView is a review, or what has changed in it.
type reviewView struct {
	*reviewHead
	State    string             `json:"state"`
	Place    int                `json:"place"`
	Plies    []wire.Ply         `json:"plies"`
	Accuracy wire.Both[float64] `json:"accuracy"`
	Turning  int                `json:"turning"`
}

// reviewHead is the game that is reviewed, in the first line of the answer.
type reviewHead struct {
	ID       string     `json:"id"`
	Game     string     `json:"game"`
	Options  game.Setup `json:"options"`
	Position string     `json:"position"`
	Moves    []string   `json:"moves"`
}

// review assesses the moves of a game from the last to the first, in a line for each turn.
func (s *Service) review(ctx context.Context, q *Line, send func(any) error) error {
	m, err := q.match()
	switch {
	case err != nil:
		return err
	case len(m.Moves()) == 0:
		return wrong("moves", errors.New("the game has no moves to review"))
	}
	g := m.Game()
	search, err := bots.Searcher(g, bots.Options{Megabytes: megabytes, Cache: s.cache})
	if err != nil {
		return err
	}
	walk, err := review.NewWalk(g, m.Start(), m.Moves(), nil, bots.ProfileFor(g).Exact)
	if err != nil {
		return err
	}
	head := &reviewHead{"local", g.Name, g.SetupAt(m.Start(), q.Options), m.Start().String(), game.FormatMoves(m.Start(), m.Moves())}
	var all []wire.Ply
	for done := false; !done; head = nil {
		turn, err := walk.Step(ctx, search, s.limit(g))
		if err != nil {
			return err
		}
		list := wire.PliesOf(walk, turn)
		all, done = slices.Concat(list, all), walk.Done()
		v := reviewView{reviewHead: head, State: "running", Plies: append([]wire.Ply{}, list...)}
		if done {
			v.State = "done"
		}
		v.Accuracy, v.Turning = wire.SumOf(g.Name, all, done)
		if err := send(v); err != nil {
			return err
		}
	}
	return nil
}

// part divides the positions of each search of a review: the browser engine is several times slower than the
// server's, and a review of 60 plies should take seconds on a slow phone, too.
const part = 4

// limit returns the limit of each search of a review.
func (s *Service) limit(g game.Game) engine.Limit {
	return engine.Limit{Nodes: review.Nodes(g.Name) / part, Pacer: s.pacer()}
}

// tryQuestion asks what a move is worth in place of one whose assessment is known.
type tryQuestion struct {
	Line           // up to the move
	Known wire.Ply `json:"known"`
	Move  string   `json:"move"`
}

func (s *Service) try(ctx context.Context, q *tryQuestion, send func(any) error) error {
	m, err := q.match()
	if err != nil {
		return err
	}
	mv, err := m.Position().Parse(q.Move)
	if err == nil {
		q.Move = m.Position().Format(mv)
		err = m.Play(mv)
	}
	if err != nil {
		return &problem{"illegal", "illegal", "", err.Error(), illegal}
	}
	t := wire.Trial{Move: q.Move}
	switch q.Move {
	case q.Known.Best:
		t.Assess(0)
		return send(t)
	case q.Known.Move:
		t.Assess(q.Known.Loss)
		return send(t)
	}
	search, err := bots.Searcher(m.Game(), bots.Options{Megabytes: megabytes, Cache: s.cache})
	if err != nil {
		return err
	}
	loss, err := review.Try(ctx, search, m, q.Known.Assessment(), s.limit(m.Game()), bots.ProfileFor(m.Game()).Exact)
	if err != nil {
		return err
	}
	t.Assess(loss)
	return send(t)
}

// recordQuestion is a game to be written as a record.
type recordQuestion struct {
	Line
	Players [2]string `json:"players"`
	Date    string    `json:"date"`   // such as 2026.11.27
	Result  string    `json:"result"` // if a side resigned, or both agreed
	Reason  string    `json:"reason"`
}

func (q *recordQuestion) answer(send func(any) error) error {
	m, err := q.match()
	if err != nil {
		return err
	}
	r := record.FromMatch(q.Options, m)
	r.Players = q.Players
	r.SetTag("Date", q.Date)
	if !m.Over() {
		r.Result, r.End = q.end()
	}
	text, err := r.Append(nil)
	if err != nil {
		return wrong("record", fmt.Errorf("writing a record: %w", err))
	}
	return send(map[string]string{"record": string(text)})
}

// end returns the result that the players have agreed on, or that follows from giving up.
func (q *recordQuestion) end() (game.Result, record.End) {
	for _, r := range []game.Result{game.FirstWins, game.SecondWins, game.Draw} {
		if r.String() == q.Result && r == game.Draw {
			return r, record.Agreed
		} else if r.String() == q.Result {
			return r, record.Resigned
		}
	}
	return game.Ongoing, record.NotOver
}
