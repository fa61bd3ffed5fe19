package record

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"quintet/game"
	"quintet/games/chess"
)

// nullMove is the usual SAN notation of a pass.
const nullMove = "--"

// SAN returns a legal move in standard algebraic notation, as PGN has it. In games other
// than chess it is the notation of the game.
func SAN(p game.Position, m game.Move) string {
	board, ok := p.(*chess.Position)
	if !ok {
		return p.Format(m)
	}
	from, ok := m.From()
	if !ok {
		return nullMove
	}
	long := p.Format(m)
	source, target := long[:2], long[2:]
	take := ""
	if board.At(m.To()).Kind != game.Empty {
		take = "x"
	}
	var text string
	if kind := board.At(from).Kind; kind != chess.Pawn {
		text = string(rune(kind)) + disambiguation(board, m) + take + target
	} else if take != "" {
		text = source[:1] + take + target
	} else {
		text = target
	}
	after := board.Clone()
	after.Play(m)
	if after, ok := after.(*chess.Position); ok && !after.Result().Over() && after.Threatened() {
		text += "+"
	}
	return text
}

// disambiguation returns the part of the origin that distinguishes a move from those
// of like pieces to the same square.
func disambiguation(p *chess.Position, m game.Move) string {
	from, _ := m.From()
	source := p.Format(m)[:2]
	var others, sameFile, sameRank bool
	for _, o := range p.Moves(nil) {
		other, ok := o.From()
		if !ok || o.To() != m.To() || other == from || p.At(other) != p.At(from) {
			continue
		}
		name := p.Format(o)[:2]
		others = true
		sameFile = sameFile || name[0] == source[0]
		sameRank = sameRank || name[1] == source[1]
	}
	switch {
	case !others:
		return ""
	case !sameFile:
		return source[:1]
	case !sameRank:
		return source[1:]
	}
	return source
}

// san is a parsed move in standard algebraic notation.
type san struct {
	kind         byte   // of the piece
	file, rank   string // of the origin; "" if not given
	target       string
	take, crown  bool
	text, tipped string // as written, and without check and annotation marks
}

// parseSAN parses a move in standard or long algebraic notation.
func parseSAN(p game.Position, word string) (game.Move, error) {
	board, ok := p.(*chess.Position)
	if !ok {
		return 0, fmt.Errorf("move %q: expected a game of chess", word)
	}
	s := san{text: word, tipped: strings.TrimRight(word, "+#")}
	switch strings.ToUpper(s.tipped) {
	case "O-O", "O-O-O", "0-0", "0-0-0":
		return 0, fmt.Errorf("move %q: this chess has no castling", word)
	case nullMove, "PASS", "Z0", "@@@@":
		return p.Parse(game.PassText)
	}
	if err := s.split(); err != nil {
		return 0, err
	}
	found := s.matches(board, board.Moves(nil))
	if len(found) > 1 {
		// Standard notation omits the origin if the other candidate is pinned to its
		// king.
		if safe := s.matches(board, board.SafeMoves(nil)); len(safe) == 1 {
			found = safe
		}
	}
	switch {
	case len(found) == 0:
		return 0, s.illegalError(board)
	case len(found) > 1:
		return 0, fmt.Errorf("move %q: this is ambiguous: write %s or %s", word, p.Format(found[0]), p.Format(found[1]))
	case s.crown:
		return 0, fmt.Errorf("move %q: this chess has no promotion", word)
	}
	return found[0], nil
}

// split parses the text.
func (s *san) split() error {
	s.kind = chess.Pawn
	rest := s.tipped
	if i := strings.IndexByte("KQRBNP", (rest + " ")[0]); i >= 0 {
		s.kind = "KQRBNP"[i]
		rest = rest[1:]
	}
	if body := strings.TrimRight(rest, "QRBN"); s.kind == chess.Pawn && body != rest || strings.Contains(rest, "=") {
		s.crown = true
		rest, _, _ = strings.Cut(body, "=")
	}
	s.take = strings.ContainsAny(rest, "x:")
	rest = strings.NewReplacer("x", "", ":", "", "-", "").Replace(rest)
	parts := sanSquares.FindStringSubmatch(rest)
	if parts == nil {
		return fmt.Errorf("move %q: expected one such as e4, Nf3, exd5 or e2e4", s.text)
	}
	s.file, s.rank, s.target = parts[1], parts[2], parts[3]
	return nil
}

// sanSquares matches what may be given of the origin, and the target.
var sanSquares = regexp.MustCompile(`^([a-h]?)([1-8]?)([a-h][1-8])$`)

// matches returns the moves that match the text.
func (s *san) matches(p *chess.Position, moves []game.Move) (found []game.Move) {
	for _, m := range moves {
		from, ok := m.From()
		if !ok {
			continue
		}
		name := p.Format(m)
		// Long notation, which names both squares, may omit the piece.
		long := s.kind == chess.Pawn && s.file != "" && s.rank != ""
		if name[2:] == s.target && (long || p.At(from).Kind == s.kind) &&
			(s.file == "" || s.file == name[:1]) && (s.rank == "" || s.rank == name[1:2]) {
			found = append(found, m)
		}
	}
	return found
}

// illegalError returns the error for a text that matches no move.
func (s *san) illegalError(p *chess.Position) error {
	row, col := '8'-s.target[1], s.target[0]-'a'
	empty := p.At(game.Cell(row*8+col)).Kind == game.Empty
	if s.kind == chess.Pawn && s.take && empty {
		return fmt.Errorf("move %q: this chess has no capture en passant: %w", s.text, game.ErrIllegal)
	}
	if p.Result().Over() {
		return errors.New("the game is over")
	}
	return fmt.Errorf("move %q: %w", s.text, game.ErrIllegal)
}
