package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
)

// results are PGN's result tokens, with First for White.
var results = []resultToken{
	{"1-0", game.FirstWins}, {"0-1", game.SecondWins}, {"1/2-1/2", game.Draw}, {"*", game.Ongoing},
}

type resultToken struct {
	text   string
	result game.Result
}

// resultText returns the token of a result.
func resultText(r game.Result) string {
	for _, known := range results {
		if known.result == r {
			return known.text
		}
	}
	return "*"
}

// grammar is what differs between the text format and PGN, which share a structure.
type grammar struct {
	escapes bool // in comments and tags

	// begin returns the empty record that the tags describe.
	begin func(tags []Tag) (*Record, error)

	move func(p game.Position, word string) (game.Move, error)
	name func(p game.Position, m game.Move) string
	eval func(text string) (*Eval, error)
}

// section is the tokens of one game.
type section struct {
	tags  []token
	moves []token // parentheses are matched; without the result
	end   token   // the result, or the token in its place
}

// each parses the games of a text one after another and calls do with each, until it returns
// an error.
func (g *grammar) each(text string, do func(*Record) error) error {
	l := &lexer{text: text, escapes: g.escapes}
	for n := 0; ; n++ {
		s, err := l.section()
		if err != nil {
			return err
		}
		if len(s.tags) == 0 && len(s.moves) == 0 && s.end.kind == tokEnd {
			if n == 0 {
				return At(text, len(text), errors.New("no game: expected tags such as [Game \"othello\"] and moves"))
			}
			return nil
		}
		r, err := g.game(text, s)
		if err != nil {
			return err
		}
		if err := do(r); err != nil {
			return err
		}
	}
}

// section scans the tokens of the next game. If the result is missing, the tags of
// the next game or the end of the text end the game.
func (l *lexer) section() (s section, err error) {
	var open []int
	for {
		before := l.at
		t, err := l.next()
		switch {
		case err != nil:
			return s, err
		case t.kind == tokTag && len(s.moves) == 0:
			s.tags = append(s.tags, t)
			continue
		case t.kind == tokEnd || t.kind == tokTag || t.kind == tokResult && len(open) == 0:
			if len(open) > 0 {
				return s, l.errorAt(s.moves[open[len(open)-1]].at, "a variation that does not end: expected ) after it")
			}
			if t.kind == tokTag {
				l.at = before
			}
			s.end = t
			return s, nil
		case t.kind == tokOpen:
			open = append(open, len(s.moves))
		case t.kind == tokClose && len(open) == 0:
			return s, l.errorAt(t.at, ") without (: expected a move or a result")
		case t.kind == tokClose:
			s.moves[open[len(open)-1]].partner = len(s.moves)
			open = open[:len(open)-1]
		}
		s.moves = append(s.moves, t)
	}
}

// game builds the record of a section.
func (g *grammar) game(text string, s section) (*Record, error) {
	var tags []Tag
	at := s.end.at
	if len(s.moves) > 0 {
		at = s.moves[0].at
	}
	for i, t := range s.tags {
		if i == MaxTags {
			return nil, At(text, t.at, errTags)
		}
		if slices.ContainsFunc(tags, func(tag Tag) bool { return strings.EqualFold(tag.Name, t.name) }) {
			return nil, At(text, t.at, fmt.Errorf("tag %s is given twice", t.name))
		}
		tags = append(tags, Tag{t.name, t.text})
		if i == 0 {
			at = t.at
		}
	}
	r, err := g.begin(tags)
	if err != nil {
		return nil, g.tagError(text, s.tags, at, err)
	}
	b := builder{grammar: g, text: text, tokens: s.moves, comments: Comments{}}
	if err := b.lines(r); err != nil {
		return nil, err
	}
	last := s.end
	if s.end.kind != tokResult {
		last.text = ""
	}
	if err := r.setResult(b.final.outcome, b.final.pos, last.text); err != nil {
		return nil, At(text, last.at, err)
	}
	return r, nil
}

// tagError is an error caused by a tag.
type tagError struct {
	name string
	error
}

func (e tagError) Unwrap() error { return e.error }

// tagError adds the place of the tag to a tagError.
func (g *grammar) tagError(text string, tags []token, at int, err error) error {
	if blamed, ok := errors.AsType[tagError](err); ok {
		for _, t := range tags {
			if strings.EqualFold(t.name, blamed.name) {
				at = t.at
			}
		}
		err = blamed.error
	}
	return At(text, at, err)
}

// setResult sets the result and the end from the moves, the tags and the result
// token, which must agree.
func (r *Record) setResult(o game.Outcome, last game.Position, text string) error {
	tag := r.Tag("Result")
	end := End(strings.ToLower(r.Tag("End")))
	r.SetTag("Result", "")
	r.SetTag("End", "")
	switch {
	case text == "":
		text = tag
	case tag != "" && tag != text && tag != "?":
		return fmt.Errorf("result %s: the tag says %s, expected the same", text, tag)
	}
	r.setOutcome(o)
	i := slices.IndexFunc(results, func(known resultToken) bool { return known.text == text })
	switch {
	case i < 0 && text != "" && text != "?":
		return fmt.Errorf("result %q: expected 1-0, 0-1, 1/2-1/2 or *", text)
	case i >= 0 && results[i].result.Over():
		r.Result, r.End = results[i].result, endReason(end, r.End, results[i].result)
	case end != NotOver:
		r.End = end
	}
	return r.checkResult(o, last)
}

