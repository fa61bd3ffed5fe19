package bots

import (
	"math/bits"

	"quintet/engine/nnue"
	"quintet/game"
	"quintet/games/chess"
)

// chessEval is one evaluation: the sum of weights times feature counts, interpolated by
// phase.
type chessEval struct {
	weights *chessTable
	sum     int32
	trace   *[chessWeightCount]int16 // feature counts for training, or nil
	cache   *pawnCache               // or nil
	men     [2]chessSide
	all     uint64
	input   chessFeatures // of the network
}

// chessSide holds the attack maps of one side.
type chessSide struct {
	men, pawns, king uint64
	attacks          uint64    // of all men
	byPawn           uint64    // of pawns alone
	byMinor          uint64    // of knights and bishops
	byRook           uint64    // of rooks
	twice            uint64    // cells attacked by two men
	reach            [4]uint64 // of knights, bishops, rooks, queens: for checks
	zone             uint64    // the king's cell and its neighbours
	danger           int       // danger to this side's king, in units
	attackers        int
}

// weigh counts a feature n times for White, or for Black if n is negative, and returns
// its weight times n. Callers add up many of these before they change e.sum, because a sum
// in memory takes longer than the rest.
func (e *chessEval) weigh(feature int, n int32) int32 {
	if e.trace != nil {
		e.trace[feature] += int16(n)
	}
	return e.weights[feature] * n
}

// chessPhase is the phase with all men on the board: 1 for each minor piece, 2
// for a rook, 4 for a queen.
const chessPhase = 24

// evalChess returns an evaluation by the linear weights, and by a network, which knows
// the value of the right to move; without a network that is chessTempo.
func evalChess(linear []int32, net *nnue.Network) func(game.Position) int {
	weights, cache := tableChess(linear), new(pawnCache)
	return func(p game.Position) int {
		q := p.(*chess.Position)
		e := chessEval{weights: weights, cache: cache}
		score := e.linear(q)
		if net == nil {
			score += chessTempo
		} else {
			score += net.Score(e.input.list[:e.input.n], e.input.mask, e.input.bucket())
		}
		return min(max(e.counted(q, score), -15_000), 15_000)
	}
}

// counted moves the score toward that of a halt if no lead can win otherwise, because then nearly all games
// end by repetition. A lead that is small beside the points of all men moves the score
// less, because a capture may still reverse it.
func (e *chessEval) counted(q *chess.Position, score int) int {
	if e.winnable(q, game.First) || e.winnable(q, game.Second) {
		return score
	}
	const kings = 2 * 1000
	first, second := q.Score(game.First), q.Score(game.Second)
	lead, all := max(first-second, second-first), first+second-kings
	return score + (haltedChess(q)-score)*lead*3/(4*max(all, 1))
}

// chessTempo is the value of the right to move.
const chessTempo = 14

// linear returns the linear evaluation for the side to move.
func (e *chessEval) linear(q *chess.Position) int {
	e.count(q)
	middle, end := unpackWeight(e.sum)
	phase := phaseOf(q)
	score := (middle*phase + end*(chessPhase-phase)) / chessPhase
	ahead := game.First
	if score < 0 {
		ahead = game.Second
	}
	if !e.winnable(q, ahead) {
		score /= 4
	}
	return int(sign(q.Turn())) * score
}

func phaseOf(q *chess.Position) int {
	minors := q.Kind(chess.Knight) | q.Kind(chess.Bishop)
	return min(bits.OnesCount64(minors)+2*bits.OnesCount64(q.Kind(chess.Rook))+4*bits.OnesCount64(q.Kind(chess.Queen)), chessPhase)
}

// winnable reports whether a side has enough pieces to win without promotion: a rook, a queen or two minor pieces
// can corner a king. One minor piece hardly can.
func (e *chessEval) winnable(q *chess.Position, side game.Side) bool {
	own := e.men[side].men
	minors := own & (q.Kind(chess.Knight) | q.Kind(chess.Bishop))
	return own&(q.Kind(chess.Rook)|q.Kind(chess.Queen)) != 0 || minors&(minors-1) != 0
}

