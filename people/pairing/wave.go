// Package pairing decides who plays whom. It has no clock, no network and no randomness of its
// own.
//
// [MaxWeight] matches any number of players so that the sum of the weights of the pairs is
// greatest; waves, and rounds of tournaments, differ in their weights. [Wave] pairs those who
// wait for an opponent.
package pairing

import "quintet/people/rating"

// Seek is somebody who waits for an opponent, or an open seat, which waits like a person.
type Seek struct {
	Client  string   // who it is: nobody meets oneself
	Wants   []Want   // any of these
	Blocked []string // clients that it does not meet
	Missed  int      // waves without an opponent
	Seat    bool     // an open seat of a game: two of them cannot meet
}

// Want is a game that somebody would play.
type Want struct {
	Game      string // game, options, clock and stakes as one text: opponents want the same
	Rating    int    // of the player there
	Low, High int    // ratings of opponents
	Side      Side
}

// Side is the side that somebody wants.
type Side int

// The sides.
const (
	Any Side = iota
	First
	Second
)

// Pair is two seeks that meet, by their places in the list, and the game that both want.
type Pair struct {
	First, Second int
	Game          string
}

const (
	// missedWave is how many points of difference a missed wave outweighs, and mostMissed how
	// many all of them do: who has waited longest comes first (lila, PoolActor.scala).
	missedWave, mostMissed = 12, 400

	// pairWeight is more than any difference of ratings: more pairs are better than closer ones.
	pairWeight = 3 * (rating.Max - rating.Min)
)

// Wave pairs as many seeks as it can; among these matchings it takes one of the least differences
// of ratings, less what waiting counts. coin decides sides that both leave open.
func Wave(list []Seek, coin func() bool) (pairs []Pair) {
	mate := MaxWeight(len(list), func(i, j int) int {
		_, weight := meet(&list[i], &list[j])
		return weight
	})
	for i, j := range mate {
		if j < i {
			continue // also those without a partner
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

// meet returns the best game of two seeks, with the side of a, and the weight of the pair; 0 if
// they cannot meet.
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

func blocks(a, b *Seek) bool {
	for _, c := range a.Blocked {
		if c == b.Client {
			return true
		}
	}
	return false
}

// sides returns the side of the first of two, if both can have what they want.
func sides(a, b Side) (of Side, ok bool) {
	switch {
	case a == Any && b == First:
		return Second, true
	case a == Any && b == Second:
		return First, true
	}
	return a, a == Any || a != b
}
