package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/picture"
	"quintet/record"
	"quintet/record/forms"
)

// download answers with the game in one of the forms of records.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	t, p := s.seen(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	name := r.URL.Query().Get("form")
	if name == "" {
		name = "quintet"
	}
	if _, err := forms.ByName(name); err != nil {
		s.fail(w, wrong("form", "%v", err).as("form.unknown"))
		return
	}
	rec, err := recordOf(t, s.origin(r))
	if err != nil {
		s.fail(w, s.problemOf(err))
		return
	}
	text, _, err := forms.Write(name, []*record.Record{rec}) // forms of moves alone leave out the rest, as everybody knows
	if err != nil {
		s.fail(w, problem(http.StatusConflict, "form", "this game in this form: %v", err))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=\"%s-%s.%s\"", t.Game().Name, t.ID(), name))
	_, _ = w.Write(text) //nolint:gosec // plain text to be saved, and nobody may sniff it; who has asked may be gone
}

// seen returns a table with what the request may see of a game.
func (s *Server) seen(r *http.Request) (*live.Table, *Problem) {
	room, seats, p := s.enter(r)
	if p != nil {
		return nil, p
	}
	return s.tableFor(room, seats)
}

// recordOf returns the record of what has been played at a table.
func recordOf(t *live.Table, origin string) (*record.Record, error) {
	rec := record.From(t.Game(), t.Settings().Options, t.Start())
	at, ply := rec.Root, 0
	for p, mv := range t.Match().Replay() {
		mover := p.Turn()
		ply++
		next, err := rec.Play(at, mv)
		if err != nil {
			return nil, fmt.Errorf("the record of game %s: %w", t.ID(), err)
		}
		if left, ok := t.LeftAt(ply); ok {
			d := time.Duration(left[mover]) * time.Millisecond
			next.Clock = &d
		}
		at = next
	}
	for i := range rec.Players {
		rec.Players[i] = t.Player(game.Side(i)).Name
	}
	first, _ := t.Updated()
	rec.SetTag("Date", time.UnixMilli(first).UTC().Format("2006.01.02"))
	rec.SetTag("Site", origin+"/g/"+t.ID())
	if e := t.Ending(); e.Result.Over() {
		rec.Result, rec.End = e.Result, record.End(e.Reason)
	}
	return rec, rec.Check()
}

// drawing returns the picture of a game at the ply of the request, or where it
// stands.
func (s *Server) drawing(r *http.Request) (d picture.Drawing, p *Problem) {
	t, p := s.seen(r)
	if p != nil {
		return d, p
	}
	moves := t.Match().Moves()
	ply := len(moves)
	if text := r.URL.Query().Get("ply"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > ply {
			return d, wrong("ply", "ply %q: want 0 to %d", text, ply)
		}
		ply = n
	}
	position := t.Start()
	for _, mv := range moves[:ply] {
		position.Play(mv)
	}
	var o picture.Options
	if ply > 0 {
		o.Last = cellsOf(moves[ply-1])
	}
	return picture.Of(position.Board(), o), nil
}

// positions returns every position of a game as it is drawn, the start first.
func positions(t *live.Table) (boards []game.Board, last [][]game.Cell) {
	p := t.Start()
	turn, cells := p.Turn(), []game.Cell(nil)
	boards, last = append(boards, p.Board()), append(last, nil)
	for _, mv := range t.Match().Moves() {
		if p.Turn() != turn {
			turn, cells = p.Turn(), nil // the stones of one turn are marked together
		}
		cells = append(slices.Clip(cells), cellsOf(mv)...)
		p.Play(mv)
		boards, last = append(boards, p.Board()), append(last, cells)
	}
	return boards, last
}

// cellsOf returns the cells that a move touches.
func cellsOf(mv game.Move) (cells []game.Cell) {
	if mv == game.Pass {
		return nil
	}
	if from, ok := mv.From(); ok {
		cells = append(cells, from)
	}
	return append(cells, mv.To())
}

// animationsEach is how many animations an address may wait for, or take, at a time:
// each is kept until it is taken.
const animationsEach = 16

const (
	animationWidth = 400                    // pixels
	animationPace  = 600 * time.Millisecond // between two moves
	animationTime  = 90 * time.Second       // the most that a long game takes, where the pace is not under
	animationLeast = 60 * time.Millisecond  // this, at which browsers still keep up
)

// gif answers with games that have ended as animations. One is made at a time, so
// that the games that are played do not suffer.
func (s *Server) gif() http.HandlerFunc {
	turn := make(chan struct{}, 1)
	return func(w http.ResponseWriter, r *http.Request) {
		t, p := s.seen(r)
		if p == nil && !t.Over() {
			p = problem(http.StatusConflict, "running", "the animation is made when the game is over: want board.svg or board.png until then")
		}
		if p != nil {
			s.fail(w, p)
			return
		}
		b, err := inTurn(r.Context(), turn, t)
		if err != nil {
			s.fail(w, s.problemOf(err))
			return
		}
		s.animated(w, b)
	}
}

// inTurn makes an animation when no other is made. It is written after that, so that
// nobody waits for who does not read theirs.
func inTurn(ctx context.Context, turn chan struct{}, t *live.Table) (*bytes.Buffer, error) {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var b bytes.Buffer
	return &b, animate(ctx, &b, t)
}

func (s *Server) animated(w http.ResponseWriter, b *bytes.Buffer) {
	w.Header().Set("Content-Type", "image/gif")
	w.Header().Set("Cache-Control", "private, max-age=3600") // what is over does not change
	_, _ = b.WriteTo(w)                                      // who has asked may be gone
}

// animate writes the animation of a game, unless who wants it goes away.
func animate(ctx context.Context, out io.Writer, t *live.Table) error {
	boards, last := positions(t)
	pace := min(max(animationTime/time.Duration(len(boards)), animationLeast), animationPace)
	draw := func(i int) (picture.Drawing, error) {
		return picture.Of(boards[i], picture.Options{Last: last[i]}), ctx.Err()
	}
	return picture.GIF(out, len(boards), draw, animationWidth, pace)
}

func (s *Server) svg(w http.ResponseWriter, r *http.Request) {
	d, p := s.drawing(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(d.SVG(0)) // made of numbers and labels, under a policy without scripts; who has asked may be gone
}

// preview is how wide the pictures are that other sites show with a link.
const preview = 800

func (s *Server) png(w http.ResponseWriter, r *http.Request) {
	d, p := s.drawing(r)
	var b bytes.Buffer
	if p == nil {
		if err := picture.PNG(&b, d, preview); err != nil {
			p = s.problemOf(err)
		}
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = b.WriteTo(w) // who has asked may be gone
}