// count adds up all features.
func (e *chessEval) count(q *chess.Position) {
	e.all = q.Pieces(game.First) | q.Pieces(game.Second)
	for s := range e.men {
		e.begin(q, game.Side(s))
	}
	e.input.begin(q.Turn(), e.men[0].king, e.men[1].king)
	for s := range e.men {
		e.pieces(q, game.Side(s))
	}
	for s := range e.men {
		e.pawns(game.Side(s))
		e.threats(q, game.Side(s))
		e.kings(game.Side(s))
	}
	e.sum += e.pawnStructure()
}

// sign is 1 for White and -1 for Black.
func sign(s game.Side) int32 { return 1 - 2*int32(s) }

// begin computes the attacks of pawns and king.
func (e *chessEval) begin(q *chess.Position, s game.Side) {
	m := &e.men[s]
	m.men = q.Pieces(s)
	m.pawns = q.Kind(chess.Pawn) & m.men
	m.king = q.Kind(chess.King) & m.men
	m.byPawn = pawnAttacks(m.pawns, s)
	near := chess.Reach(chess.King, bits.TrailingZeros64(m.king), 0)
	m.zone = near | m.king
	m.attacks = m.byPawn | near
	m.twice = m.byPawn & near
}

const (
	chessFileA uint64 = 0x0101010101010101
	chessFileH uint64 = chessFileA << 7
)

func pawnAttacks(pawns uint64, s game.Side) uint64 {
	if s == game.First {
		return pawns&^chessFileA>>9 | pawns&^chessFileH>>7
	}
	return pawns&^chessFileA<<7 | pawns&^chessFileH<<9
}

// place returns the index of a cell in the piece-square tables: from White's view, with
// the board folded along its middle.
func place(cell int, s game.Side) int {
	cell ^= 56 * int(s)
	return cell>>3<<2 | min(cell&7, 7-cell&7)
}

// pieceKinds lists the pieces whose mobility counts, in the order of their weights.
var pieceKinds = [...]struct {
	kind           byte
	place, moves   int
	danger, attack int // danger units for the enemy king: for attacking its zone, and per cell of it
}{
	{chess.Knight, chessPlaces + 32, chessMoves, 2, 1},
	{chess.Bishop, chessPlaces + 64, chessMoves + 9, 2, 1},
	{chess.Rook, chessPlaces + 96, chessMoves + 23, 3, 1},
	{chess.Queen, chessPlaces + 128, chessMoves + 38, 4, 1},
}

// pieces counts places and mobility. A slider sees through sliders of its side that move
// the same way (X-rays).
func (e *chessEval) pieces(q *chess.Position, s game.Side) {
	own, other, n := &e.men[s], &e.men[s.Other()], sign(s)
	allowed := ^(own.men&(own.pawns|own.king) | other.byPawn)
	sum := int32(0)
	for i := range pieceKinds {
		k := &pieceKinds[i]
		all := e.all
		if i > 0 {
			all &^= q.Kind(chess.Queen) & own.men
		}
		if k.kind == chess.Rook {
			all &^= q.Kind(chess.Rook) & own.men
		}
		for men := q.Kind(k.kind) & own.men; men != 0; men &= men - 1 {
			cell := bits.TrailingZeros64(men)
			reach := chess.Reach(k.kind, cell, all)
			e.input.add(i+1, cell, s)
			sum += e.weigh(k.place+place(cell, s), n) + e.weigh(k.moves+bits.OnesCount64(reach&allowed), n)
			own.twice |= own.attacks & reach
			own.attacks |= reach
			own.reach[i] |= reach
			if near := reach & other.zone; near != 0 {
				other.attackers++
				other.danger += k.danger + k.attack*bits.OnesCount64(near)
			}
			if k.kind == chess.Rook {
				sum += e.rook(cell, s)
			}
		}
	}
	own.byMinor, own.byRook = own.reach[0]|own.reach[1], own.reach[2]
	if bishops := q.Kind(chess.Bishop) & own.men; bishops&(bishops-1) != 0 {
		sum += e.weigh(chessPair, n)
	}
	e.sum += sum
}

