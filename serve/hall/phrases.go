package hall

import (
	"math"
	"slices"

	"quintet/game"
)

// Phrase is a fixed sentence that a player sends to the opponent. There is no free text between strangers.
type Phrase string

// Phrases returns all phrases. Servers name a phrase by its place in this list: append new ones.
func Phrases() []Phrase {
	return []Phrase{"game", "thanks", "luck", "played", "oops", "fun"} // Good game, Thanks, Good luck, Well played, Oops, Have fun
}

// Say sends a phrase of a side to the pages of both players, on other servers too. It is not in the log.
func (r *Room) Say(s game.Side, p Phrase) {
	r.showPhrase(s, p)
	if peers := r.hall.exchange.peers; peers != nil {
		seat := r.id + string('1'+rune(s))
		_ = peers.AnnouncePresence([]string{seat + string('a'+rune(slices.Index(Phrases(), p)))}) // losing a phrase does no harm
	}
}

// showPhrase sends a phrase to the players who are connected to this server.
func (r *Room) showPhrase(s game.Side, p Phrase) {
	l := r.lock()
	defer l.unlock()
	m := &Message{number: math.MaxInt, plain: r.hall.config.Encoder.Said(s, p)}
	for w := range r.watchers {
		if w.Presence && w.seated() {
			l.send(w, m)
		}
	}
}

// phraseOf returns the phrase that the last letter of a peer's message names; ok is false if it names none.
func phraseOf(letter byte) (p Phrase, ok bool) {
	list := Phrases()
	if letter < 'a' || int(letter-'a') >= len(list) {
		return "", false
	}
	return list[letter-'a'], true
}
