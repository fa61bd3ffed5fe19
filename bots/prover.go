package bots

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quintet/engine"
	"quintet/game"
)

// Prover finds every turn that wins, with proof. A turn is what a side plays before
// its opponent moves again: one move, or the two stones of Connect6 in either order.
// A prover keeps its tables between positions and serves one caller at a time.
type Prover interface {
	// WinsIn returns the fewest turns of the side to move within which it wins, up to
	// most; 0 if no such win is found.
	WinsIn(ctx context.Context, p game.Position, most int) (turns int, err error)

	// Winning returns, in a fixed order, the turns that win against every defence
	// within the given number of turns of the side to move, this one included. What is proved of
	// the other turns depends on the game: see docs/puzzles.md.
	Winning(ctx context.Context, p game.Position, turns int) ([][]game.Move, error)

	// Replies returns the defences that the side to move has against an opponent
	// who wins within the given number of turns. It is not empty unless the game is over.
	Replies(ctx context.Context, p game.Position, turns int) ([][]game.Move, error)

	// Refutations returns replies to the turns of the side to move that are not the
	// winning one: after such a reply it does not win within the turns that are left.
	Refutations(ctx context.Context, p game.Position, winning []game.Move, turns int) ([]Refutation, error)
}

// Refutation is a reply and the moves that it refutes.
type Refutation struct {
	// Reply is empty where the wrong moves end the game. In games of several moves
	// a turn it is a list of moves, of which the reply takes the first that are legal.
	Reply []game.Move
	Wrong []game.Move // nil for every turn that no other refutation names
}

// ErrUnproved is returned by a Prover if the proof takes too many positions.
var ErrUnproved = errors.New("the proof takes too many positions")

// NewProver returns the prover of a game: one made for the game, or a search of all
// moves to a fixed number of turns. It uses tables of about the given number of megabytes.
func NewProver(g game.Game, megabytes int) (Prover, error) {
	s := ProfileFor(g)
	if s.Prover != nil {
		return s.Prover(megabytes)
	}
	return newWinSearch(s.treeKnowledge(), megabytes), nil
}

// winSearch proves wins by searching all moves to a fixed number of turns. A side
// moves once a turn. No position can recur three times in so few plies that it
// would matter: a shortest win never returns to a position.
//
// It relies on what candidates of all games promise: a move that wins at once comes
// first, and moves are omitted only if another wins at once, or if they lose at once
// and not all do.
type winSearch struct {
	know  engine.Knowledge
	table []winSlot
	pos   []game.Position
	moves [][]game.Move
	nodes uint64
	ctx   context.Context //nolint:containedctx // of the call in progress
}

// winSlot remembers the turns within which the side to move wins.
type winSlot struct {
	key    uint64
	won    uint8 // turns that suffice; 0 if none are known
	failed uint8 // turns that do not suffice
}

func newWinSearch(k engine.Knowledge, megabytes int) *winSearch {
	return &winSearch{know: k, table: make([]winSlot, max(megabytes, 1)<<16)}
}

// begin readies the scratch buffers for a search of the given number of turns below a position.
func (s *winSearch) begin(ctx context.Context, p game.Position, turns int) {
	s.ctx = ctx
	for len(s.pos) < 2*turns+2 {
		s.pos = append(s.pos, p.Clone())
		s.moves = append(s.moves, nil)
	}
}

// WinsIn implements Prover.
func (s *winSearch) WinsIn(ctx context.Context, p game.Position, most int) (turns int, err error) {
	s.begin(ctx, p, most)
	for turns = 1; turns <= most && !p.Result().Over(); turns++ {
		if s.wins(p, turns, 0) {
			return turns, s.failed()
		}
	}
	return 0, s.failed()
}

// Winning implements Prover.
func (s *winSearch) Winning(ctx context.Context, p game.Position, turns int) (list [][]game.Move, err error) {
	s.begin(ctx, p, turns)
	for _, m := range p.Moves(nil) {
		if s.after(p, 0, m); s.won(p.Turn(), turns-1, 0) {
			list = append(list, []game.Move{m})
		}
	}
	return list, s.failed()
}

// Replies implements Prover: every legal move is one.
func (s *winSearch) Replies(_ context.Context, p game.Position, _ int) (list [][]game.Move, err error) {
	for _, m := range p.Moves(nil) {
		list = append(list, []game.Move{m})
	}
	return list, nil
}

// Refutations implements Prover.
func (s *winSearch) Refutations(ctx context.Context, p game.Position, winning []game.Move, turns int) ([]Refutation, error) {
	s.begin(ctx, p, turns)
	var list refutationList
	for _, m := range p.Moves(nil) {
		if m == winning[0] {
			continue
		}
		child := p.Clone()
		child.Play(m)
		if reply := s.refute(child, turns-1); len(reply) > 0 || child.Result().Over() {
			list.add(reply, m)
		}
	}
	return list, s.failed()
}

