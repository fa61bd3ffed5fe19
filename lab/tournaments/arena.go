package tournaments

import (
	"encoding/json"
	"math/rand/v2"
	"slices"

	"quintet/people/tournament"
)

// Arena is an arena to simulate: games of 20 s to two minutes, a wave every few seconds, and a share of players who leave
// at any time, also in the middle of a game.
type Arena struct {
	Players, Seconds, Wave int
	Leaving                float64
	Stops                  []int // seconds at which the server is killed: the next one begins with what is in the log
}

// stopped is for how many seconds nobody is paired after a server was killed, while games go on.
const stopped = 10

// ArenaResult is what came of a simulated arena. Times are in seconds.
type ArenaResult struct {
	Games, Idle, Idle99, Longest, Rematches, Colours, Double, Stuck int
}

// arena is an arena that goes on.
type arena struct {
	*tournament.State
	ArenaResult

	rng    *rand.Rand
	ends   []int // the second in which each game ends
	since  []int // when each player began to wait, -1 if not waiting
	leaves []int
	last   []int
	row    []int
	idle   []int // seconds of all waits
}

// Run plays the arena.
func (a Arena) Run(rng *rand.Rand) ArenaResult {
	r := &arena{State: &tournament.State{Form: tournament.Arena, Players: make([]tournament.Player, a.Players)}, rng: rng}
	for i := range a.Players {
		r.Players[i].Rating = int(1500 + 300*rng.NormFloat64())
		r.since = append(r.since, rng.IntN(10))
		leave := 2 * a.Seconds
		if rng.Float64() < a.Leaving {
			leave = rng.IntN(a.Seconds)
		}
		r.leaves, r.last, r.row = append(r.leaves, leave), append(r.last, tournament.None), append(r.row, 0)
	}
	dead := -stopped
	for now := range a.Seconds {
		if slices.Contains(a.Stops, now) {
			dead = now
			r.restart()
		}
		r.second(now, now%a.Wave == 0 && now >= dead+stopped)
	}
	for p, since := range r.since {
		if !r.Players[p].Withdrawn && since >= 0 && a.Seconds-since > 120 {
			r.Stuck++
		}
	}
	slices.Sort(r.idle)
	r.ArenaResult.Games, r.Idle, r.Idle99 = len(r.State.Games), r.idle[len(r.idle)/2], r.idle[len(r.idle)*99/100]
	return r.ArenaResult
}

// restart keeps of the state only what a log has.
func (r *arena) restart() {
	data, err := json.Marshal(r.State)
	var s tournament.State
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		panic(err) // it has numbers and texts alone
	}
	r.State = &s
}

// second plays one second.
func (r *arena) second(now int, wave bool) {
	for i, end := range r.ends {
		if end != now {
			continue
		}
		g := &r.State.Games[i]
		g.Outcome = Outcome(r.rng, r.Players[g.First].Rating-r.Players[g.Second].Rating)
		for _, p := range [2]int{g.First, g.Second} {
			r.since[p] = now
		}
	}
	var list []tournament.Waiting
	for p, since := range r.since {
		if r.leaves[p] <= now {
			r.Players[p].Withdrawn = true
		} else if since >= 0 && since <= now {
			list = append(list, tournament.Waiting{Player: p, Seconds: now - since})
			r.Longest = max(r.Longest, now-since)
		}
	}
	if !wave {
		return
	}
	for _, g := range r.Wave(list, func(int, int) bool { return false }) {
		r.begin(g, now)
	}
}

func (r *arena) begin(g tournament.Game, now int) {
	if r.last[g.First] == g.Second || r.last[g.Second] == g.First {
		r.Rematches++
	}
	r.last[g.First], r.last[g.Second] = g.Second, g.First
	r.row[g.First], r.row[g.Second] = max(r.row[g.First], 0)+1, min(r.row[g.Second], 0)-1
	if r.row[g.First] > 3 || r.row[g.Second] < -3 {
		r.Colours++
	}
	for _, p := range [2]int{g.First, g.Second} {
		if r.since[p] < 0 || r.Players[p].Withdrawn {
			r.Double++
		}
		r.idle = append(r.idle, now-r.since[p])
		r.since[p] = -1
	}
	r.ends = append(r.ends, now+20+r.rng.IntN(100))
	r.State.Games = append(r.State.Games, g)
}
