package gametest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"quintet/game"
)

// bug is the bug of a mutant.
type bug uint8

const (
	none bug = iota
	passesTooOften
	passesNever
	passesAtEnd
	movesTwice
	unstableOrder
	orderByHistory
	overwritesBuffer
	allocates
	endsTooLate
	endsTooSoon
	endByHistory
	keyWithoutSide
	keyOfHalf
	keyUnchanged
	keyByHistory
	copiesHalf
	copiesWithoutLast
	textWithoutSide
	textOfTwoLines
	textUnreadable
	sameNotation
	parsesAnything
	parsesLowerCase
	parsesPass
	parsesAnother
	shortBoard
	countsWrong
	unfairSample
	partialSample
	foreignSample
	sampleAtEnd
	sampleTooSeldom
	perftOfOne
	perftOfTwo
	perftMoves
	fixesByHistory
	fixesAnother
	refusesLegal
	refusesSilently
	refusesOtherwise
)

// bugs describes each bug, and a part of the suite's finding.
var bugs = map[bug]struct{ what, finding string }{
	passesTooOften:    {"a pass beside other moves", "a pass among other moves in"},
	passesNever:       {"no moves where a side has to pass", ": 0 moves, but the result is ongoing"},
	passesAtEnd:       {"a pass when the game is over", ": 1 moves, but the result is"},
	movesTwice:        {"a move that comes twice", "a move comes twice in"},
	unstableOrder:     {"another order at every call", ": Moves gives"},
	orderByHistory:    {"an order that depends on the last move", " is another position"},
	overwritesBuffer:  {"moves in front of what the buffer holds", ": Moves gives"},
	allocates:         {"moves that are not put in the buffer", "allocations by"},
	endsTooLate:       {"a full board on which the game goes on", ": 0 moves, but the result is ongoing"},
	endsTooSoon:       {"a result while there are moves", ": 1 moves, but the result is"},
	keyWithoutSide:    {"a key without the side to move", " share a key"},
	keyOfHalf:         {"a key of half of the board", " left the key unchanged"},
	keyUnchanged:      {"one key for all", " left the key unchanged"},
	copiesHalf:        {"a copy without the side to move", "CopyFrom("},
	textWithoutSide:   {"a text without the side to move", " is another position"},
	textOfTwoLines:    {"a text of two lines", ", want one line without outer blanks"},
	textUnreadable:    {"a text that is not read", `Read("5/5/5/5/5 x"): position`},
	sameNotation:      {"one notation for two moves", "two moves are written"},
	parsesAnything:    {"any text is a move", ", want an error"},
	parsesLowerCase:   {"only lower case is read", ": Parse(\"A"},
	parsesPass:        {"a pass is always read", ": Parse(pass)"},
	endByHistory:      {"a result that depends on the last move", " is another position"},
	keyByHistory:      {"a key that depends on the last move", " is another position"},
	copiesWithoutLast: {"a copy with another key", "CopyFrom("},
	parsesAnother:     {"a move is read as another", ": Parse(\""},
	sampleTooSeldom:   {"no sample though there is a move", ": Sample gives none, want one of"},
	shortBoard:        {"a picture without the last cell", ": 24 cells on a board of 5 by 5"},
	countsWrong:       {"a wrong number of moves", ": Count() = 3, want 2"},
	unfairSample:      {"a sample that favours the first move", ": Sample is uneven"},
	partialSample:     {"a sample without the last move", ": Sample is uneven"},
	foreignSample:     {"a sample that is no move", ": Sample gives put 77"},
	sampleAtEnd:       {"a sample when the game is over", ": Sample gives put 1, want one of []"},
	perftOfOne:        {"a wrong perft of depth 1", ": Perft(1) ="},
	perftOfTwo:        {"a wrong perft of depth 2", ": Perft(2) ="},
	perftMoves:        {"a perft that leaves another position", "Perft changed"},
	fixesByHistory:    {"options that depend on the last move", " has the options map[komi:"},
	fixesAnother:      {"options of another start", ": its own options, map[komi:9], give"},
	refusesLegal:      {"a reason against a legal move", ", legal true, is"},
	refusesSilently:   {"no reason against a stone on a stone", `, legal false, is ""`},
	refusesOtherwise:  {"another reason than that of Parse", "want an error with the reason no move at all"},
}

// mutant is a fill with a bug.
type mutant struct {
	fill
	bug   bug
	calls int // of Moves
	last  game.Move
}

func (m *mutant) is(b bug) bool { return m.bug == b }

func (m *mutant) Moves(buf []game.Move) []game.Move {
	first := len(buf)
	switch {
	case m.is(allocates):
		buf = slices.Clone(buf)
	case m.is(overwritesBuffer):
		buf = buf[:0]
	case m.passes() && m.is(passesNever):
		return buf
	case m.passes() && m.is(passesTooOften):
		return m.puts(append(buf, game.Pass))
	case m.empty() == 0 && m.is(passesAtEnd):
		return append(buf, game.Pass)
	}
	buf = m.fill.Moves(buf)
	m.calls++
	if len(buf) < first+2 {
		return buf
	}
	if m.is(movesTwice) {
		return append(buf, buf[first])
	}
	if m.is(unstableOrder) && m.calls%2 == 0 || m.is(orderByHistory) && m.last.To()%2 == 1 {
		slices.Reverse(buf[first:])
	}
	return buf
}

func (m *mutant) Play(mv game.Move) { m.fill.Play(mv); m.last = mv }