// refute returns the reply that looks best to the evaluation among those after which
// the opponent does not win within the given number of turns; none if there is none.
func (s *winSearch) refute(p game.Position, turns int) []game.Move {
	moves := slices.Clone(s.list(p, 0))
	values := make(map[game.Move]int, len(moves))
	for _, m := range moves {
		values[m] = s.value(s.after(p, 0, m), p.Turn())
	}
	slices.SortStableFunc(moves, func(a, b game.Move) int { return values[b] - values[a] })
	for _, m := range moves {
		if s.after(p, 0, m); !s.won(p.Turn().Other(), turns, 0) {
			return []game.Move{m}
		}
	}
	return nil
}

// value returns the static evaluation of a position for a side.
func (s *winSearch) value(p game.Position, side game.Side) int {
	if r := p.Result(); r.Over() {
		return map[game.Result]int{game.Win(side): engine.Won, game.Win(side.Other()): -engine.Won}[r]
	}
	if p.Turn() == side {
		return s.know.Eval(p)
	}
	return -s.know.Eval(p)
}

// refutationList groups wrong moves by the reply.
type refutationList []Refutation

func (l *refutationList) add(reply []game.Move, wrong game.Move) {
	i := slices.IndexFunc(*l, func(r Refutation) bool { return slices.Equal(r.Reply, reply) })
	if i < 0 {
		i = len(*l)
		*l = append(*l, Refutation{Reply: reply})
	}
	(*l)[i].Wrong = append((*l)[i].Wrong, wrong)
}

func (s *winSearch) failed() error {
	if err := s.ctx.Err(); err != nil {
		return fmt.Errorf("proving: %w", err)
	}
	return nil
}

// list returns the moves to search at a ply.
func (s *winSearch) list(p game.Position, ply int) []game.Move {
	if s.know.Candidates != nil && !p.Result().Over() {
		s.moves[ply] = s.know.Candidates(p, s.moves[ply][:0])
	} else {
		s.moves[ply] = p.Moves(s.moves[ply][:0])
	}
	return s.moves[ply]
}

// after puts the position after a move into the next ply's scratch buffer.
func (s *winSearch) after(p game.Position, ply int, m game.Move) game.Position {
	child := s.pos[ply+1]
	child.CopyFrom(p)
	child.Play(m)
	s.nodes++
	return child
}

// won reports whether the position after a ply is won by the attacker within the given number of
// its turns.
func (s *winSearch) won(attacker game.Side, turns, ply int) bool {
	p := s.pos[ply+1]
	switch winner, ok := p.Result().Winner(); {
	case ok:
		return winner == attacker
	case turns == 0 || p.Result().Over():
		return false
	case p.Turn() == attacker:
		return s.wins(p, turns, ply+1)
	}
	return s.loses(p, attacker, turns, ply+1)
}

// loses reports whether every reply leaves the attacker a win within the given number of turns.
func (s *winSearch) loses(p game.Position, attacker game.Side, turns, ply int) bool {
	for _, m := range s.list(p, ply) {
		if s.after(p, ply, m); !s.won(attacker, turns, ply) {
			return false
		}
	}
	return true
}

// wins reports whether the side to move wins within the given number of its turns.
func (s *winSearch) wins(p game.Position, turns, ply int) bool {
	if turns == 1 && s.know.Candidates != nil {
		return s.search(p, turns, ply) // faster than the table: one move is played
	}
	slot, key := s.slot(p)
	if slot.key == key && slot.won > 0 && int(slot.won) <= turns {
		return true
	}
	if slot.key == key && int(slot.failed) >= turns || s.nodes&1023 == 0 && s.ctx.Err() != nil {
		return false
	}
	won := s.search(p, turns, ply)
	if slot.key != key {
		*slot = winSlot{key: key}
	}
	if won {
		slot.won = uint8(turns)
	} else if s.ctx.Err() == nil {
		slot.failed = max(slot.failed, uint8(turns))
	}
	return won
}

func (s *winSearch) slot(p game.Position) (slot *winSlot, key uint64) {
	key = p.Key()
	return &s.table[key%uint64(len(s.table))], key
}

func (s *winSearch) search(p game.Position, turns, ply int) bool {
	side := p.Turn()
	for i, m := range s.list(p, ply) {
		if s.know.Candidates != nil && turns == 1 && i > 0 {
			return false // a move that wins at once would have come first
		}
		if s.after(p, ply, m); s.won(side, turns-1, ply) {
			return true
		}
	}
	return false
}
