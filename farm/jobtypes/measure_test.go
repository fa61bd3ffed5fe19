package jobtypes_test

import (
	"container/heap"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"quintet/arena"
	"quintet/farm"
	"quintet/game"
)

// simulatedPairs are the pairs that workers play, by the time at which they end.
type simulatedPairs []simulatedPair

type simulatedPair struct {
	unit   int
	ends   time.Duration
	digest farm.Digest
}

func (p simulatedPairs) Len() int           { return len(p) }
func (p simulatedPairs) Less(i, k int) bool { return p[i].ends < p[k].ends }
func (p simulatedPairs) Swap(i, k int)      { p[i], p[k] = p[k], p[i] }
func (p *simulatedPairs) Push(v any)        { *p = append(*p, v.(simulatedPair)) }
func (p *simulatedPairs) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// simulatePair plays a pair between players that differ by some Elo. A decided game takes
// four times as long as a draw.
func simulatePair(r *rand.Rand, elo float64, now time.Duration, unit int) simulatedPair {
	const draws = 0.3
	wins := 1/(1+math.Pow(10, -elo/400)) - draws/2
	p := simulatedPair{unit: unit, ends: now}
	var d []byte
	for first := range 2 { // the side of the first player
		side := game.Side(first)
		result, took := game.Win(side.Other()), 4*time.Second
		switch v := r.Float64(); {
		case v < wins:
			result = game.Win(side)
		case v < wins+draws:
			result, took = game.Draw, time.Second
		}
		p.ends += time.Duration(float64(took) * (0.5 + r.Float64()))
		d = binary.LittleEndian.AppendUint64(append(d, byte(result), 0), r.Uint64())
	}
	p.digest = farm.Digest(append(d, make([]byte, 16)...))
	return p
}

// simulateSPRT runs a test on a farm of the given number of slots, and reports whether it
// accepts H1.
func simulateSPRT(t *testing.T, task farm.Task, r *rand.Rand, elo float64, slots int) (accepted bool, pairs int) {
	t.Helper()
	l := farm.NewLedger(task)
	var playing simulatedPairs
	next, now := 0, time.Duration(0)
	for !l.Complete() {
		for ; len(playing) < slots && next < task.About().Units; next++ {
			heap.Push(&playing, simulatePair(r, elo, now, next))
		}
		p := heap.Pop(&playing).(simulatedPair)
		now = p.ends
		l.Add(p.unit, 0, p.digest)
	}
	return l.Fold().(farm.Rated).Verdict() == "H1", l.Prefix()
}

// TestSPRTErrors measures how often tests on a farm of 64 slots, on which wins take
// longer than draws, accept the wrong hypothesis.
func TestSPRTErrors(t *testing.T) {
	if wanted := os.Getenv("QUINTET_FARM_MEASURE"); wanted != "sprt" && wanted != "all" {
		t.Skip("a measurement: make farm runs it")
	}
	const tests, slots = 1000, 64
	s := spec(400_000, &arena.SPRT{Elo0: 0, Elo1: 20})
	task, err := kinds().Task(s)
	if err != nil {
		t.Fatal(err)
	}
	for elo, wrong := range map[float64]bool{0: true, 20: false} {
		r := rand.New(rand.NewPCG(uint64(elo), 1))
		errors, sum := 0, 0
		for range tests {
			accepted, pairs := simulateSPRT(t, task, r, elo, slots)
			if accepted == wrong {
				errors++
			}
			sum += pairs
		}
		rate := 100 * float64(errors) / tests
		t.Logf("Elo %.0f: %d of %d tests accept the wrong hypothesis (%.1f %%), after %d pairs on average", elo, errors, tests, rate, sum/tests)
		if rate > 5+1.4 {
			t.Errorf("Elo %.0f: %.1f %% errors, want at most 5 ± 1.4 %%", elo, rate)
		}
	}
}
