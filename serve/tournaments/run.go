package tournaments

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/people/tournament"
	"quintet/serve/api"
	"quintet/serve/hall"
)

const (
	tick      = time.Second
	takeAfter = 2 * time.Second // how often a server looks at a tournament that another one leads
	maxSteps  = 4               // events of a tournament before others have their turn
)

// Run looks at all tournaments that are not over every second, until the context ends. Work does what is due.
func (s *Service) Run(ctx context.Context) {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if !s.Ready.Load() {
			continue
		}
		for _, t := range s.directory.list(func(t Record) bool { return t.Over == nil }) {
			s.wake(t.ID)
		}
	}
}

// wake makes Work look at a tournament soon.
func (s *Service) wake(id string) { _ = s.due.Push(id, false, id) } // if it is in the line already, that is enough

// Work does what is due until the context ends. Several goroutines may run it.
func (s *Service) Work(ctx context.Context) {
	for {
		id, err := s.due.Pop(ctx)
		if err != nil {
			return
		}
		if t, ok := s.directory.get(id); !ok || t.Over != nil {
			continue
		}
		s.config.Hall.Contain("a tournament", func() { err = s.advance(ctx, id) }, "tournament", id)
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("a tournament could not go on: trying again", "tournament", id, "error", err)
		}
	}
}

// Deliver takes an entry of the log: an event of a tournament, or the end of a game of one.
func (s *Service) Deliver(e live.Entry) {
	switch live.CategoryOf(e.Stream) {
	case live.TournamentCategory:
		s.store.Deliver(e)
		s.wake(strings.TrimPrefix(e.Stream, live.TournamentCategory.Stream("")))
	case live.GameCategory:
		room := s.config.Hall.Loaded(e.Stream)
		if room == nil || !bytes.Contains(e.Data, []byte(`"reason":`)) {
			return
		}
		id := ""
		room.View(func(t *live.Table) bool { id = t.Settings().Tournament; return true })
		if id != "" {
			s.wake(id)
		}
	}
}

// advance does what is due in a tournament, unless another goroutine or server does.
func (s *Service) advance(ctx context.Context, id string) error {
	d, err := s.store.Get(ctx, id)
	if errors.As(err, new(*api.Problem)) { // a server was killed between the record and the first event
		t, _ := s.directory.get(id)
		return s.begin(ctx, t)
	}
	if err != nil {
		return err
	}
	if !d.working.TryLock() {
		return nil // the next tick comes soon
	}
	defer d.working.Unlock()
	if s.config.Shared && !d.leads() {
		if s.Now().Sub(d.tried) < takeAfter {
			return nil
		}
		d.tried = s.Now()
	}
	for range maxSteps {
		again, err := s.advanceOnce(ctx, d)
		if errors.Is(err, errAgain) || errors.Is(err, live.ErrStale) {
			continue
		}
		if err != nil || !again {
			return err
		}
	}
	return nil
}

// leads reports whether this server wrote the last event. The other servers wait for takeAfter before they act.
func (d *document) leads() bool {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.wrote == d.Number
}

// advanceOnce appends the next event, if one is due.
func (s *Service) advanceOnce(ctx context.Context, d *document) (again bool, err error) {
	var n step
	var ok, over bool
	d.view(func(st *State) { over = st.Phase == Over })
	if over {
		return false, s.close(ctx, d)
	}
	e, number, err := s.settle(ctx, d)
	if err != nil {
		return false, err
	}
	if e.Kind != "" {
		return true, s.write(ctx, d, number, e)
	}
	now := s.config.Hall.Now()
	number = d.view(func(st *State) {
		n, ok = st.next(now, func(id string) bool { return d.here(id, s.Now()) })
	})
	if !ok {
		return false, nil
	}
	if n, ok, err = n.pair(func() (string, error) { return s.NewID("") }, s.apart(n)); err != nil || !ok {
		return false, err
	}
	return true, s.write(ctx, d, number, n.event)
}

// close writes into the record how a tournament ended.
func (s *Service) close(ctx context.Context, d *document) error {
	t, ok := s.directory.get(d.ID())
	if !ok || t.Over != nil {
		return nil
	}
	d.view(func(st *State) {
		t.Over = &Summary{At: st.Ended.Wall, Why: st.Why, Players: len(st.Players)}
		t.Over.Placed = st.placed(d.standings())
		for _, row := range d.standings()[:min(len(st.Players), 3*len(st.Games), 3)] { // without a game, nobody is placed
			t.Over.Podium = append(t.Over.Podium, st.Tour.Players[row.Player].ID)
		}
	})
	if err := s.directory.put(ctx, t); !errors.Is(err, live.ErrStale) {
		return err
	}
	return nil // another server has written it
}

