// Package web is the site: the pages, the scripts that run in them, and their texts.
//
// Start with [New], which returns the handler of the pages (see Site.routes) and of their assets
// below "/assets/". Everything is embedded. The command lab/webbuild bundles the scripts in the
// folder ui (make ui), and a test checks that the embedded files are up to date.
//
// A page shows its position as text before any script runs. The package knows no game: it
// sets up and draws every game of package games from its options and its boards.
package web

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"

	"quintet/game"
	"quintet/internal/lang"
)

//go:embed assets strings templates
var files embed.FS

// ErrMissing is returned by a FindGame if there is no such game, or none that may be shown.
var ErrMissing = errors.New("there is no such game")

// ErrBroken is returned by a FindGame if the record of the game is damaged.
var ErrBroken = errors.New("the record of the game is damaged")

// FindGame returns the game of a page as the client of the request may see it.
type FindGame func(ctx context.Context, r *http.Request, id string) (Game, error)

// Game is what a page says of a game before its script runs.
type Game struct {
	Kind    game.Game
	Board   game.Board
	Text    string    // of the position
	Players [2]string // names; "" where the seat is open
	Engines [2]string // the players of package bots; "" where there is a person
	Turn    game.Side
	Plies   int
	Result  game.Result
	Private bool // link previews show nothing of it
}

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	find       FindGame
	origin     func(*http.Request) string
	catalogues map[string]words // by the names of their files: "en", "en.study"
	words      map[string]words // by language: all its catalogues
	languages  map[string]*lang.Language
	modules    map[string][]string // the scripts of each page
	pages      pages
	asset      map[string]asset
	version    string // of the assets
	static     bool   // there is no server: see WriteStatic
	titles     string // of the page that WriteStatic writes, by language, as JSON
	mux        *http.ServeMux
}

// New returns the site. find finds the games of its pages, and origin returns the scheme
// and host of a request ("https://example.org"). The error says which of the embedded
// files is broken.
func New(find FindGame, origin func(*http.Request) string) (*Site, error) {
	s := &Site{}
	if err := errors.Join(s.readWords(), s.readAssets(), s.readLarge(), s.readFacts(), s.readPages()); err != nil {
		return nil, fmt.Errorf("making the pages: %w", err)
	}
	s.version = versionOf(s.asset)
	return s.For(find, origin), nil
}

// For returns the site for another server. It has the same files, so they are not read again.
func (s *Site) For(find FindGame, origin func(*http.Request) string) *Site {
	other := *s
	other.find, other.origin, other.mux = find, origin, http.NewServeMux()
	for pattern, answer := range other.routes() {
		other.mux.Handle(pattern, answer)
	}
	return &other
}

func (s *Site) routes() map[string]http.Handler {
	review := Compress(s.fetched("review", s.pages.review, "review.title", "review.about"))
	class := Compress(s.fetched("class", s.pages.class, "class.title", "class.title"))
	tournament := Compress(http.HandlerFunc(s.tournament))
	own := Compress(s.fetched(device, s.pages.index, "device.title", "device.text"))
	return map[string]http.Handler{
		"GET /device":                  own,
		"GET /sw.js":                   Compress(http.HandlerFunc(s.worker)),
		"GET /manifest.webmanifest":    http.HandlerFunc(s.manifest),
		"GET /class":                   class,
		"GET /class/{id}":              class,
		"GET /tournaments":             tournament,
		"GET /tournament/{id}":         tournament,
		"GET /{$}":                     Compress(http.HandlerFunc(s.home)),
		"GET /new":                     Compress(http.HandlerFunc(s.form)),
		"GET /watch":                   s.index("watch", "watch", false),
		"GET /about":                   s.index("index", "about", false),
		"GET /puzzles":                 s.index("index", "puzzles", true),
		"GET /learn":                   s.index("index", "learn", true),
		"GET /analysis":                s.index("index", "analysis", true),
		"GET /editor":                  s.index("index", "editor", true),
		"GET /g/{id}":                  Compress(http.HandlerFunc(s.table)),
		"GET /review":                  review,
		"GET /review/{id}":             review,
		"GET /analysis/{game}":         Compress(s.learn("analysis", "analysis.title", "analysis.about")),
		"GET /study/{id}":              Compress(s.fetched("study", s.pages.study, "study.title", "study.about")),
		"GET /editor/{game}":           Compress(s.learn("editor", "editor.title", "editor.about")),
		"GET /puzzles/{game}":          Compress(s.learn("puzzles", "puzzles.title", "puzzles.about")),
		"GET /learn/{game}":            Compress(s.learn("lessons", "lessons.title", "lessons.about")),
		"GET /challenges":              Compress(s.fetched("challenges", s.pages.person, "challenge.title", "challenge.about")),
		"GET /moderation":              Compress(s.fetched("moderation", s.pages.person, "moderation.title", "moderation.about")),
		"GET /assets/{version}/{name}": http.HandlerFunc(s.serveAsset),
		"GET /favicon.ico":             http.HandlerFunc(s.icon),
	}
}

// Patterns returns the patterns of all requests that a Site answers, for a mux
// that answers others, too.
func (s *Site) Patterns() []string { return slices.Sorted(maps.Keys(s.routes())) }

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// languageCookie remembers the language that somebody chose: ?lang= and the settings of pages set it.
const languageCookie = "quintet-lang"

// language returns the language of a request, and whether its address chose it. The choice goes before
// the remembered one, and that before Accept-Language, whose weights are ignored.
func (s *Site) language(r *http.Request) (tag string, chosen bool) {
	if tag := r.URL.Query().Get("lang"); s.words[tag] != nil {
		return tag, true
	}
	if c, err := r.Cookie(languageCookie); err == nil && s.words[c.Value] != nil {
		return c.Value, false
	}
	if tag := lang.Match(strings.Split(r.Header.Get("Accept-Language"), ",")...); s.words[tag] != nil {
		return tag, false
	}
	return Source, false
}

// Source is the language in which every text is written first.
const Source = lang.Source

// names returns the names of the players, with a placeholder for an open seat.
func (g Game) names(w words) (names [2]string) {
	for i, name := range g.Players {
		names[i] = cmp.Or(w.engine(g.Engines[i]), name, w.say("seat.open"))
	}
	return names
}

// engine returns the display name of an engine; "" if it has none.
func (w words) engine(name string) string {
	if level, ok := strings.CutPrefix(name, "level:"); ok {
		return w.say("engine.level", "n", level)
	}
	return w["engine."+name]
}

// title returns the short name of a game, its own if there is none.
func (w words) title(g game.Game) string { return cmp.Or(w["game."+g.Name], g.Title) }

// side returns the display name of a side of a game.
func (w words) side(g game.Game, s game.Side) string {
	own := g.Sides[s]
	return cmp.Or(w["side."+strings.ToLower(own)], own)
}

func read(name string) ([]byte, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, nil
}
