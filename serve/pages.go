package serve

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"

	"quintet/live"
)

// plain has the page that is shown where there are no others.
//
//go:embed plain/index.html
var plain embed.FS

// Page is what the template index.html of Config.Assets is given.
type Page struct {
	Title       string
	Description string // for previews of links
	URL         string // of the page itself
	Game        *View  // the game of /g/{id}; nil elsewhere, and where it is private
}

// pages adds the pages: the same document for / and /g/{id}, and under /assets/
// what it loads. A page of a private game says nothing of it: scripts ask for it
// with the key.
func (s *Server) pages(mux *http.ServeMux) error {
	assets := s.config.Assets
	if assets == nil {
		var err error
		if assets, err = fs.Sub(plain, "plain"); err != nil {
			return fmt.Errorf("the plain page: %w", err)
		}
	}
	shell, err := template.ParseFS(assets, "index.html")
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	files := http.StripPrefix("/assets/", http.FileServerFS(assets))
	mux.HandleFunc("GET /assets/", func(w http.ResponseWriter, r *http.Request) {
		if !fs.ValidPath(strings.TrimPrefix(r.URL.Path, "/assets/")) {
			http.NotFound(w, r) // no lists of files, and no names that no file can have
			return
		}
		w.Header().Set("Cache-Control", "no-cache") // the browser asks whether they are still the same
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		s.page(w, shell, http.StatusOK, Page{Title: "Quintet", Description: "Five board games for two, against people and engines.", URL: s.origin(r) + "/"})
	})
	mux.HandleFunc("GET /g/{id}", func(w http.ResponseWriter, r *http.Request) {
		status, p := s.gamePage(r)
		s.page(w, shell, status, p)
	})
	return nil
}

func (s *Server) gamePage(r *http.Request) (int, Page) {
	p := Page{Title: "Quintet", Description: "A game.", URL: s.origin(r) + "/g/" + r.PathValue("id")}
	room, seats, problem := s.enter(r)
	if problem != nil {
		return problem.status, p
	}
	v, problem := s.viewFor(r, room, seats)
	if problem != nil {
		return problem.status, p
	}
	if room.view(func(t *live.Table) bool { return t.Settings().Private }) {
		return http.StatusOK, p
	}
	p.Game = &v
	p.Title = fmt.Sprintf("%s: %s and %s", v.Title, seatName(v.Seats.First), seatName(v.Seats.Second))
	p.Description = fmt.Sprintf("%d moves, %s. %s", v.Ply, v.Result, v.Board.Note)
	return http.StatusOK, p
}

func seatName(v *SeatView) string {
	if v == nil {
		return "an open seat"
	}
	return v.Name
}

func (s *Server) page(w http.ResponseWriter, shell *template.Template, status int, p Page) {
	var b bytes.Buffer
	if err := shell.Execute(&b, p); err != nil {
		s.config.Log.Error("writing a page", "error", err)
		http.Error(w, "the page could not be written", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // who has asked may be gone
}

// origin returns the address of this server as who asks knows it.
func (s *Server) origin(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || s.config.TrustProxy && r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
