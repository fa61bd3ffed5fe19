package arena

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"quintet/game"
)

// Results are the results of any number of matches of one game, to rate all their players together.
// The zero value has none. The order in which matches are added does not matter.
type Results struct {
	Game     string          `json:"game"`
	Start    string          `json:"start"` // of the matches; the board
	Players  []Contestant    `json:"players"`
	Pairings []PairingResult `json:"pairings"`
	Unpaired int             `json:"unpaired"` // games that were not counted, because the other game of the pair is missing
	Sources  []string        `json:"sources"`  // a hash of the header of each record, sorted

	from    string            // the first source
	sources map[string]string // which file has a source
}

// Contestant is a player with all its results.
type Contestant struct {
	Standing
	Player  string `json:"player"` // as given to the arena
	Limit   string `json:"limit"`
	Threads int    `json:"threads"`

	from string
}

// PairingResult is the score of a player against another one, whose name is greater.
type PairingResult struct {
	A string `json:"a"`
	B string `json:"b"`
	Score
}

// Add adds the matches of a file: a [RecordFile], or Results as JSON. The name is for errors; find finds a game.
// After an error the results are incomplete.
func (r *Results) Add(name string, in io.Reader, find func(string) (game.Game, error)) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if r.sources == nil {
		r.sources = map[string]string{}
	}
	var stored Results
	if json.Unmarshal(data, &stored) == nil && stored.Pairings != nil {
		err = r.addStored(name, &stored)
	} else {
		err = r.addRecords(name, data, find)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// addRecords adds the games of a record.
func (r *Results) addRecords(name string, data []byte, find func(string) (game.Game, error)) error {
	var h Header
	games, _, err := readRecords(bytes.NewReader(data), func(line []byte, whole bool) (g game.Game, names []string, err error) {
		if !whole {
			return g, nil, errNoRecord
		}
		if h, err = parseHeader(line); err == nil {
			err = r.begin(name, h)
		}
		if err == nil {
			g, err = find(h.Game)
		}
		return g, h.Names(), err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(games, func(a, b Record) int { return cmp.Compare(a.Number, b.Number) })
	seen := map[uint64]bool{}
	for len(games) > 0 {
		if len(games) == 1 || games[0].Number/2 != games[1].Number/2 {
			games = games[1:]
			r.Unpaired++
			continue
		}
		if err := r.addPair(h.Names(), [2]Record(games[:2]), seen); err != nil {
			return err
		}
		games = games[2:]
	}
	return nil
}

// begin checks that the matches of a header fit, and adds its players.
func (r *Results) begin(name string, h Header) error {
	if err := r.fits(name, h.Game, h.Start, hashOf(fmt.Sprint(h.settings()))); err != nil {
		return err
	}
	for i, p := range h.Players {
		if slices.Contains(h.Names()[:i], p.Name) {
			return fmt.Errorf("line 1: two players are called %q", p.Name)
		}
		if _, err := r.player(name, Contestant{Standing: Standing{Name: p.Name}, Player: p.Player, Limit: p.Limit, Threads: h.Threads}); err != nil {
			return err
		}
	}
	return nil
}

// maxSources is the most records that stored results may come from.
const maxSources = 10_000

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// fits checks that a source is of the same game as the others, and not one that was added already.
func (r *Results) fits(name, of, start string, sources ...string) error {
	if r.from == "" {
		r.from, r.Game, r.Start = name, of, start
	}
	before := ""
	for _, hash := range sources {
		before = cmp.Or(before, r.sources[hash])
		r.sources[hash] = name
	}
	r.Sources = slices.Sorted(maps.Keys(r.sources))
	switch {
	case of != r.Game:
		return fmt.Errorf("a record of %s, but %s is of %s: rate one game at a time", of, r.from, r.Game)
	case start != r.Start:
		return fmt.Errorf("it starts with %q, and %s with %q: rate one board at a time", start, r.from, r.Start)
	case before != "":
		return fmt.Errorf("it has the settings and seed of %s, so its games may be the same: use only one of the two", before)
	}
	return nil
}

// player returns the index of a player, and adds it if it is new. It must be the same in all sources.
func (r *Results) player(source string, c Contestant) (int, error) {
	i := slices.IndexFunc(r.Players, func(p Contestant) bool { return p.Name == c.Name })
	if i < 0 {
		c.from, c.Standing = source, Standing{Name: c.Name}
		r.Players = append(r.Players, c)
		return len(r.Players) - 1, nil
	}
	p := r.Players[i]
	for _, s := range [][3]string{{"player", p.Player, c.Player}, {"limit", p.Limit, c.Limit}, {"threads", fmt.Sprint(p.Threads), fmt.Sprint(c.Threads)}} {
		if s[1] != s[2] {
			return 0, fmt.Errorf("%q has %s %q, and in %s %q: give it another name where it plays differently (NAME=PLAYER)", c.Name, s[0], s[2], p.from, s[1])
		}
	}
	return i, nil
}

// addPair counts a pair of games of players with these names. seen has the games of the file so far.
func (r *Results) addPair(names []string, games [2]Record, seen map[uint64]bool) error {
	first, second := games[0], games[1]
	if first.Players[0] == first.Players[1] || first.Players != [2]int{second.Players[1], second.Players[0]} ||
		!second.beganWith(Opening{Start: first.Start, Moves: first.Moves[:first.Opening]}) {
		return fmt.Errorf("games %d and %d are not a pair from one opening with colours swapped", first.Number+1, second.Number+1)
	}
	var score Score
	both := [2]Summary{first.Summary(), second.Summary()}
	for _, g := range both {
		for side, player := range g.Players {
			i := slices.IndexFunc(r.Players, func(c Contestant) bool { return c.Name == names[player] })
			r.Players[i].add(g, side)
		}
		if seen[g.Key] {
			score.Repeated++
		}
		seen[g.Key] = true
	}
	score.add(both)
	r.merge(names[first.Players[0]], names[first.Players[1]], score)
	return nil
}

// merge adds a score of a against b.
func (r *Results) merge(a, b string, s Score) {
	if a > b {
		a, b, s = b, a, s.swapped()
	}
	i, ok := slices.BinarySearchFunc(r.Pairings, [2]string{a, b}, func(p PairingResult, names [2]string) int {
		return cmp.Or(cmp.Compare(p.A, names[0]), cmp.Compare(p.B, names[1]))
	})
	if !ok {
		r.Pairings = slices.Insert(r.Pairings, i, PairingResult{A: a, B: b})
	}
	r.Pairings[i].merge(s)
}

// addStored adds results that were read from JSON.
func (r *Results) addStored(name string, s *Results) error {
	err := s.check()
	if err == nil {
		err = r.fits(name, s.Game, s.Start, s.Sources...)
	}
	if err != nil {
		return err
	}
	for _, c := range s.Players {
		i, err := r.player(name, c)
		if err != nil {
			return err
		}
		r.Players[i].Games += c.Games
		r.Players[i].merge(c.Counts)
	}
	for _, p := range s.Pairings {
		r.merge(p.A, p.B, p.Score)
	}
	r.Unpaired += s.Unpaired
	return nil
}

// check reports whether the counts of stored results agree.
func (r *Results) check() error {
	games := map[string]int{}
	for _, p := range r.Pairings {
		points := 0
		for half, n := range p.Pentanomial {
			points += half * n
		}
		if slices.Min(append(p.Pentanomial[:], p.Wins, p.Losses, p.Draws)) < 0 || 2*p.Pairs() != p.Games() || points != 2*p.Wins+p.Draws || p.A == p.B {
			return fmt.Errorf("the counts of %s - %s do not agree", p.A, p.B)
		}
		games[p.A] += p.Games()
		games[p.B] += p.Games()
	}
	for _, c := range r.Players {
		if c.Games != games[c.Name] || c.Games != c.Wins+c.Losses+c.Draws || min(c.Wins, c.Losses, c.Draws) < 0 {
			return fmt.Errorf("the counts of %s and of its pairings do not agree", c.Name)
		}
		delete(games, c.Name)
	}
	if len(games) > 0 {
		return errors.New("a player of the pairings is not in the list of players")
	}
	if len(r.Sources) == 0 || len(r.Sources) > maxSources {
		return fmt.Errorf("%d sources: expected 1 to %d", len(r.Sources), maxSources)
	}
	return nil
}

// Groups returns the standings of each group of players that are connected by games, the largest group first.
// Ratings of different groups cannot be compared. It leaves out players without games.
func (r *Results) Groups() (groups []Standings) {
	players := slices.Clone(r.Players)
	slices.SortFunc(players, func(a, b Contestant) int { return cmp.Compare(a.Name, b.Name) })
	left := slices.Clone(r.Pairings)
	for _, c := range players {
		members := map[string]bool{c.Name: true}
		var own []PairingResult
		for n := -1; n != len(members); { // until no pairing adds a member
			n = len(members)
			left = slices.DeleteFunc(left, func(p PairingResult) bool {
				in := members[p.A] || members[p.B]
				if in {
					members[p.A], members[p.B] = true, true
					own = append(own, p)
				}
				return in
			})
		}
		if len(own) > 0 {
			groups = append(groups, groupOf(players, members, own))
		}
	}
	slices.SortStableFunc(groups, func(a, b Standings) int { return len(b.Players) - len(a.Players) })
	return groups
}

// groupOf returns the standings of the members of a group.
func groupOf(players []Contestant, members map[string]bool, pairings []PairingResult) (s Standings) {
	at := map[string]int{}
	for _, c := range players {
		if members[c.Name] {
			at[c.Name] = len(s.Players)
			s.Players = append(s.Players, c.Standing)
		}
	}
	for _, p := range pairings {
		s.Pairings = append(s.Pairings, Pairing{A: at[p.A], B: at[p.B], Score: p.Score})
		s.Games += p.Games()
	}
	s.Planned = s.Games
	slices.SortFunc(s.Pairings, func(a, b Pairing) int { return cmp.Or(a.A-b.A, a.B-b.B) })
	return s
}
