package hall

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
)

// thinker is a game against an engine on a server that does not think by itself: a
// test does what a worker would.
type thinker struct {
	t    *testing.T
	pool *enginePool
	room *Room
}

func newThinker(t *testing.T, l live.Log) *thinker {
	t.Helper()
	s := unstarted(t, l, false)
	const id = "abcdefgh234e"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Engine: "random"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return &thinker{t, s.pool, r}
}

func (th *thinker) do(list ...live.Command) {
	th.t.Helper()
	for _, c := range list {
		if _, err := th.pool.hall.Do(th.t.Context(), th.room.id, c); err != nil {
			th.t.Fatal(err)
		}
	}
}

// work does what is in the queue, and returns how many that was.
func (th *thinker) work() (n int) {
	for ; ; n++ {
		r, ok := th.pool.quick.TryPop()
		if !ok {
			return n
		}
		since := th.pool.requested(r)
		th.pool.done(r, max(since, th.pool.think(th.t.Context(), r)))
	}
}

func (th *thinker) ply(want int, when string) {
	th.t.Helper()
	if got := th.room.table.Ply(); got != want {
		th.t.Errorf("%s: the game is at ply %d, want %d", when, got, want)
	}
}

func played(text string) live.Command { return live.Command{Do: live.Move, Move: text, Ply: -1} }

// TestEngineAfterTakeBack checks that an engine whose opponent takes the move back while
// it thinks plays nothing for it, and answers the move that is played instead.
func TestEngineAfterTakeBack(t *testing.T) {
	th := newThinker(t, live.NewMemory())
	th.do(played("f4"))
	if r, _ := th.pool.quick.TryPop(); r != th.room { // a worker begins
		t.Fatal("another game is to be thought about")
	}
	thought, ok := th.room.engineTask()
	if !ok {
		t.Fatal("the engine is not to move")
	}
	th.do(live.Command{Do: live.GoBack, Ply: -1}, played("e3"))
	late := live.Command{Do: live.Move, Side: game.Second, Ply: -1, PositionID: thought.position}
	for _, move := range []string{"f3", "a1"} { // one that is legal now, and one that is not
		late.Move = move
		th.pool.play(t.Context(), th.room, late)
		th.ply(1, "after a move for the position before")
	}
	if th.room.table.Over() {
		t.Error("the engine has resigned")
	}
	th.pool.done(th.room, thought.position)
	if n := th.work(); n != 1 {
		t.Errorf("the engine was woken %d times for the new position, want once", n)
	}
	th.ply(2, "when it has thought about the new position")
}

// TestTakeBacksInTheQueue checks that a game is queued once although its moves are taken
// back and played again, and is answered from there.
func TestTakeBacksInTheQueue(t *testing.T) {
	th := newThinker(t, live.NewMemory())
	for range 5 {
		th.do(played("f4"), live.Command{Do: live.GoBack, Ply: -1})
	}
	th.do(played("f4"))
	if n := th.pool.hall.EngineQueueLen(); n != 1 {
		t.Errorf("the game is in the queue %d times, want once", n)
	}
	th.work()
	th.ply(2, "when the queue is done")
	if th.pool.busy() {
		t.Error("the pool takes itself to be busy")
	}
}

// TestEnginesAlone checks that engines that play each other stop while nobody watches their game, and
// go on when somebody does or asks for it.
func TestEnginesAlone(t *testing.T) {
	s := unstarted(t, live.NewMemory(), false)
	now := time.Now()
	s.now = func() time.Time { return now }
	engine := live.Player{Name: "b", Engine: "random"}
	if err := s.Open(t.Context(), "abcdefgh234e", live.Settings{Game: "othello", Seats: [2]live.Player{engine, engine}}, ""); err != nil {
		t.Fatal(err)
	}
	r, err := s.Room(t.Context(), "abcdefgh234e")
	if err != nil {
		t.Fatal(err)
	}
	th := &thinker{t, s.pool, r}
	plies := func(want bool, when string) {
		t.Helper()
		before := r.table.Ply()
		for range 3 { // the pace between engines is a timer of the pool
			if q, ok := th.pool.quick.TryPop(); ok {
				task, _ := q.engineTask()
				text, err := th.pool.choose(t.Context(), task)
				if err != nil {
					t.Fatal(err)
				}
				th.pool.play(t.Context(), q, live.Command{Do: live.Move, Side: task.side, Move: text, Ply: -1, PositionID: task.position})
				th.pool.done(q, task.position)
			}
		}
		if got := r.table.Ply() > before; got != want {
			t.Errorf("%s: from ply %d to %d, want moves: %t", when, before, r.table.Ply(), want)
		}
	}
	plies(false, "a new game")
	first, second := &Watcher{Client: "first"}, &Watcher{Client: "second"}
	r.Watch(first, -1)
	r.Watch(second, -1)
	plies(true, "somebody watches")
	if r.client != "first" {
		t.Errorf("the moves take the turns of %q, want those of the first watcher", r.client)
	}
	now = now.Add(time.Hour)
	plies(true, "an hour later")
	r.Leave(first)
	r.Leave(second)
	plies(true, "the move that is in the queue")
	plies(false, "all have left")
	r.Visit("third")
	plies(true, "somebody asks for the game")
	now = now.Add(keepLive + time.Second)
	plies(true, "the move that is in the queue")
	plies(false, "long after that")
	now = now.Add(keepLive + time.Second)
	s.park(r)
	if s.Loaded(r.id) != nil {
		t.Error("the game stays in memory")
	}
}

