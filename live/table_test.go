package live_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
	"quintet/games"
	"quintet/live"
)

// desk is a table and its log as a test holds them.
type desk struct {
	*live.Table
	log [][]byte
	now int64
}

func (d *desk) add(e live.Event, err error) error {
	if err != nil {
		return err
	}
	data, err := e.Encode()
	if err != nil {
		return err
	}
	if err := d.Apply(e, data); err != nil {
		return fmt.Errorf("an event that was decided is not applied: %w", err)
	}
	d.log = append(d.log, data)
	return nil
}

func (d *desk) do(c live.Command) error {
	e, err := d.Decide(c, live.Stamp{Service: d.now, Wall: 1_700_000_000_000})
	return d.add(e, err)
}

func sit(t testing.TB, s live.Settings) *desk {
	t.Helper()
	for i, name := range []string{"Ann", "Ben"} {
		if s.Seats[i].Engine == "" {
			s.Seats[i] = live.Player{Name: name, Secret: live.HashSecret(name)}
		}
	}
	return open(t, s)
}

func open(t testing.TB, s live.Settings) *desk {
	t.Helper()
	d := &desk{Table: live.New("t"), now: 1000}
	if err := d.add(live.OpenTable("t", s, "", live.Stamp{Service: d.now})); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) must(t testing.TB, c live.Command) {
	t.Helper()
	if err := d.do(c); err != nil {
		t.Fatalf("%s: %v", c.Do, err)
	}
}

func (d *desk) move(t testing.TB, after int64, text string) {
	t.Helper()
	d.now += after
	d.must(t, live.Command{Do: live.Move, Side: d.Turn(), Move: text, Ply: d.Ply()})
}

func (d *desk) left() [2]int64 {
	left, _ := d.TimeLeft(d.now)
	return left
}

func TestIncrement(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60, Increment: 2}})
	d.move(t, 10_000, "f4")
	if got, want := d.left(), [2]int64{52_000, 60_000}; got != want {
		t.Errorf("after the first move: %v, want %v", got, want)
	}
	d.now += 1_234
	if got, want := d.left(), [2]int64{52_000, 58_766}; got != want {
		t.Errorf("while the second thinks: %v, want %v", got, want)
	}
}

func TestDelay(t *testing.T) {
	d := sit(t, live.Settings{Game: "connect6", Clock: live.TimeControl{Main: 60, Delay: 5}})
	d.move(t, 4_000, "J10")
	d.move(t, 3_000, "K10") // the delay is one for both stones
	if got := d.DelayLeft(d.now); got != 2_000 {
		t.Errorf("%d ms of the turn are free, want 2000", got)
	}
	d.move(t, 3_000, "K11")
	if got, want := d.left(), [2]int64{60_000, 59_000}; got != want {
		t.Errorf("clocks %v, expected %v", got, want)
	}
}

func TestDays(t *testing.T) {
	const day = 24 * 60 * 60 * 1000
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Days: 3}})
	d.move(t, 2*day, "f4")
	d.move(t, 2*day, "f3")
	if got, want := d.left(), [2]int64{3 * day, 3 * day}; got != want {
		t.Errorf("clocks %v, expected %v", got, want)
	}
}

func TestLagIsBounded(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60}})
	d.now += 1_000
	d.must(t, live.Command{Do: live.Move, Side: game.First, Move: "f4", Ply: 0, Lag: 900})
	if got, want := d.left(), [2]int64{60_000 - (1_000 - live.MaxLag), 60_000}; got != want {
		t.Errorf("clocks %v, expected %v", got, want)
	}
}

func TestClockWaitsForBoth(t *testing.T) {
	d := open(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60}})
	d.now += 50_000
	d.must(t, live.Command{Do: live.Sit, Side: game.First, Player: live.Player{Name: "Ann"}})
	d.now += 50_000
	d.must(t, live.Command{Do: live.Sit, Side: game.Second, Player: live.Player{Name: "Ben"}})
	d.now += 1_000
	if got, want := d.left(), [2]int64{59_000, 60_000}; got != want {
		t.Errorf("clocks %v, expected %v", got, want)
	}
}

