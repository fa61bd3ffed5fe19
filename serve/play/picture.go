package play

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/picture"
	"quintet/serve/api"
)

// picture returns the picture of a game at the requested ply or at its end.
func (s *Service) picture(r *http.Request, v visible, kind string, write func(picture.Drawing) ([]byte, error)) ([]byte, error) {
	ply := v.Ply
	if text := r.URL.Query().Get("ply"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > ply {
			return nil, api.Invalid("ply", "ply %.60q: expected 0 to %d", text, ply)
		}
		ply = n
	}
	return s.render(r.Context(), s.Renderer, v, kind+strconv.Itoa(ply), func(_ context.Context, t *live.Table) ([]byte, error) {
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
		o.Last = moves[ply-1].Cells()
	}
	return picture.Of(position.Board(), o) // no title: it would be English for every reader
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
		cells = append(slices.Clip(cells), mv.Cells()...)
		p.Play(mv)
		boards, last = append(boards, p.Board()), append(last, cells)
	}
	return boards, last
}

const (
	animationWidth   = 400                    // pixels
	animationPace    = 600 * time.Millisecond // between moves
	animationTime    = 90 * time.Second       // maximum length, unless the pace falls below minAnimationPace
	minAnimationPace = 60 * time.Millisecond  // the fastest pace that browsers display
	quantum          = 20 * time.Millisecond  // of work before it yields to other renderings
)

// gif answers with the animation of a finished game. One animation is rendered at a time;
// records and pictures have priority.
func (s *Service) gif(w http.ResponseWriter, r *http.Request, v visible) error {
	if !v.Over {
		return api.Problemf(http.StatusConflict, "running", "the animation is made when the game is over: use board.svg or board.png until then")
	}
	data, err := s.render(r.Context(), s.Animator, v, "gif", s.animation)
	if err != nil {
		return err
	}
	writePicture(w, "image/gif", "private, max-age=3600", data) // finished games do not change
	return nil
}

func writePicture(w http.ResponseWriter, kind, cache string, data []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", cache)
	_, _ = w.Write(data) //nolint:gosec // a picture of ours; the client may have left
}

// animation renders the animation of a game, unless it is cancelled. It occupies a slot for
// pictures and yields to other renderings.
func (s *Service) animation(ctx context.Context, t *live.Table) ([]byte, error) {
	if err := s.Renderer.Acquire(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	defer func() { s.Renderer.Release(began) }()
	boards, last := positions(t)
	pace := min(max(animationTime/time.Duration(len(boards)), minAnimationPace), animationPace)
	draw := func(i int) (picture.Drawing, error) {
		if time.Since(began) > quantum {
			s.Renderer.Yield(ctx, began)
			began = time.Now()
		}
		return picture.Of(boards[i], picture.Options{Look: t.Game().Look, Last: last[i]}), ctx.Err()
	}
	var out bytes.Buffer
	err := picture.GIF(&out, len(boards), draw, animationWidth, pace)
	return out.Bytes(), err
}

func (s *Service) svg(w http.ResponseWriter, r *http.Request, v visible) error {
	data, err := s.picture(r, v, "svg", func(d picture.Drawing) ([]byte, error) { return d.SVG(0), nil })
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	writePicture(w, "image/svg+xml", "no-cache", data)
	return nil
}

// preview is the width in pixels of the pictures that other sites show with a link.
const preview = 800

func (s *Service) png(w http.ResponseWriter, r *http.Request, v visible) error {
	data, err := s.picture(r, v, "png", func(d picture.Drawing) ([]byte, error) {
		var b bytes.Buffer
		err := picture.PNG(&b, d, preview)
		return b.Bytes(), err
	})
	if err != nil {
		return err
	}
	writePicture(w, "image/png", "no-cache", data)
	return nil
}