// TestIllegalEngine checks that an engine loses if it plays a move that is illegal in its
// position, and that no caller waits for it.
func TestIllegalEngine(t *testing.T) {
	th := newThinker(t, live.NewMemory())
	th.do(played("f4"))
	th.pool.play(t.Context(), th.room, live.Command{Do: live.Move, Side: game.Second, Move: "a1", Ply: -1, PositionID: th.room.table.PositionID()})
	if e := th.room.table.Ending(); e.Result != game.FirstWins {
		t.Errorf("the game stands at %v, want it lost for the engine", e)
	}
}

// TestTakeOverAfterTakeBack checks the same for a server that took the turn over from
// another and has not read what was played there meanwhile: the log decides.
func TestTakeOverAfterTakeBack(t *testing.T) {
	l := live.NewMemory()
	there, here := newThinker(t, l), unstarted(t, l, true)
	there.do(played("f4"))
	r, err := here.Room(t.Context(), there.room.id)
	if err != nil {
		t.Fatal(err)
	}
	thought, ok := r.engineTask()
	if !ok {
		t.Fatal("the engine is not to move")
	}
	there.do(live.Command{Do: live.GoBack, Ply: -1}, played("e3"))
	here.pool.play(t.Context(), r, live.Command{Do: live.Move, Side: game.Second, Move: "f3", Ply: -1, PositionID: thought.position})
	if e := last(t, l, r.id); e.Move != "e3" || r.table.Ply() != 1 {
		t.Errorf("the last event is %s %s, at ply %d here; want the move that was played instead of the one taken back", e.Kind, e.Move, r.table.Ply())
	}
	there.work()
	there.ply(2, "when the engine has thought about the new position")
}

// remote is a search on another machine, which finds a move, or fails and searches here.
type remote struct {
	here  func() (engine.Searcher, error)
	move  string
	asked int
}

func (r *remote) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	r.asked++
	if mv, err := p.Parse(r.move); err == nil {
		return engine.Line{Moves: []game.Move{mv}}
	}
	s, err := r.here()
	if err != nil {
		panic(err)
	}
	return s.Search(ctx, p, l, report)
}

func (*remote) Reset() {}

// TestRemoteEngine checks that the move of another machine is played, and a move of this
// server if the machine fails.
func TestRemoteEngine(t *testing.T) {
	for _, far := range []*remote{{move: "f3"}, {}} {
		th := newThinker(t, live.NewMemory())
		th.pool.newPlayer = func(_ string, g game.Game, o bots.Options) (engine.Player, error) {
			return bots.NewPlayer("level:10", g, o)
		}
		th.pool.options.Search = elsewhere(Config{Engines: 1, Elsewhere: func(n bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error) {
			if n.Game != "othello" || n.Megabytes != playerTable {
				t.Errorf("a search of %+v", n)
			}
			far.here = here
			return far, nil
		}})
		th.do(played("f4"))
		th.work()
		th.ply(2, "when the engine has moved")
		if moves := th.room.table.Moves(); far.asked != 1 || far.move != "" && moves[1] != far.move {
			t.Errorf("moves %v after %d questions: want one question, and %q", moves, far.asked, far.move)
		}
	}
}

// TestEngineClock checks that the time for which an engine's move has waited is taken off its clock
// before the engine is told how long to think.
func TestEngineClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := unstarted(t, live.NewMemory(), false)
		s.config.EngineTime = time.Hour
		seats := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Engine: "random"}}
		if err := s.Open(t.Context(), "abcdefgh234e", live.Settings{Game: "othello", Seats: seats, Clock: live.TimeControl{Main: 60}}, ""); err != nil {
			t.Fatal(err)
		}
		r, err := s.Room(t.Context(), "abcdefgh234e")
		if err != nil {
			t.Fatal(err)
		}
		th := &thinker{t, s.pool, r}
		if _, ok := r.engineTask(); ok {
			t.Error("the engine is to move before its opponent")
		}
		th.do(played("f4"))
		for _, want := range []time.Duration{3001 * time.Millisecond, 2901 * time.Millisecond} { // a twentieth of 60 s, of 58 s
			if task, ok := r.engineTask(); !ok || task.limit != want {
				t.Errorf("the engine may think for %s, want %s", task.limit, want)
			}
			time.Sleep(2 * time.Second)
		}
	})
}

// TestSearches checks that all levels of a game use one search, one at a time, that a game that is
// played at the same time has another, and that no more are kept than may.
func TestSearches(t *testing.T) {
	th := newThinker(t, live.NewMemory())
	p, made := th.pool, 0
	p.options.Search = func(_ bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error) {
		made++
		return here()
	}
	choose := func(name string) {
		t.Helper()
		if _, err := p.choose(t.Context(), engineTask{engine: name, match: th.room.table.Match(), limit: p.hall.config.EngineTime}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"level:1", "level:9", "engine", "mcts", "random"} {
		choose(name)
	}
	if made != 1+2 { // mcts makes two, and keeps none
		t.Errorf("%d searches were made, want 3", made)
	}
	p.newPlayer = func(name string, g game.Game, o bots.Options) (engine.Player, error) {
		p.newPlayer = bots.NewPlayer
		player, err := bots.NewPlayer(name, g, o)
		choose("level:2") // meanwhile
		return player, err
	}
	if choose("level:1"); made != 1+2+1 {
		t.Errorf("%d searches were made, want another for a game at the same time", made)
	}
	n := bots.SearchName{Game: "othello", Megabytes: playerTable}
	for range 3 * maxIdle {
		p.put(n, &remote{})
		if got := len(p.searches.idle[n]); got > maxIdle || got != p.searches.count {
			t.Fatalf("%d idle searches, counted %d: want at most %d", got, p.searches.count, maxIdle)
		}
	}
}