func TestTakebackRestoresClocks(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60, Increment: 3}})
	d.move(t, 1_111, "f4")
	d.move(t, 2_222, "f3")
	want := d.left()
	d.move(t, 3_333, "e3")
	d.now += 777
	d.must(t, live.Command{Do: live.GoBack, Side: game.First, Ply: -1})
	d.now += 888
	d.must(t, live.Command{Do: live.Accept, Side: game.Second})
	if got := d.left(); got != want || d.Ply() != 2 {
		t.Errorf("clocks %v at ply %d, want %v at 2", got, d.Ply(), want)
	}
}

func TestFlagFallsOnce(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60}})
	if err := d.do(live.Command{Do: live.Flag}); !live.IsCode(err, live.CodeInvalid) {
		t.Errorf("a flag with time left: %v, want it refused", err)
	}
	falls, _ := d.FlagFallAt()
	d.now = falls
	d.must(t, live.Command{Do: live.Move, Side: game.First, Move: "f4", Ply: 0})
	want := live.Ending{Result: game.SecondWins, Reason: live.ReasonTime}
	if got := d.Ending(); got != want || d.Ply() != 0 {
		t.Errorf("a move in the last moment: %+v at ply %d, want %+v at 0", got, d.Ply(), want)
	}
	if err := d.do(live.Command{Do: live.Flag}); !live.IsCode(err, live.CodeOver) {
		t.Errorf("a second flag: %v, want it refused", err)
	}
}

// TestRefusals lists what a table does not let happen.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings live.Settings
		before   []live.Command
		c        live.Command
		want     live.Code
	}{
		{"an illegal move", live.Settings{Game: "othello"}, nil, live.Command{Do: live.Move, Move: "a1"}, live.CodeIllegal},
		{"no move", live.Settings{Game: "othello"}, nil, live.Command{Do: live.Move, Move: "hello"}, live.CodeIllegal},
		{"the other's turn", live.Settings{Game: "othello"}, nil, live.Command{Do: live.Move, Side: game.Second, Move: "f4"}, live.CodeTurn},
		{"another ply", live.Settings{Game: "othello"}, nil, live.Command{Do: live.Move, Move: "f4", Ply: 1}, live.CodeStale},
		{"a taken seat", live.Settings{Game: "othello"}, nil, live.Command{Do: live.Sit, Player: live.Player{Name: "Eve"}}, live.CodeTaken},
		{"nothing to accept", live.Settings{Game: "othello"}, nil, live.Command{Do: live.Accept}, live.CodeNothing},
		{"one's own offer", live.Settings{Game: "othello"}, []live.Command{{Do: live.Offer}}, live.Command{Do: live.Accept}, live.CodeNothing},
		{"an offer that a move has answered", live.Settings{Game: "othello"},
			[]live.Command{{Do: live.Offer, Side: game.Second}, {Do: live.Move, Move: "f4"}}, live.Command{Do: live.Accept}, live.CodeNothing},
		{"nothing to take back", live.Settings{Game: "othello"}, nil, live.Command{Do: live.GoBack, Ply: -1}, live.CodeNothing},
		{"the other's first move taken back", live.Settings{Game: "othello"},
			[]live.Command{{Do: live.Move, Move: "f4"}}, live.Command{Do: live.GoBack, Side: game.Second, Ply: -1}, live.CodeNothing},
		{"an early rematch", live.Settings{Game: "othello"}, nil, live.Command{Do: live.AskRematch}, live.CodeNothing},
		{"a move after the end", live.Settings{Game: "othello"}, []live.Command{{Do: live.Resign}}, live.Command{Do: live.Move, Move: "f4"}, live.CodeOver},
		{"a claim where nothing can be claimed", live.Settings{Game: "othello"}, nil, live.Command{Do: live.Claim}, live.CodeNothing},
		{"a claim out of turn", live.Settings{Game: "chess"}, nil, live.Command{Do: live.Claim, Side: game.Second}, live.CodeTurn},
		{"a claim that is switched off", live.Settings{Game: "chess", Options: game.Setup{"halt": "none"}}, nil, live.Command{Do: live.Claim}, live.CodeNothing},
		{"an unknown command", live.Settings{Game: "othello"}, nil, live.Command{Do: "dance"}, live.CodeInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t, c.settings)
			for _, b := range c.before {
				d.must(t, b)
			}
			if err := d.do(c.c); !live.IsCode(err, c.want) {
				t.Errorf("got %v, want code %s", err, c.want)
			}
		})
	}
}