func (m *mutant) Result() game.Result {
	switch {
	case m.is(endsTooLate):
		return game.Ongoing
	case m.is(endsTooSoon) && m.empty() == 1:
		return game.Draw
	case m.is(endByHistory) && m.empty() == 0 && m.last != 0:
		return game.Draw
	}
	return m.fill.Result()
}

func (m *mutant) Key() uint64 {
	switch m.bug {
	case keyWithoutSide:
		return m.keyOf(0, 25)
	case keyOfHalf:
		return m.keyOf(0, 12)
	case keyUnchanged:
		return 7
	case keyByHistory, copiesWithoutLast:
		return m.keyOf(uint64(m.last)<<1|uint64(m.turn), 25)
	}
	return m.fill.Key()
}

func (m *mutant) Clone() game.Position { c := *m; return &c }

func (m *mutant) CopyFrom(p game.Position) {
	turn, last := m.turn, m.last
	*m = *p.(*mutant)
	if m.is(copiesHalf) {
		m.turn = turn
	}
	if m.is(copiesWithoutLast) {
		m.last = last
	}
}

func (m *mutant) Format(mv game.Move) string {
	if m.is(sameNotation) && mv != game.Pass {
		return "a1"
	}
	return m.fill.Format(mv)
}

func (m *mutant) Parse(s string) (game.Move, error) {
	switch {
	case m.is(parsesAnything) && m.empty() > 0:
		return m.fill.Moves(nil)[0], nil
	case m.is(parsesPass) && game.IsPass(s):
		return game.Pass, nil
	case m.is(parsesAnother) && m.empty() > 0:
		if _, err := m.fill.Parse(s); err != nil {
			return 0, err
		}
		return m.nth(0), nil
	case m.is(parsesLowerCase) && s != strings.ToLower(s):
		return 0, game.ErrIllegal
	}
	return m.fill.Parse(s)
}

func (m *mutant) SetupOf() game.Setup {
	switch {
	case m.is(fixesAnother):
		return game.Setup{"komi": "9"}
	case m.is(fixesByHistory) && m.last.To()%2 == 1:
		return game.Setup{"komi": "3"}
	}
	return nil
}

func (m *mutant) WhyIllegal(mv game.Move) string {
	switch {
	case m.is(refusesLegal):
		return "no move at all"
	case m.is(refusesSilently) && m.empty() > 0:
		return ""
	case m.is(refusesOtherwise) && !game.Legal(&m.fill, mv):
		return "no move at all"
	}
	return m.fill.WhyIllegal(mv)
}

func (m *mutant) Board() game.Board {
	b := m.fill.Board()
	if m.is(shortBoard) {
		b.Cells = b.Cells[:24]
	}
	return b
}

func (m *mutant) String() string {
	text := m.fill.String()
	switch m.bug {
	case textWithoutSide:
		return text[:len(text)-1] + "X"
	case textOfTwoLines:
		return strings.Replace(text, " ", "\n", 1)
	case textUnreadable:
		return strings.ToLower(text)
	}
	return text
}

func (m *mutant) Count() int {
	if m.is(countsWrong) && m.empty() == 2 {
		return 3
	}
	return m.fill.Count()
}

func (m *mutant) Sample(r *rand.PCG) game.Move {
	n := m.empty()
	if m.is(sampleAtEnd) && n == 0 {
		return game.Put(1)
	}
	if m.is(sampleTooSeldom) && n == 1 {
		return 0
	}
	if n < 2 || m.passes() {
		return m.fill.Sample(r)
	}
	switch m.bug {
	case unfairSample:
		return m.nth(max(game.IntN(r, n+1)-1, 0))
	case partialSample:
		return m.nth(game.IntN(r, n-1))
	case foreignSample:
		return game.Put(77)
	}
	return m.fill.Sample(r)
}

func (m *mutant) Perft(depth int) uint64 {
	n := m.fill.Perft(depth)
	if m.is(perftOfOne) && depth == 1 || m.is(perftOfTwo) && depth == 2 {
		n++
	}
	if m.is(perftMoves) {
		m.turn = m.turn.Other()
	}
	return n
}

// mutantGame is the game of the mutants with the bug.
func mutantGame(b bug) game.Game {
	g := fillGame()
	g.New = func(game.Setup) (game.Position, error) { return &mutant{fill: newFill(), bug: b}, nil }
	g.Read = func(text string) (game.Position, error) {
		f, err := readFill(strings.ReplaceAll(text, "\n", " "))
		if err != nil {
			return nil, err
		}
		return &mutant{fill: *f, bug: b}, nil
	}
	return g
}

// sharedCopy is a fill whose copies share their cells.
type sharedCopy struct {
	fill
	shared *fill
}

func (t *sharedCopy) Play(m game.Move)         { t.fill.Play(m); *t.shared = t.fill }
func (t *sharedCopy) String() string           { return t.shared.String() }
func (t *sharedCopy) CopyFrom(p game.Position) { *t = *p.(*sharedCopy) }
func (t *sharedCopy) Clone() game.Position     { c := *t; return &c }

func sharedCopyGame() game.Game {
	tether := func(f fill) game.Position { return &sharedCopy{f, &f} }
	g := fillGame()
	g.New = func(game.Setup) (game.Position, error) { return tether(newFill()), nil }
	g.Read = func(text string) (game.Position, error) {
		f, err := readFill(text)
		if err != nil {
			return nil, err
		}
		return tether(*f), nil
	}
	return g
}
