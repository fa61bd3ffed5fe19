package tournaments

import (
	"errors"
	"slices"
	"time"

	"quintet/live"
	"quintet/people/tournament"
)

const (
	waveEvery = 3000                           // milliseconds between the waves of an arena
	maxGames  = 20_000                         // games and byes of a tournament: an arena then ends
	heldFor   = MaxHeld * 24 * time.Hour / 1e6 // milliseconds
)

// step is a copy of what decides what happens next, so that pairing needs no lock.
type step struct {
	event Event
	tour  tournament.State // to be paired if pairs is set
	list  []tournament.Waiting
	pairs bool
}

// next returns what is due at a time; ok is false if nothing is. here reports which people are there. pair completes it.
func (s *State) next(now live.Stamp, here func(id string) bool) (n step, ok bool) {
	all, people := s.count()
	switch {
	case s.Phase == Over:
		return n, false
	case s.Phase == Waiting:
		n.event, ok = s.nextStart(now, all, people)
		return n, ok
	case people == 0 && len(s.open) == 0 || len(s.Games) >= maxGames:
		return ends(whyFew), true
	case s.Settings.Form == tournament.Arena:
		return s.nextWave(now, here)
	case len(s.open) > 0:
		return n, false
	case s.Tour.Over():
		return ends(whyDone), true
	case all < 2:
		return ends(whyFew), true
	case now.Service < s.nextRound():
		return n, false
	}
	return step{tour: s.copy(), pairs: true}, true
}

// nextStart returns how a tournament begins, or that it does not.
func (s *State) nextStart(now live.Stamp, all, people int) (e Event, ok bool) {
	starts := s.Settings.Starts
	switch {
	case starts == 0 && now.Wall >= s.Made.Wall+int64(heldFor):
		return ends(whyLate).event, true
	case starts == 0 || now.Wall < starts:
		return e, false
	case all < 2 || people == 0:
		return ends(whyFew).event, true
	}
	e.Kind = Started
	return e, true
}

// nextWave returns the next wave of an arena. Games that go on at its end do not count.
func (s *State) nextWave(now live.Stamp, here func(id string) bool) (n step, ok bool) {
	if now.Service >= s.arenaEnd() {
		return ends(whyDone), true
	}
	if now.Service < s.Waved+waveEvery && s.Tour.Round() > 0 { // results do not delay it: many games end every second
		return n, false
	}
	n.list, n.tour, n.pairs = s.waiting(now, here), s.copy(), true
	return n, len(n.list) > 1
}

// copy returns a copy of the tournament that later events do not change.
func (s *State) copy() tournament.State {
	t := s.Tour
	t.Players, t.Games = slices.Clone(t.Players), slices.Clone(t.Games)
	return t
}

func ends(why string) (n step) {
	n.event.Kind, n.event.Why = Ended, why
	return n
}

// pair completes a step: it pairs the players. ok is false if there is nothing to do yet. newID returns identifiers of games;
// apart reports which players of an arena do not meet.
func (n step) pair(newID func() (string, error), apart func(a, b int) bool) (done step, ok bool, err error) {
	if !n.pairs {
		return n, true, nil
	}
	var games []tournament.Game
	if n.list != nil {
		games = n.tour.Wave(n.list, apart)
	} else if games, err = n.tour.Pair(); errors.Is(err, tournament.ErrNoPairing) {
		return ends(whyDone), true, nil
	}
	if err != nil || len(games) == 0 {
		return n, false, err
	}
	n.event.Kind = Paired
	for _, g := range games {
		p := Pairing{Round: g.Round, Leg: g.Leg, Decider: g.Decider, First: g.First, Second: g.Second, Outcome: g.Outcome}
		if g.Outcome == tournament.Running {
			if p.ID, err = newID(); err != nil {
				return n, false, err
			}
		}
		n.event.Games = append(n.event.Games, p)
	}
	return n, true, nil
}
