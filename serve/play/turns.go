package play

import (
	"cmp"
	"math"
	"net/http"
	"slices"

	"quintet/game"
	"quintet/live"
	"quintet/live/index"
	"quintet/serve/api"
)

// turnView is a game that waits for the sender's move.
type turnView struct {
	listEntry
	Due string `json:"due,omitempty"` // when the sender's time runs out; "" without a clock
}

// never is when time runs out in a game without a clock.
const never = math.MaxInt64

const day = 24 * 60 * 60 * 1000 // milliseconds

// turns lists the sender's games in which it is their turn: the one whose time runs out first comes first, and
// those without a clock come last. It considers the latest games in progress, up to index.MaxLimit.
func (s *Service) turns(w http.ResponseWriter, r *http.Request) error {
	ids := s.Who(r).IDs()
	list := []turnView{}
	if len(ids) == 0 {
		return s.OK(w, map[string][]turnView{"games": list})
	}
	rows, _, err := s.index.List(r.Context(), index.Query{State: live.Live, People: ids, Own: true, Limit: index.MaxLimit})
	if err != nil {
		return s.ListProblem(err)
	}
	now := s.hall.Now()
	due := map[string]int64{}
	for _, row := range rows {
		turn, at, ok := s.live.turnOf(row.ID)
		mine := func(side game.Side) bool { return slices.Contains(ids, row.Seats[side].Person) }
		if !ok || !mine(turn) || mine(turn.Other()) { // who plays both sides is not waited for
			continue
		}
		v := turnView{listEntry: s.listEntry(r, row)}
		v.Side = turn.String()
		if row.Clock.Days > 0 {
			held, until := s.People.Vacation(ids[0], at-row.Clock.Days*day, now.Service)
			at += held + max(until-now.Service, 0)
		}
		if due[row.ID] = at; at != never {
			v.Due = api.TimeText(now.Wall + at - now.Service)
		}
		list = append(list, v)
	}
	slices.SortStableFunc(list, func(a, b turnView) int { return cmp.Compare(due[a.ID], due[b.ID]) })
	return s.OK(w, map[string][]turnView{"games": list})
}

// turnOf returns the side to move in a live game, and when its time runs out.
func (l *livePositions) turnOf(id string) (turn game.Side, due int64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.games[id]
	if g == nil {
		return 0, 0, false
	}
	return g.position.Turn(), g.due, true
}
