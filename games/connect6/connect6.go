// Package connect6 implements Connect6 on boards of 1 to 26 rows: Black places one
// stone, then both sides place two a turn; six or more in a line win.
//
// Start with [Game] and [Position].
//
// A move is one stone; the position counts the stones left in the turn. A full board
// without six in a line is a draw; there are no passes.
package connect6

import (
	_ "embed" // the rules in words, a game to watch
	"math/bits"
	"math/rand/v2"
	"strconv"

	"quintet/game"
)

// MaxSize is the largest number of rows and of columns.
const MaxSize = game.MaxSize

// Six is the number of stones in a line that win.
const Six = 6

// PerTurn is the number of stones per turn, except for the first turn of the game,
// which has one.
const PerTurn = 2

// sides are the names of the two sides.
var sides = [2]string{"Black", "White"}

//go:embed rules.txt
var rules string

//go:embed demo.txt
var demo string

// Game is Connect6.
var Game = game.Game{
	Name:     "connect6",
	Title:    "Connect6",
	Sides:    sides,
	Options:  []game.Option{sizeOption},
	Notation: "a cell such as J9, one stone a move",
	Rules:    rules,
	New:      newGame,
	Read:     read,
	Look: game.Look{
		Blurb:   "two stones a turn; six in a line win",
		Face:    "J9 K10 I9 K9 J8 L8 I10 K8 K7 M7 I8 H10 G11",
		Demo:    game.Demo{Setup: game.Setup{"size": "15"}, Moves: demo},
		Ground:  game.Bamboo,
		PerTurn: PerTurn,
		Ending:  game.Six,
	},
}

var sizeOption = game.Option{
	Name: "size", Help: "rows and columns of the board", Default: "19", Min: 1, Max: MaxSize,
}

// Position is a position of Connect6.
type Position struct {
	stones [2]grid
	empty  uint16 // empty cells
	size   uint8
	left   uint8 // stones left in the turn
	turn   game.Side
	result game.Result
}

// Position implements the optional interfaces that are faster than the defaults.
var (
	_ game.Position   = (*Position)(nil)
	_ game.Counter    = (*Position)(nil)
	_ game.Sampler    = (*Position)(nil)
	_ game.Configured = (*Position)(nil)
	_ game.Explainer  = (*Position)(nil)
)

// Start returns an empty board of 1 to 26 rows with Black to place one stone. It
// returns an error for another size.
func Start(size int) (*Position, error) {
	if err := sizeOption.Check(strconv.Itoa(size)); err != nil {
		return nil, err
	}
	return &Position{size: uint8(size), empty: uint16(size * size), left: 1}, nil
}

func newGame(s game.Setup) (game.Position, error) {
	size, err := strconv.Atoi(s[sizeOption.Name])
	if err != nil {
		return nil, sizeOption.Check(s[sizeOption.Name])
	}
	return Start(size)
}

// Size returns the number of rows and of columns.
func (p *Position) Size() int { return int(p.size) }

// SetupOf returns the size of the board as an option of the game.
func (p *Position) SetupOf() game.Setup {
	return game.Setup{sizeOption.Name: strconv.Itoa(p.Size())}
}

// Left returns the number of stones left in the turn.
func (p *Position) Left() int { return int(p.left) }

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Result returns the result.
func (p *Position) Result() game.Result { return p.result }

// Moves appends the legal moves, row by row from the top left.
func (p *Position) Moves(buf []game.Move) []game.Move {
	if p.result.Over() {
		return buf
	}
	size := int(p.size)
	for row := range size {
		for e := p.emptyIn(row); e != 0; e &= e - 1 {
			buf = append(buf, game.Put(game.Cell(row*size+bits.TrailingZeros32(e))))
		}
	}
	return buf
}

// emptyIn returns the empty cells of a row.
func (p *Position) emptyIn(row int) uint32 {
	return (1<<p.size - 1) &^ (p.stones[0].row(row) | p.stones[1].row(row))
}

// Count returns the number of legal moves.
func (p *Position) Count() int {
	if p.result.Over() {
		return 0
	}
	return int(p.empty)
}

// tries is the number of cells that Sample draws before it lists the empty ones.
const tries = 12

// Sample returns a uniformly random legal move; the zero Move if the game is over. It
// draws cells, row and column from one random number, until one is empty: games end
// before boards fill up. Probabilities of cells differ by less than 2^-58.
func (p *Position) Sample(r *rand.PCG) game.Move {
	if p.result.Over() {
		return 0
	}
	size := uint64(p.size)
	for range tries {
		row, rest := bits.Mul64(r.Uint64(), size)
		col, _ := bits.Mul64(rest, size)
		taken := p.stones[0].row(int(row)) | p.stones[1].row(int(row))
		if taken>>(col&31)&1 == 0 {
			return game.Put(game.Cell(row*size + col))
		}
	}
	row, n := 0, game.IntN(r, int(p.empty))
	e := p.emptyIn(0)
	for n >= bits.OnesCount32(e) {
		n -= bits.OnesCount32(e)
		row++
		e = p.emptyIn(row)
	}
	return game.Put(game.Cell(row*int(p.size) + game.NthBit(uint64(e), n)))
}

// Play places a stone.
func (p *Position) Play(m game.Move) {
	size := game.Cell(p.size)
	row, col := int(m.To()/size), int(m.To()%size)
	own := &p.stones[p.turn&1]
	own.put(row, col)
	p.empty--
	switch {
	case own.six(row, col):
		p.result = game.Win(p.turn)
	case p.empty == 0:
		p.result = game.Draw
	}
	if p.left--; p.left == 0 {
		p.turn ^= 1
		p.left = PerTurn
	}
}

// Key returns a hash of the stones, the side to move and the stones left.
func (p *Position) Key() uint64 {
	key := uint64(p.size)<<16 | uint64(p.turn)<<8 | uint64(p.left)
	for row := range int(p.size) {
		key = game.Mix(key, uint64(p.stones[0].row(row))<<32|uint64(p.stones[1].row(row)))
	}
	return key
}

// CopyFrom makes the position equal to another position of Connect6.
func (p *Position) CopyFrom(from game.Position) { *p = *from.(*Position) }

// Clone returns a copy of the position.
func (p *Position) Clone() game.Position {
	q := *p
	return &q
}

// Row returns a side's stones in a row, counted from 0; bit 0 is column A.
func (p *Position) Row(s game.Side, row int) uint32 { return p.stones[s&1].row(row) }