// TestEndings lists the ways in which a game ends that its rules do not have.
func TestEndings(t *testing.T) {
	agreed := game.Setup{"halt": "agreed"}
	for _, c := range []struct {
		name     string
		settings live.Settings
		do       []live.Command
		want     live.Ending
	}{
		{"resignation", live.Settings{Game: "loa"}, []live.Command{{Do: live.Resign}}, live.Ending{Result: game.SecondWins, Reason: "resignation"}},
		{"a draw agreed to", live.Settings{Game: "loa"}, []live.Command{{Do: live.Offer}, {Do: live.Accept, Side: game.Second}}, live.Ending{Result: game.Draw, Reason: live.ReasonAgreement}},
		{"two offers of a draw", live.Settings{Game: "loa"}, []live.Command{{Do: live.Offer}, {Do: live.Offer, Side: game.Second}}, live.Ending{Result: game.Draw, Reason: live.ReasonAgreement}},
		{"a claim", live.Settings{Game: "chess"}, []live.Command{{Do: live.Claim}}, live.Ending{Result: game.Draw, Reason: "halt"}},
		{"a claim agreed to", live.Settings{Game: "chess", Options: agreed},
			[]live.Command{{Do: live.Claim}, {Do: live.Accept, Side: game.Second}}, live.Ending{Result: game.Draw, Reason: "halt"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t, c.settings)
			for _, b := range c.do {
				d.must(t, b)
			}
			if got := d.Ending(); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestRematchSwapsSeats(t *testing.T) {
	d := sit(t, live.Settings{Game: "loa"})
	d.must(t, live.Command{Do: live.Resign})
	d.must(t, live.Command{Do: live.AskRematch, Side: game.Second})
	d.must(t, live.Command{Do: live.Accept, Side: game.First, Next: "u"})
	if d.Rematch() != "u" {
		t.Errorf("next %q, want u", d.Rematch())
	}
	if s := d.RematchSettings(); s.Seats[0].Name != "Ben" || s.Seats[1].Name != "Ann" || s.Check() != nil {
		t.Errorf("the rematch has the seats %+v, %v", s.Seats, s.Check())
	}
}

func TestLeavingBeforeTheOtherComes(t *testing.T) {
	d := open(t, live.Settings{Game: "loa", Seats: [2]live.Player{{Name: "Ann"}}})
	d.must(t, live.Command{Do: live.Resign})
	if got := d.Ending(); got != (live.Ending{Reason: live.ReasonAborted}) {
		t.Errorf("got %+v, want it called off without a result", got)
	}
}

// TestFold plays random commands, and checks that every decided event is accepted, that a
// second table gets the same state from the log, and that a log with any event missing,
// doubled or changed is rejected.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyTable(t)
		for range rapid.IntRange(1, 60).Draw(t, "commands") {
			d.now += rapid.Int64Range(0, 3_000).Draw(t, "passed")
			err := d.do(anyCommand(t, d))
			var refused *live.Error
			if err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
		}
		same(t, d)
		i := rapid.IntRange(0, len(d.log)-1).Draw(t, "event")
		if i < len(d.log)-1 {
			refuse(t, append(append([][]byte{}, d.log[:i]...), d.log[i+1:]...))
		}
		refuse(t, append(append(append([][]byte{}, d.log[:i+1]...), d.log[i]), d.log[i+1:]...))
	})
}