// standings returns the table. The caller holds Mu.
func (d *document) standings() []tournament.Standing {
	if d.state.Settings.Form == tournament.Arena {
		return d.state.table.Standings()
	}
	if d.tabled != d.Number {
		d.table, d.tabled = d.state.Tour.Standings(), d.Number
	}
	return d.table
}

// settle opens the games that are paired, or else looks at those that go on. It returns the event about that, if there is
// one; number is that of the last event.
func (s *Service) settle(ctx context.Context, d *document) (e Event, number int, err error) {
	var games []seated
	var set Settings
	number = d.view(func(st *State) {
		set = st.Settings
		if st.begun < len(st.Games) {
			e.Kind, e.Count = Begun, len(st.Games)
		}
		for _, i := range st.open {
			if g := st.Games[i]; i >= st.begun || e.Kind == "" {
				games = append(games, seated{g.ID, g.Round, [2]live.Player{st.seat(g.First), st.seat(g.Second)}})
			}
		}
	})
	for _, g := range games {
		var over bool
		r := Result{Game: g.id, Outcome: tournament.Drawn, Agreed: true} // of a game that is lost
		if e.Kind == Begun {
			table := set.table(d.ID(), g.round)
			table.Seats = g.seats
			err = s.config.Hall.Open(ctx, g.id, table, "tournament "+d.ID())
		} else {
			r, over, err = s.look(ctx, d, g.id, r)
		}
		switch {
		case lost(err):
			s.Log.Warn("a game of a tournament is lost: it counts as a draw that pays nothing", "game", g.id, "error", err)
			over = true
		case err != nil:
			return e, number, err
		}
		if over && e.Kind != Begun {
			e.Results = append(e.Results, r)
		}
	}
	if len(e.Results) > 0 {
		e.Kind = Finished
	}
	return e, number, nil
}

// seated is a game with its players.
type seated struct {
	id    string
	round int
	seats [2]live.Player
}

// seat returns the seat of a player.
func (s *State) seat(i int) live.Player {
	id := s.Tour.Players[i].ID
	if s.Players[i].Level {
		return live.Player{Name: id, Engine: id}
	}
	return live.Player{Person: id}
}

// look returns the result of a game if it is over, else the given one. It calls the game off if the side to move has
// missed it.
func (s *Service) look(ctx context.Context, d *document, game string, r Result) (result Result, over bool, err error) {
	room, err := s.config.Hall.Room(ctx, game)
	if err != nil {
		return r, false, err
	}
	missed, alone := false, false
	room.View(func(t *live.Table) bool {
		at, may := t.MissesAt()
		missed = may && s.config.Hall.Now().Service >= at
		alone = t.Player(0).Engine != "" && t.Player(1).Engine != ""
		if over = t.Over(); over {
			r = resultOf(t)
		}
		return true
	})
	switch {
	case over:
		return r, true, nil
	case missed:
		_, err = s.config.Hall.Do(ctx, game, live.Command{Do: live.MissGame})
		if errors.As(err, new(*live.Error)) { // the player has just moved
			err = nil
		}
		s.wake(d.ID())
	case alone:
		room.Await(d.client())
	}
	return r, false, err
}

// resultOf returns how a game ended. A game that was called off for another reason than a missing player is a draw
// that pays nothing.
func resultOf(t *live.Table) Result {
	r := Result{Game: t.ID(), Agreed: t.Ending().Reason == live.ReasonAgreement, Outcome: tournament.Drawn}
	r.Berserk = [2]bool{t.BerserkPays(game.First), t.BerserkPays(game.Second)}
	missed, is := t.Missed()
	winner, won := t.Ending().Result.Winner()
	switch {
	case is && missed == game.First:
		r.Outcome = tournament.FirstAbsent
	case is:
		r.Outcome = tournament.SecondAbsent
	case won && winner == game.First:
		r.Outcome = tournament.FirstWins
	case won:
		r.Outcome = tournament.SecondWins
	case t.Ending().Reason.CalledOff():
		r.Agreed = true
	}
	return r
}

// lost reports whether an error means that a game cannot be played on.
func lost(err error) bool {
	return errors.Is(err, live.ErrBroken) || errors.Is(err, hall.ErrMissing) || errors.Is(err, hall.ErrFault)
}
