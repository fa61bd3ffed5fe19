// Package page shows a farm to people and programs over HTTP: pages, a JSON API and
// metrics for Prometheus. It changes nothing.
package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/farm/scheduler"
)

//go:embed page.html farm.css farm.js
var files embed.FS

// Page is the handler of all requests.
type Page struct {
	source    *scheduler.Scheduler
	names     func() map[string]string // of keys
	hosts     []string
	templates *template.Template
	slots     chan struct{} // of requests at a time
}

// maxRequests bounds the requests that are answered at a time.
const maxRequests = 32

// New returns the handler. names returns the names of keys; hosts are names by which
// the page may be asked for, beside those of this machine and IP addresses; "*" is any.
func New(s *scheduler.Scheduler, names func() map[string]string, hosts []string) *Page {
	p := &Page{source: s, names: names, hosts: hosts, slots: make(chan struct{}, maxRequests)}
	if name, err := os.Hostname(); err == nil {
		first, _, _ := strings.Cut(name, ".")
		p.hosts = append(slices.Clone(hosts), name, first, first+".local")
	}
	p.templates = template.Must(template.New("page").Funcs(template.FuncMap{
		"name": func(key string) string { return key[:min(len(key), 12)] },
		"inc":  func(n int) int { return n + 1 },
		"dec":  func(n int) int { return n - 1 },
	}).ParseFS(files, "page.html"))
	return p
}

// Handler returns the routes.
func (p *Page) Handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", p.home)
	m.HandleFunc("GET /jobs/{id}", p.job)
	m.HandleFunc("GET /jobs/{id}/games/{number}", p.game)
	m.HandleFunc("GET /api/jobs", p.json(func(*http.Request) (any, error) { return p.source.Jobs(), nil }))
	m.HandleFunc("GET /api/jobs/{id}", p.json(func(r *http.Request) (any, error) { return p.source.Show(r.PathValue("id")) }))
	m.HandleFunc("GET /api/workers", p.json(func(*http.Request) (any, error) { return p.source.Workers(), nil }))
	m.HandleFunc("GET /api/totals", p.json(func(*http.Request) (any, error) { return p.source.Totals(), nil }))
	m.Handle("GET /metrics", metrics(p.source))
	m.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	m.Handle("GET /farm.css", http.FileServerFS(files))
	m.Handle("GET /farm.js", http.FileServerFS(files))
	m.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		p.fail(w, farm.Refuse(farm.CodeUnknown, "there is no such page"))
	})
	return p.guard(m)
}

// guard bounds requests, rejects those for other names (DNS rebinding), and sets the
// headers of all answers.
func (p *Page) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-cache")
		if !p.serves(r.Host) {
			http.Error(w, "this name is not served here: start the coordinator with --host NAME", http.StatusMisdirectedRequest)
			return
		}
		select {
		case p.slots <- struct{}{}:
			defer func() { <-p.slots }()
			next.ServeHTTP(w, r)
		default:
			h.Set("Retry-After", "1")
			http.Error(w, "busy: ask again", http.StatusServiceUnavailable)
		}
	})
}

func (p *Page) serves(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return net.ParseIP(strings.Trim(host, "[]")) != nil || host == "localhost" || slices.Contains(p.hosts, host) || slices.Contains(p.hosts, "*")
}

// json answers with a value as JSON.
func (p *Page) json(get func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := get(r)
		w.Header().Set("Content-Type", "application/json")
		if err != nil {
			w.WriteHeader(statusOf(err))
			v = &farm.RequestError{Code: farm.CodeUnknown, Text: err.Error()}
		}
		_ = json.NewEncoder(w).Encode(v) // the reader may be gone
	}
}

func statusOf(err error) int {
	switch {
	case farm.HasCode(err, farm.CodeUnknown), errors.Is(err, farm.ErrNotFound):
		return http.StatusNotFound
	case farm.HasCode(err, farm.CodeInvalid):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// show executes a template.
func (p *Page) show(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	t, err := p.templates.Clone()
	if err == nil {
		names := p.names()
		t.Funcs(template.FuncMap{"name": func(key string) string {
			if n := names[key]; n != "" {
				return n
			}
			return key[:min(len(key), 12)]
		}})
		err = t.ExecuteTemplate(&b, name, data)
	}
	if err != nil {
		http.Error(w, "the page cannot be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the reader may be gone
}

func (p *Page) fail(w http.ResponseWriter, err error) {
	status := statusOf(err)
	p.show(w, status, "error", map[string]any{"Title": http.StatusText(status), "Text": err.Error()})
}

func (p *Page) home(w http.ResponseWriter, _ *http.Request) {
	p.show(w, http.StatusOK, "home", map[string]any{
		"Title": "Jobs", "Totals": p.source.Totals(), "Jobs": p.source.Jobs(), "Workers": p.source.Workers(),
	})
}

func (p *Page) job(w http.ResponseWriter, r *http.Request) {
	v, err := p.source.Show(r.PathValue("id"))
	if err != nil {
		p.fail(w, err)
		return
	}
	data := map[string]any{"Title": title(v), "Job": v}
	if v.Kind == jobtypes.MatchName && len(v.Players) == 2 {
		data["Elo"] = eloGraph(v.History)
		if v.SPRT {
			data["LLR"] = llrGraph(v.History)
		}
	}
	p.show(w, http.StatusOK, "job", data)
}

// title names a job: the players of a match, or what is done in which game.
func title(v scheduler.JobView) string {
	if v.Kind == jobtypes.MatchName {
		return strings.Join(v.Players, " – ")
	}
	return strings.Join(append([]string{v.Kind, v.Game}, v.Players...), " ")
}

func (p *Page) game(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil || number < 1 || number > 1<<30 {
		p.fail(w, farm.Refuse(farm.CodeInvalid, "game %.20q: expected a number from 1", r.PathValue("number")))
		return
	}
	payload, s, err := p.source.Game(r.Context(), r.PathValue("id"), (number-1)/2)
	if err != nil {
		p.fail(w, err)
		return
	}
	v, err := viewGame(payload, s, number, r.URL.Query().Get("ply"))
	if err != nil {
		p.fail(w, err)
		return
	}
	v.Job = r.PathValue("id")
	p.show(w, http.StatusOK, "game", v)
}

// Server returns an HTTP server whose requests have deadlines.
func (p *Page) Server() *http.Server {
	return &http.Server{
		Handler: p.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
}
