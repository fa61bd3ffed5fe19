package proofcheck

import (
	"errors"
	"fmt"
	"strings"

	"quintet/bots/connect6/certificate"
	"quintet/game"
)

// Limits of a certificate.
const (
	maxDepth = 64      // turns of the winner in a line
	maxNodes = 500_000 // turns of the winner in all
)

func coords(size int) game.Coords { return game.Coords{Rows: size, Cols: size, Upper: true} }

// Parse reads what [certificate.Format] writes. It refuses trees of more than 64 turns in a line or 500,000
// in all.
func Parse(size int, text string) (*certificate.Tree, error) {
	p := parser{coords: coords(size), rest: text}
	t, err := p.tree(0)
	if err == nil && p.skip() != 0 {
		err = fmt.Errorf("expected the end, found %.20q", p.rest)
	}
	if err != nil {
		return nil, fmt.Errorf("certificate, byte %d: %w", len(text)-len(p.rest)+1, err)
	}
	return t, nil
}

// parser reads a tree from its text.
type parser struct {
	coords game.Coords
	rest   string
	nodes  int
}

// skip skips spaces and returns the next byte, 0 at the end.
func (p *parser) skip() byte {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) tree(depth int) (*certificate.Tree, error) {
	if p.nodes++; depth >= maxDepth || p.nodes > maxNodes {
		return nil, fmt.Errorf("expected at most %d turns in a line and %d in all", maxDepth, maxNodes)
	}
	turn, err := p.cells()
	if err != nil {
		return nil, err
	}
	t := &certificate.Tree{Turn: turn}
	if p.skip() != '{' {
		return t, nil
	}
	for separator := byte(';'); separator == ';'; separator = p.skip() {
		p.rest = p.rest[1:] // the brace or semicolon
		r, err := p.reply(depth)
		if err != nil {
			return nil, err
		}
		t.Replies = append(t.Replies, r)
	}
	if p.skip() != '}' {
		return nil, fmt.Errorf(`expected ";" or "}", found %.20q`, p.rest)
	}
	p.rest = p.rest[1:]
	return t, nil
}

func (p *parser) reply(depth int) (r certificate.Reply, err error) {
	if r.Stones, err = p.cells(); err != nil {
		return r, err
	}
	if p.skip() != ':' {
		return r, fmt.Errorf(`expected ":" after the stones of a reply, found %.20q`, p.rest)
	}
	p.rest = p.rest[1:]
	r.Then, err = p.tree(depth + 1)
	return r, err
}

// cells reads one or more cells.
func (p *parser) cells() (list []game.Cell, err error) {
	for p.skip() != 0 && !strings.ContainsRune("{}:;", rune(p.rest[0])) {
		end := strings.IndexAny(p.rest, " {}:;")
		if end < 0 {
			end = len(p.rest)
		}
		cell, err := p.coords.Cell(p.rest[:end])
		if err != nil {
			return nil, fmt.Errorf("stone: %w", err)
		}
		list = append(list, cell)
		p.rest = p.rest[end:]
	}
	if len(list) == 0 {
		return nil, errors.New(`expected a stone, such as "J9"`)
	}
	return list, nil
}
