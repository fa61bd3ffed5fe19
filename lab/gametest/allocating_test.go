package gametest

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
)

// allocating is a fill with one method that allocates.
type allocating struct {
	fill
	method string
	bill   *int
}

func (c *allocating) allocate(method string) {
	if method == c.method {
		c.bill = new(int)
	}
}

func (c *allocating) Turn() game.Side { c.allocate("Turn"); return c.fill.Turn() }
func (c *allocating) Moves(buf []game.Move) []game.Move {
	c.allocate("Moves")
	return c.fill.Moves(buf)
}
func (c *allocating) Play(m game.Move)                  { c.allocate("Play"); c.fill.Play(m) }
func (c *allocating) Result() game.Result               { c.allocate("Result"); return c.fill.Result() }
func (c *allocating) Key() uint64                       { c.allocate("Key"); return c.fill.Key() }
func (c *allocating) CopyFrom(p game.Position)          { *c = *p.(*allocating); c.allocate("CopyFrom") }
func (c *allocating) Clone() game.Position              { q := *c; q.allocate("Clone"); return &q }
func (c *allocating) Count() int                        { c.allocate("Count"); return c.fill.Count() }
func (c *allocating) Sample(r *rand.PCG) game.Move      { c.allocate("Sample"); return c.fill.Sample(r) }
func (c *allocating) Format(m game.Move) string         { c.allocate("Format"); return c.fill.Format(m) }
func (c *allocating) Parse(s string) (game.Move, error) { c.allocate("Parse"); return c.fill.Parse(s) }

// TestAllocations checks that exactly the methods that engines call are watched.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations are not counted under the race detector")
	}
	for method, want := range map[string]int{
		"none": 0, "Clone": 0, "Format": 0, "Parse": 0,
		"Turn": 1, "Moves": 1, "Play": 1, "Result": 1, "Key": 1, "CopyFrom": 1, "Count": 1, "Sample": 1,
	} {
		found := failures(func(t rapid.TB) { checkAllocations(t, &allocating{newFill(), method, nil}) })
		if len(found) != want {
			t.Errorf("%s allocates: %q, want %d failures", method, found, want)
		}
	}
}
