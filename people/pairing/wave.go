// Package pairing decides who plays whom. It has no clock, no network and no randomness of its
// own.
//
// [MaxWeight] matches any number of players so that the sum of the weights of the pairs is
// greatest. Waves and rounds of tournaments differ only in their weights. [Wave] pairs people who wait
// for an opponent.
package pairing

import (
	"slices"

	"quintet/people/rating"
)

// Seek is a person who waits for an opponent, or the open seat of a game.
type Seek struct {
	Client  string   // identifies the person: nobody is paired with themselves
	Wants   []Want   // any of these
	Blocked []string // clients that it is not paired with
	Missed  int      // waves without an opponent
	Seat    bool     // an open seat of a game: two of them are never paired
}

// Want is a game that a seek accepts.
type Want struct {
	Game      string // game, options, clock and whether it is rated, as one text that opponents share
	Rating    int    // of the player in this game
	Low, High int    // accepted ratings of opponents
	Side      Side
}

// Side is the side that a seek accepts.
type Side int

// The sides.
const (
	Any Side = iota
	First
	Second
)

// Pair is two seeks, by their indices in the list, and the game that they will play.
type Pair struct {
	First, Second int
	Game          string
}

const (
	// missedWave is the rating difference that one missed wave outweighs, mostMissed the difference that
	// all of them outweigh: those who waited longest come first (lila, PoolActor.scala).
	missedWave, mostMissed = 12, 400

	// pairWeight exceeds any difference of ratings: more pairs are better than closer pairs.
	pairWeight = 3 * (rating.Max - rating.Min)
)

// Wave pairs as many seeks as possible. Among these matchings it takes one with the smallest differences of
// ratings, less a bonus for waiting. coin decides the sides that both players leave open.
func Wave(list []Seek, coin func() bool) (pairs []Pair) {
	mate := MaxWeight(len(list), func(i, j int) int {
		_, weight := meet(&list[i], &list[j])
		return weight
	})
	for i, j := range mate {
		if j < i {
			continue // seen before, or without a partner
		}
		shared, _ := meet(&list[i], &list[j])
		p := Pair{i, j, shared.Game}
		if shared.Side == Second || shared.Side == Any && coin() {
			p.First, p.Second = j, i
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// meet returns the best game of two seeks, with the side of a, and the weight of the pair. The weight is 0
// if they cannot be paired.
func meet(a, b *Seek) (shared Want, weight int) {
	if a.Client == b.Client || a.Seat && b.Seat || blocks(a, b) || blocks(b, a) {
		return shared, 0
	}
	bonus := min(missedWave*(a.Missed+b.Missed), mostMissed)
	for _, x := range a.Wants {
		for _, y := range b.Wants {
			side, ok := sides(x.Side, y.Side)
			if !ok || x.Game != y.Game || y.Rating < x.Low || y.Rating > x.High || x.Rating < y.Low || x.Rating > y.High {
				continue
			}
			if w := pairWeight + bonus - max(x.Rating-y.Rating, y.Rating-x.Rating); w > weight {
				shared, weight = x, w
				shared.Side = side
			}
		}
	}
	return shared, weight
}

func blocks(a, b *Seek) bool { return slices.Contains(a.Blocked, b.Client) }

// sides returns the side of the first seek; ok is false if both want the same side.
func sides(a, b Side) (of Side, ok bool) {
	switch {
	case a == Any && b == First:
		return Second, true
	case a == Any && b == Second:
		return First, true
	}
	return a, a == Any || a != b
}