// endReason returns the end of a game: as stated, else as the moves imply. A finished
// game that is not over by its moves ended by resignation or agreement.
func endReason(stated, played End, result game.Result) End {
	switch {
	case stated != NotOver:
		return stated
	case played != NotOver:
		return played
	case result == game.Draw:
		return Agreed
	}
	return Resigned
}

// builder builds the move tree of a game.
type builder struct {
	*grammar
	text     string
	tokens   []token
	comments Comments
	final    *Cursor // at the end of the main line
}

// task is a line to parse: from a token, after a node.
type task struct {
	from   int
	at     *Node
	cursor *Cursor // at the node
}

// lines parses the main line first and then the variations in order, so that a
// variation that repeats moves of the game merges with it.
func (b *builder) lines(r *Record) error {
	todo := []task{{0, r.Root, NewCursor(r.Game, r.Start)}}
	for len(todo) > 0 {
		t := todo[0]
		todo = todo[1:]
		more, err := b.line(t)
		if err != nil {
			return err
		}
		if b.final == nil {
			b.final = t.cursor
		}
		todo = append(todo, more...)
	}
	b.comments.Set()
	return nil
}

// lineState is the state of parsing a line.
type lineState struct {
	task
	before *Cursor // at the node before the last move
	played bool
	early  Node // annotations before the first move of a variation
}

// line parses one line and returns the variations in it. It advances the task's line to the
// end.
func (b *builder) line(t task) (variations []task, err error) {
	l := &lineState{task: t, before: t.cursor.Clone()}
	for i := t.from; i < len(b.tokens) && b.tokens[i].kind != tokClose; i++ {
		tok := b.tokens[i]
		if tok.kind == tokOpen {
			if !l.played {
				return nil, At(b.text, tok.at, errors.New("a variation before the first move: put it after the move that it replaces"))
			}
			variations = append(variations, task{i + 1, l.at.Parent, l.before.Clone()})
			i = tok.partner
			continue
		}
		if err := b.annotation(l, tok); err != nil {
			return nil, At(b.text, tok.at, err)
		}
	}
	return variations, nil
}

// annotation handles a token that is not a parenthesis.
func (b *builder) annotation(l *lineState, tok token) error {
	switch tok.kind {
	case tokWord:
		return b.play(l, tok.text)
	case tokComment:
		if !l.played && l.from > 0 {
			return b.comment(&l.early, tok.text)
		}
		return b.comment(l.at, tok.text)
	case tokNAG:
		switch {
		case l.played:
			return l.at.addNAG(tok.text)
		case l.from > 0:
			return l.early.addNAG(tok.text)
		}
		return errors.New("a mark before the first move: put it after a move")
	case tokResult, tokNumber, tokEnd, tokTag, tokOpen, tokClose:
		// Ignore the result of a variation.
	}
	return nil
}

// comment adds a comment and its commands to a node.
func (b *builder) comment(n *Node, text string) error {
	text, err := n.parseComment(text, b.eval, b.escapes)
	if text != "" {
		b.comments.Add(n, text)
	}
	return err
}

// play adds a move after the line's last node and plays it.
func (b *builder) play(l *lineState, word string) error {
	if o := l.cursor.outcome; o.Result.Over() {
		return fmt.Errorf("move %q: the game is already over (%s)", word, o.Reason)
	}
	pos := l.cursor.pos
	mv, err := b.move(pos, word)
	if err != nil {
		return WithLegalMoves(err, pos, func(m game.Move) string { return b.name(pos, m) })
	}
	l.before.copyFrom(l.cursor)
	l.cursor.play(mv)
	l.at = l.at.Follow(mv)
	if !l.played {
		b.comments.move(l.at, &l.early)
		l.at.mergeFrom(l.early)
	}
	l.played = true
	return nil
}

// mergeFrom adds the annotations that preceded the move, except comments.
func (n *Node) mergeFrom(early Node) {
	n.Marks = append(n.Marks, early.Marks...)
	n.Clock, n.Spent, n.Eval = cmp.Or(early.Clock, n.Clock), cmp.Or(early.Spent, n.Spent), cmp.Or(early.Eval, n.Eval)
}

// addNAG adds a NAG by its number.
func (n *Node) addNAG(number string) error {
	v, err := strconv.ParseUint(number, 10, 8)
	if err != nil {
		return fmt.Errorf("mark $%s: expected $0 to $255", number)
	}
	n.Marks = append(n.Marks, uint8(v))
	return nil
}
