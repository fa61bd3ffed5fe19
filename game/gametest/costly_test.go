package gametest

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
)

// costly is a fill of which one method allocates.
type costly struct {
	fill
	method string
	bill   *int
}

func (c *costly) pay(method string) {
	if method == c.method {
		c.bill = new(int)
	}
}

func (c *costly) Turn() game.Side                   { c.pay("Turn"); return c.fill.Turn() }
func (c *costly) Moves(buf []game.Move) []game.Move { c.pay("Moves"); return c.fill.Moves(buf) }
func (c *costly) Play(m game.Move)                  { c.pay("Play"); c.fill.Play(m) }
func (c *costly) Result() game.Result               { c.pay("Result"); return c.fill.Result() }
func (c *costly) Key() uint64                       { c.pay("Key"); return c.fill.Key() }
func (c *costly) CopyFrom(p game.Position)          { *c = *p.(*costly); c.pay("CopyFrom") }
func (c *costly) Clone() game.Position              { q := *c; q.pay("Clone"); return &q }
func (c *costly) Count() int                        { c.pay("Count"); return c.fill.Count() }
func (c *costly) Sample(r *rand.PCG) game.Move      { c.pay("Sample"); return c.fill.Sample(r) }
func (c *costly) Format(m game.Move) string         { c.pay("Format"); return c.fill.Format(m) }
func (c *costly) Parse(s string) (game.Move, error) { c.pay("Parse"); return c.fill.Parse(s) }

// TestAllocations wants each method for engines to be watched, and no other.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations are not counted under the race detector")
	}
	for method, want := range map[string]int{
		"none": 0, "Clone": 0, "Format": 0, "Parse": 0,
		"Turn": 1, "Moves": 1, "Play": 1, "Result": 1, "Key": 1, "CopyFrom": 1, "Count": 1, "Sample": 1,
	} {
		found := failures(func(t rapid.TB) { checkAllocations(t, &costly{newFill(), method, nil}) })
		if len(found) != want {
			t.Errorf("%s allocates: %q, want %d failures", method, found, want)
		}
	}
}
