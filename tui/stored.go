package tui

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/record"
	"quintet/review"
	"quintet/review/stored"
)

// IsURL reports whether a text is the address of a review on a server.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// fetch fetches the review at an address in the background.
func (l *library) fetch(url string) tea.Cmd {
	l.c.notify("Opening %s", url)
	l.fetching = l.c.start(l.fetching, func(ctx context.Context, send func(call)) {
		r, err := l.c.env.Review(ctx, url)
		send(func() tea.Cmd { return l.fetched(r, err) })
	})
	return l.fetching.next
}

// fetched opens a review that was fetched.
func (l *library) fetched(r *stored.Review, err error) tea.Cmd {
	if err != nil {
		return l.c.notifyError(err)
	}
	l.c.notify("%s", "") // the review says the rest
	l.c.openReview(r)
	return nil
}

// openReviewFile opens a review that was saved in a file; ok is false if it has something else.
func (c *shared) openReviewFile(path string) (ok bool, err error) {
	r, err := stored.Open(path)
	if errors.Is(err, stored.ErrOther) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		c.openReview(r)
	}
	return true, err
}

// OpenReview opens a review above the home screen.
func (a *App) OpenReview(r *stored.Review) { a.shared.openReview(r) }

// openReview opens a review: the game with the assessments of its moves.
func (c *shared) openReview(r *stored.Review) {
	rec := record.From(r.Game, r.Setup, r.Start)
	at := rec.Root
	for _, m := range r.Moves {
		next, err := rec.Play(at, m)
		if err != nil {
			c.notifyError(err)
			return
		}
		at = next
	}
	v := newStudy(c, rec, "")
	v.judge.show(rec.Main(), review.Scores(r.Plies), r.Plies)
	v.c.notifyError(v.t.Go(rec.Root))
	if !r.Done() {
		c.notify("The review is not done: it has %d of %d moves.", len(r.Plies), len(r.Moves))
	}
	c.open(v)
}
