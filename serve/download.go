package serve

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/picture"
	"quintet/record"
	"quintet/record/formats"
)

// download answers with the game in a record format.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	v, p := s.visibleTo(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	name := cmp.Or(r.URL.Query().Get("form"), "quintet")
	if _, err := formats.ByName(name); err != nil {
		s.fail(w, fieldProblem("form", "%v", err).withReason("form.unknown"))
		return
	}
	text, p := s.render(r.Context(), s.renderer, v, "record "+name, func(_ context.Context, t *live.Table) rendered {
		return s.writeRecord(t, name, v.origin)
	})
	if p != nil {
		s.fail(w, p)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=\"%s-%s.%s\"", v.Game, v.id, name))
	_, _ = w.Write(text) //nolint:gosec // plain text with nosniff; the client may have left
}

// writeRecord renders a game in a record format.
func (s *Server) writeRecord(t *live.Table, form, origin string) rendered {
	rec, err := recordOf(t, origin)
	if err != nil {
		return rendered{problem: s.problemOf(err)}
	}
	text, _, err := formats.Write(form, []*record.Record{rec}) // formats of plain moves omit the rest by design
	if err != nil {
		return rendered{problem: problem(http.StatusConflict, "form", "this game in this format: %v", err)}
	}
	return rendered{data: text}
}

// recordOf returns the record of a table.
func recordOf(t *live.Table, origin string) (*record.Record, error) {
	rec := record.From(t.Game(), t.Settings().Options, t.Start())
	at, ply := rec.Root, 0
	for p, mv := range t.Match().Replay() {
		mover := p.Turn()
		ply++
		next := rec.Add(at, mv) // Check validates all moves once; Play would replay the game for each
		if left, ok := t.TimeLeftAt(ply); ok {
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
		rec.Result, rec.End = e.Result, endOf(e.Reason)
	}
	if err := rec.Check(); err != nil {
		return nil, fmt.Errorf("the record of game %s: %w", t.ID(), err)
	}
	return rec, nil
}

// endOf converts the reason of a result to that of a record.
func endOf(r live.Reason) record.End {
	if r == live.ReasonAbandonment {
		return record.Forfeit
	}
	return record.End(r)
}

// picture returns the picture of a game at the requested ply or at its end.
func (s *Server) picture(r *http.Request, kind string, write func(picture.Drawing) rendered) ([]byte, *Problem) {
	v, p := s.visibleTo(r)
	if p != nil {
		return nil, p
	}
	ply := v.Ply
	if text := r.URL.Query().Get("ply"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > ply {
			return nil, fieldProblem("ply", "ply %.60q: expected 0 to %d", text, ply)
		}
		ply = n
	}
	return s.render(r.Context(), s.renderer, v, kind+strconv.Itoa(ply), func(_ context.Context, t *live.Table) rendered {
		return write(drawing(t, ply))
	})
}

// drawing returns the drawing of a game at a ply.
func drawing(t *live.Table, ply int) picture.Drawing {
	moves := t.Match().Moves()
	position := t.Start()
	for _, mv := range moves[:ply] {
		position.Play(mv)
	}
	o := picture.Options{Look: t.Game().Look}
	if ply > 0 {
		o.Last = cellsOf(moves[ply-1])
	}
	return picture.Of(position.Board(), o)
}

// positions returns the boards of a game, start first, with the cells of the last move.
func positions(t *live.Table) (boards []game.Board, last [][]game.Cell) {
	p := t.Start()
	turn, cells := p.Turn(), []game.Cell(nil)
	boards, last = append(boards, p.Board()), append(last, nil)
	for _, mv := range t.Match().Moves() {
		if p.Turn() != turn {
			turn, cells = p.Turn(), nil // mark all stones of a turn
		}
		cells = append(slices.Clip(cells), cellsOf(mv)...)
		p.Play(mv)
		boards, last = append(boards, p.Board()), append(last, cells)
	}
	return boards, last
}

// cellsOf returns the origin, if any, and the destination of a move.
func cellsOf(mv game.Move) (cells []game.Cell) {
	if mv == game.Pass {
		return nil
	}
	if from, ok := mv.From(); ok {
		cells = append(cells, from)
	}
	return append(cells, mv.To())
}

const (
	animationWidth   = 400                    // pixels
	animationPace    = 600 * time.Millisecond // between moves
	animationTime    = 90 * time.Second       // maximum length, unless the pace falls below minAnimationPace
	minAnimationPace = 60 * time.Millisecond  // the fastest pace that browsers display
)

// gif answers with the animation of a finished game. One animation is rendered at a time;
// records and pictures have priority.
func (s *Server) gif(w http.ResponseWriter, r *http.Request) {
	v, p := s.visibleTo(r)
	if p == nil && !v.Over {
		p = problem(http.StatusConflict, "running", "the animation is made when the game is over: use board.svg or board.png until then")
	}
	var data []byte
	if p == nil {
		data, p = s.render(r.Context(), s.animator, v, "gif", s.animation)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	w.Header().Set("Content-Type", "image/gif")
	w.Header().Set("Cache-Control", "private, max-age=3600") // finished games do not change
	_, _ = w.Write(data)                                     // the client may have left
}

// animation renders the animation of a game, unless it is cancelled. It occupies a slot for
// pictures and yields to other renderings.
func (s *Server) animation(ctx context.Context, t *live.Table) rendered {
	if err := s.renderer.acquire(ctx); err != nil {
		return rendered{problem: s.renderer.busy()}
	}
	began := time.Now()
	defer func() { s.renderer.release(began) }()
	boards, last := positions(t)
	pace := min(max(animationTime/time.Duration(len(boards)), minAnimationPace), animationPace)
	draw := func(i int) (picture.Drawing, error) {
		if time.Since(began) > quantum {
			s.renderer.yield(began)
			began = time.Now()
		}
		return picture.Of(boards[i], picture.Options{Look: t.Game().Look, Last: last[i]}), ctx.Err()
	}
	var out bytes.Buffer
	if err := picture.GIF(&out, len(boards), draw, animationWidth, pace); err != nil {
		return rendered{problem: s.problemOf(err)}
	}
	return rendered{data: out.Bytes()}
}

func (s *Server) svg(w http.ResponseWriter, r *http.Request) {
	data, p := s.picture(r, "svg", func(d picture.Drawing) rendered { return rendered{data: d.SVG(0)} })
	if p != nil {
		s.fail(w, p)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(data) // the client may have left
}

// preview is the width in pixels of the pictures that other sites show with a link.
const preview = 800

func (s *Server) png(w http.ResponseWriter, r *http.Request) {
	data, p := s.picture(r, "png", func(d picture.Drawing) rendered {
		var b bytes.Buffer
		if err := picture.PNG(&b, d, preview); err != nil {
			return rendered{problem: s.problemOf(err)}
		}
		return rendered{data: b.Bytes()}
	})
	if p != nil {
		s.fail(w, p)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(data) // the client may have left
}
