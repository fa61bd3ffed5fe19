package chess

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"quintet/game"
)

// letters are the piece letters of FEN: White's in upper case, Black's in lower case.
const letters = "KQRBNPkqrbnp"

// lower converts an upper case letter to lower case when added.
const lower = 'a' - 'A'

// String returns the position as FEN, the notation of chess positions. Its
// fields for castling, en passant and clocks are always "- - 0 1", as these
// rules have none of them.
func (p *Position) String() string {
	return game.FormatRows(8, 8, p.letter) + " " + string("wb"[p.turn&1]) + " - - 0 1"
}

// letter returns the FEN letter of a cell.
func (p *Position) letter(c game.Cell) byte {
	switch piece := p.At(c); {
	case piece.Kind == game.Empty:
		return game.Blank
	case piece.Side == game.Second:
		return piece.Kind + lower
	default:
		return piece.Kind
	}
}

// read parses FEN: the board, the side to move and up to four more fields, which are
// validated and ignored. A board without one of the kings is a finished game.
func read(text string) (game.Position, error) {
	fields, err := game.SplitPosition(text, 2, "board", "side to move (w or b)", "castling", "en passant", "halfmoves", "move number")
	if err != nil {
		return nil, err
	}
	p := new(Position)
	if err := p.readBoard(fields[0]); err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	turn, err := game.ParseSide(fields[1], "wb")
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	p.turn = turn
	if err := checkRest(fields[2:]); err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

// readBoard parses the board and validates it.
func (p *Position) readBoard(text string) error {
	cells, size, err := game.ParseRows(text, letters)
	if err != nil {
		return err
	}
	if size != 8 {
		return fmt.Errorf("board of %d rows: expected 8", size)
	}
	for c, letter := range cells {
		if letter != game.Blank {
			p.set(bit(c), pieceOf(letter))
		}
	}
	return p.check()
}

// pieceOf returns the piece of a FEN letter.
func pieceOf(letter byte) game.Piece {
	if letter >= 'a' {
		return game.Piece{Kind: letter - lower, Side: game.Second}
	}
	return game.Piece{Kind: letter, Side: game.First}
}

// check returns an error if the pieces violate the invariants.
func (p *Position) check() error {
	for s, name := range sides {
		own := p.pieces[s]
		if n := bits.OnesCount64(p.kings & own); n > 1 {
			return fmt.Errorf("%s has %d kings: a side can have only one", name, n)
		}
		back := [2]uint64{rank1, rank8}[s]
		if b := p.pawns & own & back; b != 0 {
			cell := coords.Name(game.Cell(bits.TrailingZeros64(b)))
			return fmt.Errorf("%s has a pawn on %s: pawns never stand behind their home rank", name, cell)
		}
	}
	if p.kings == 0 {
		return errors.New("there is no king: at least one side must have its king")
	}
	return nil
}

// checkRest validates the fields after the first two.
func checkRest(fields []string) error {
	for i, f := range fields {
		switch {
		case i == 0 && !isCastling(f):
			return fmt.Errorf(`castling %q: expected "-" or letters of "KQkq" in that order`, f)
		case i == 1 && !isEnPassant(f):
			return fmt.Errorf(`en passant %q: expected "-" or a square such as e3 or e6`, f)
		case i >= 2 && !isClock(f):
			return fmt.Errorf("clock %q: expected a number of moves", f)
		}
	}
	return nil
}

func isCastling(s string) bool {
	rights := "KQkq"
	for i := 0; s != "-" && i < len(s); i++ {
		at := strings.IndexByte(rights, s[i])
		if at < 0 {
			return false
		}
		rights = rights[at+1:]
	}
	return true
}

func isEnPassant(s string) bool {
	cell, err := coords.Cell(s)
	return s == "-" || err == nil && bit(int(cell))&(rank3|rank6) != 0
}

func isClock(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}