// rook weighs files without pawns.
func (e *chessEval) rook(cell int, s game.Side) int32 {
	switch file := chessFileA << (cell & 7); {
	case file&(e.men[0].pawns|e.men[1].pawns) == 0:
		return e.weigh(chessOpenFile, sign(s))
	case file&e.men[s].pawns == 0:
		return e.weigh(chessHalfOpenFile, sign(s))
	}
	return 0
}

// pawns counts what depends on more than the pawns: their steps, and the network's inputs.
func (e *chessEval) pawns(s game.Side) {
	own := &e.men[s]
	for p := own.pawns; p != 0; p &= p - 1 {
		e.input.add(0, bits.TrailingZeros64(p), s)
	}
	step := own.pawns >> 8
	if s == game.Second {
		step = own.pawns << 8
	}
	e.sum += e.weigh(chessPawnSteps, sign(s)*int32(bits.OnesCount64(step&^e.all)))
}

// aheadOf returns the rows ahead of a cell.
func aheadOf(cell int, s game.Side) uint64 {
	if s == game.First {
		return 1<<(cell&^7) - 1
	}
	return ^uint64(0) << (cell | 7) << 1
}

// threats counts attacks on men of the other side.
func (e *chessEval) threats(q *chess.Position, s game.Side) {
	own, other, n := &e.men[s], &e.men[s.Other()], sign(s)
	loose := other.men &^ other.attacks
	weak := other.men &^ other.byPawn &^ (other.twice &^ own.twice)
	queens := q.Kind(chess.Queen)
	byMinor, byRook := own.byMinor&(weak|q.Kind(chess.Rook)|queens), own.byRook&(weak|queens)
	sum := int32(0)
	for i := range pieceKinds {
		men := q.Kind(pieceKinds[i].kind) & other.men
		sum += e.weighCount(chessByPawn+i, n, men&own.byPawn)
		sum += e.weighCount(chessByMinor+i, n, men&byMinor)
		sum += e.weighCount(chessByRook+i, n, men&byRook)
		sum += e.weighCount(chessLoose+i, n, men&loose&own.attacks)
	}
	centre := inner &^ own.pawns &^ other.byPawn
	e.sum += sum + e.weighCount(chessLoosePawn, n, loose&other.pawns&own.attacks) + e.weighCount(chessSpace, n, centre&own.attacks)
}

func (e *chessEval) weighCount(feature int, n int32, cells uint64) int32 {
	if cells == 0 {
		return 0
	}
	return e.weigh(feature, n*int32(bits.OnesCount64(cells)))
}

// inner is the sixteen cells in the middle.
const inner uint64 = 0x00_00_3c_3c_3c_3c_00_00

// checkDanger is the danger of a safe check by a knight, bishop, rook and queen, in units.
var checkDanger = [...]int{5, 4, 6, 5}

// kings counts king safety. A king without flight squares is in danger even without an
// attack, because there is no stalemate: the side must move.
func (e *chessEval) kings(s game.Side) {
	own, other, n := &e.men[s], &e.men[s.Other()], sign(s)
	cell := bits.TrailingZeros64(own.king)
	sum := e.weigh(chessPlaces+160+place(cell, s), n)
	e.input.add(5, cell, s)
	flights := own.zone &^ own.men &^ other.attacks
	sum += e.weigh(chessFlights+bits.OnesCount64(flights), n)
	weak := own.zone & other.attacks &^ own.twice
	units := own.danger + 2*bits.OnesCount64(weak&^own.byPawn)
	safe := ^other.men & (^own.attacks | weak&other.twice)
	straight, slanting := chess.Reach(chess.Rook, cell, e.all), chess.Reach(chess.Bishop, cell, e.all)
	from := [4]uint64{chess.Reach(chess.Knight, cell, 0), slanting, straight, straight | slanting}
	for i, cells := range from {
		if cells&other.reach[i]&safe != 0 {
			units += checkDanger[i]
		}
	}
	sum += e.weigh(chessDanger+min(units, 39), n)
	file := chessFileA << (cell & 7)
	near := file | file&^chessFileA>>1 | file&^chessFileH<<1
	shield := own.pawns & near & aheadOf(cell, s)
	sum += e.weigh(chessShield+min(bits.OnesCount64(shield), 3), n)
	if file&own.pawns == 0 {
		sum += e.weigh(chessBareKing, n)
	}
	e.sum += sum
}
