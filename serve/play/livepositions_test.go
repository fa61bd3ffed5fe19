package play

import (
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/live"
)

// TestLookAhead checks that positions after the next move of a game in progress are known when
// somebody asks, after each move again, and not before: nobody asks after most moves.
func TestLookAhead(t *testing.T) {
	g, err := games.ByName("chess")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	l := newLivePositions(live.NewMemory(), 0)
	lg := &liveGame{name: "chess", position: start.Clone()}
	l.games["x"] = lg
	at := start.Clone()
	for ply := range 20 {
		mv := at.Moves(nil)[0]
		text := at.Format(mv)
		at.Play(mv)
		if err := l.play(t.Context(), live.Entry{}, lg, liveEvent{Move: text}); err != nil {
			t.Fatal(err)
		}
		if lg.played != ply+1 || lg.position.Key() != at.Key() {
			t.Fatalf("after %d moves, %d are played", ply+1, lg.played)
		}
		if len(l.count) > liveRecent {
			t.Errorf("ply %d: %d positions are known, and nobody has asked", ply, len(l.count))
		}
		next := at.Clone()
		next.Play(next.Moves(nil)[0])
		if is, _ := l.has(game.NewMatch(g, next), nil); is != (lg.played+1 >= livePly) {
			t.Errorf("%d moves: the position after the next one is refused: %t", lg.played, is)
		}
	}
	for id := range l.games {
		l.forget(id)
	}
	if len(l.count) != 0 || l.ahead != 0 || l.moved.Len() != 0 {
		t.Errorf("without games %d positions are left, %d of them ahead", len(l.count), l.ahead)
	}
}