func anyTable(t *rapid.T) *desk {
	s := live.Settings{
		Game:  rapid.SampledFrom(games.Names()).Draw(t, "game"),
		Clock: rapid.SampledFrom([]live.TimeControl{{}, {Main: 30}, {Main: 20, Increment: 1}, {Main: 20, Delay: 1}, {Days: 1}}).Draw(t, "clock"),
	}
	for i := range s.Seats {
		s.Seats[i] = rapid.SampledFrom([]live.Player{{}, {Name: "Ann", Secret: "a"}, {Name: "level:1", Engine: "level:1"}}).Draw(t, "seat")
	}
	d := &desk{Table: live.New("t"), now: 7}
	if err := d.add(live.OpenTable("t", s, "", live.Stamp{Service: d.now})); err != nil {
		t.Fatal(err)
	}
	return d
}

func anyCommand(t *rapid.T, d *desk) live.Command {
	verbs := []live.Verb{
		live.Move, live.Move, live.Move, live.Move, live.Move, live.Move, live.Sit, live.Offer, live.Accept, live.Decline,
		live.GoBack, live.Claim, live.AskRematch, live.Flag, live.Resign,
	}
	c := live.Command{
		Do:     rapid.SampledFrom(verbs).Draw(t, "do"),
		Side:   game.Side(rapid.IntRange(0, 1).Draw(t, "side")),
		Player: live.Player{Name: "Zoe", Secret: "z"},
		Lag:    rapid.Int64Range(-5, 400).Draw(t, "lag"),
		Ply:    -1,
		Next:   "u",
	}
	if legal := d.Legal(); c.Do == live.Move && len(legal) > 0 {
		c.Side = d.Turn()
		c.Move = d.Position().Format(rapid.SampledFrom(legal).Draw(t, "move"))
	}
	return c
}

// same folds the log again and compares.
func same(t *rapid.T, d *desk) {
	again := live.New("t")
	for _, data := range d.log {
		if _, err := again.Load(data); err != nil {
			t.Fatalf("the log is not read back: %v", err)
		}
	}
	a, _ := d.TimeLeft(d.now)
	b, _ := again.TimeLeft(d.now)
	if a != b || fmt.Sprint(d.Moves(), d.Position(), d.Ending(), d.State(), d.Asked(0), d.Asked(1)) !=
		fmt.Sprint(again.Moves(), again.Position(), again.Ending(), again.State(), again.Asked(0), again.Asked(1)) {
		t.Fatal("a second table makes something else of the log")
	}
}

func refuse(t *rapid.T, log [][]byte) {
	table := live.New("t")
	for _, data := range log {
		if _, err := table.Load(data); err != nil {
			if !errors.Is(err, live.ErrBroken) {
				t.Fatalf("a broken log: %v, want ErrBroken", err)
			}
			return
		}
	}
	t.Fatal("a broken log was taken in")
}

// FuzzLoad checks that no bytes in a log make a table panic.
func FuzzLoad(f *testing.F) {
	d := sit(f, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60}})
	r := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		legal := d.Legal()
		d.move(f, 100, d.Position().Format(legal[r.IntN(len(legal))]))
	}
	for _, data := range d.log {
		f.Add(data)
	}
	f.Add([]byte(`{"kind":"moved","n":1,"side":"first","move":"f4"}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		table := live.New("t")
		if _, err := table.Load(data); err != nil {
			return
		}
		_, _ = table.Decide(live.Command{Do: live.Flag}, live.Stamp{Service: 1 << 40})
		_, _ = table.Load(data)
	})
}
