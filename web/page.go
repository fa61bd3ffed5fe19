package web

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quintet/game"
	"quintet/games"
	"quintet/internal/lang"
	"quintet/picture"
)

// pages are the templates of the pages.
type pages struct{ home, form, index, game, review, study, person, class, missing, busy *template.Template }

func (s *Site) readPages() error {
	var errs error
	parse := func(name string) *template.Template {
		t, err := template.New("shell.html").ParseFS(files, "templates/shell.html", "templates/"+name)
		errs = errors.Join(errs, err)
		return t
	}
	s.pages = pages{parse("home.html"), parse("form.html"), parse("index.html"), parse("game.html"), parse("review.html"), parse("study.html"), parse("person.html"), parse("class.html"), parse("missing.html"), parse("busy.html")}
	return errs
}

// page is what the templates show.
type page struct {
	Language, Version  string
	Title, Description string
	Origin, Address    string      // of the site, and of the page itself
	Picture            string      // address of the preview, or ""
	Boot               boot        // for the script
	Modules            []string    // that the page imports, to be preloaded
	Games              []game.Game // that an index links to
	Game               *Game       // nil while it cannot be read
	Kind               string      // what the game is called
	Names              [2]string
	Status             string
	Lines              string // the board in letters
	Titles             string // by language, as JSON; "" if there is a server, which knows the language
	Framed             bool   // other sites may embed the page, which has no controls then

	words    words
	language *lang.Language // for sentences of the rules
	chosen   bool           // the address chose the language, which is remembered
}

// Shown reports whether the page shows the state of its game: the game is public, and it
// could be read.
func (p page) Shown() bool { return p.Game != nil && !p.Game.Private }

// Note returns what the rules say of the board.
func (p page) Note() string { return p.language.Sentence(p.Game.Board.Note) }

// Say returns a text of the page's language.
func (p page) Say(key string) string { return p.words.say(key) }

// boot is the data of a page for its script.
type boot struct {
	Page  string `json:"page"`
	ID    string `json:"id,omitempty"`
	Local bool   `json:"local,omitempty"` // the engine in the page answers: there is no server
}

func (s *Site) newPage(r *http.Request, name, id string) page {
	language, chosen := s.language(r)
	w := s.words[language]
	return page{
		Language: language, chosen: chosen, language: s.languages[language], Version: s.version, Title: w.say("site.name"), Description: w.say("site.about"),
		Origin: s.origin(r), Address: s.origin(r) + r.URL.Path, words: w,
		Boot: boot{Page: name, ID: id, Local: s.static}, Titles: s.titles, Modules: s.modulesOf(name),
	}
}

// entitle sets the title of a page and its description, by the keys of texts; pairs are filled in.
func (p *page) entitle(title, description string, pairs ...string) {
	p.Title, p.Description = p.words.say(title, pairs...), p.words.say(description, pairs...)
}

// study are the pages of study.css and the texts of strings/en.study.json.
var study = map[string]bool{"review": true, "analysis": true, "study": true, "editor": true, "puzzles": true, "lessons": true}

// Pages by the texts they load: plain pages only those of en.json, listed pages en.index.json as well.
var (
	plain  = map[string]bool{"home": true, "missing": true, "busy": true}
	listed = map[string]bool{"index": true, "watch": true}
)

// Parts returns the catalogues that the page loads beside the first one, as app.tsx does.
func (p page) Parts() []string {
	parts := p.englishParts()
	if p.language != nil && len(parts) > 0 {
		parts = append(parts, sentences)
		if p.Boot.Page == "class" {
			parts = append(parts, "judge")
		}
	}
	return parts
}

func (p page) englishParts() []string {
	switch name := p.Boot.Page; {
	case plain[name]:
		return nil
	case study[name]:
		return []string{"game", "study"}
	case listed[name]:
		return []string{"index"}
	case name == "new":
		return []string{"form"}
	case name == "person" || name == "moderation" || name == "challenges":
		return []string{"account"}
	case name == "class":
		return []string{"class"}
	case name == "tournament":
		return []string{"form", "tournament"}
	case name == device:
		return []string{"form", "game", device}
	}
	return []string{"game"}
}

// Sheets returns the style sheets that the page loads beside app.css: the last is for the letters of
// Chinese and Japanese.
func (p page) Sheets() []string {
	sheets := p.pageSheets()
	if p.Language == "ja" || strings.HasPrefix(p.Language, "zh") {
		sheets = append(sheets, "cjk")
	}
	return sheets
}

func (p page) pageSheets() []string {
	switch name := p.Boot.Page; {
	case study[name]:
		return []string{"table", "study"}
	case name == "new":
		return []string{"form"}
	case name == "game":
		return []string{"table"}
	case name == "person":
		return []string{"chart"}
	case name == "class":
		return []string{"class"}
	case name == "tournament":
		return []string{"tour"}
	case name == device:
		return []string{"form", "table"}
	}
	return nil
}

// chunks maps pages to the names of their chunks where the names differ.
var chunks = map[string]string{"game": "table", "missing": "home", "study": "analysis", "index": "kinds"}

// modulesOf returns the scripts that a page imports.
func (s *Site) modulesOf(page string) []string {
	needs := slices.Concat(s.modules["app"], s.modules[cmp.Or(chunks[page], page)])
	slices.Sort(needs)
	return slices.DeleteFunc(slices.Compact(needs), func(name string) bool { return name == "app.js" })
}

// home serves the first page.
func (s *Site) home(w http.ResponseWriter, r *http.Request) {
	show(w, http.StatusOK, s.pages.home, s.newPage(r, "home", ""))
}

// form serves the form for a new game.
func (s *Site) form(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "new", "")
	p.Title = p.Say("setup.title")
	show(w, http.StatusOK, s.pages.form, p)
}

// index serves a page of links: to a page for each game if each is set, to games to watch, or about the site.
func (s *Site) index(name, id string, each bool) http.Handler {
	return Compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := s.newPage(r, name, id)
		p.entitle("index."+id, "index."+id+".text")
		if each {
			p.Games = games.All()
		}
		show(w, http.StatusOK, s.pages.index, p)
	}))
}

func (s *Site) table(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	p := s.newPage(r, "game", id)
	g, err := s.find(r.Context(), r, id)
	if errors.Is(err, ErrMissing) {
		s.Missing(w, r)
		return
	}
	if errors.Is(err, ErrBroken) {
		p.Status = p.Say("problem.broken")
		show(w, http.StatusInternalServerError, s.pages.game, p)
		return
	}
	if err != nil { // the program in the page asks until the server can say more
		p.Status = p.Say("error.page")
		w.Header().Set("Retry-After", "2")
		show(w, http.StatusServiceUnavailable, s.pages.game, p)
		return
	}
	p.describe(g)
	show(w, http.StatusOK, s.pages.game, p)
}

// fetched serves a page whose script fetches what it shows: a review or a study, which may be
// private, or the form to review a game.
func (s *Site) fetched(name string, t *template.Template, title, about string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p := s.newPage(r, name, r.PathValue("id"))
		p.entitle(title, about)
		show(w, http.StatusOK, t, p)
	}
}

// tournament serves the lobby of tournaments, and the page of one, whose ?embed other sites may show in a frame.
func (s *Site) tournament(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "tournament", r.PathValue("id"))
	p.entitle("tour.title", "tour.about")
	p.Framed = p.Boot.ID != "" && r.URL.Query().Has("embed")
	show(w, http.StatusOK, s.pages.class, p)
}

// learn serves a page to learn from, for the game in its address.
func (s *Site) learn(name, title, about string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		g, err := games.ByName(r.PathValue("game"))
		if err != nil {
			s.Missing(w, r)
			return
		}
		p := s.newPage(r, name, g.Name)
		p.entitle(title, about, "game", p.words.title(g))
		show(w, http.StatusOK, s.pages.study, p)
	}
}

// Busy answers a rate-limited request for a page; after is the retry time in seconds.
func (s *Site) Busy(w http.ResponseWriter, r *http.Request, after int64) {
	p := s.newPage(r, "busy", "")
	p.entitle("busy.title", "busy.text")
	w.Header().Set("Retry-After", strconv.FormatInt(after, 10))
	show(w, http.StatusTooManyRequests, s.pages.busy, p)
}

// Missing answers a request for a page that does not exist, with a page on which a new game
// can be started.
func (s *Site) Missing(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "missing", r.PathValue("id"))
	p.entitle("missing.title", "missing.text")
	show(w, http.StatusNotFound, s.pages.missing, p)
}

// Person serves the page of a person, whose script fetches what it shows. It has no pattern, because
// those of a mux cannot begin with @.
func (s *Site) Person(w http.ResponseWriter, r *http.Request, name string) {
	p := s.newPage(r, "person", name)
	p.Title = "@" + name
	show(w, http.StatusOK, s.pages.person, p)
}

// describe fills in the title, the description and the board of a game.
func (p *page) describe(g Game) {
	w := p.words
	p.Game, p.Names, p.Lines, p.Kind = &g, g.names(w), Lines(g.Board), w.title(g.Kind)
	p.Title = w.say("game.title", "first", p.Names[0], "second", p.Names[1], "game", w.title(g.Kind))
	p.Status = p.status(g)
	p.Description = w.say("game.preview", "status", p.Status, "n", fmt.Sprint(g.Plies))
	p.Picture = p.Origin + "/api/games/" + p.Boot.ID + "/board.png"
	if g.Private {
		p.Title, p.Description, p.Picture = w.say("game.private"), w.say("game.private"), ""
	}
}

func (p *page) status(g Game) string {
	w := p.words
	if side, won := g.Result.Winner(); won {
		return w.say("status.wins", "side", w.side(g.Kind, side))
	}
	if g.Result == game.Draw {
		return w.say("status.draw")
	}
	if g.Players[0] == "" || g.Players[1] == "" {
		return w.say("status.open")
	}
	return w.say("status.turn", "side", w.side(g.Kind, g.Turn))
}

// show writes a page. Its content security policy allows only scripts of this site.
func show(w http.ResponseWriter, code int, t *template.Template, p page) {
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if p.chosen {
		http.SetCookie(w, &http.Cookie{Name: languageCookie, Value: p.Language, Path: "/", MaxAge: 365 * 24 * 3600, SameSite: http.SameSiteLaxMode}) //nolint:gosec // scripts of the page change it, and it is no secret
	}
	h := w.Header()
	h.Add("Vary", "Accept-Language, Cookie")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	frames := "'none'"
	if p.Framed {
		frames = "*"
		h.Del("X-Frame-Options")
	}
	h.Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors "+frames+"; base-uri 'none'; form-action 'self'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(code)
	_, _ = w.Write(out.Bytes()) // the client may have left
}

// Lines returns a board as lines of letters, with its labels: upper case for pieces of the
// first side, lower case for those of the second, X and O for stones.
func Lines(b game.Board) string {
	var out strings.Builder
	width := 0
	for _, row := range b.Rows {
		width = max(width, utf8.RuneCountInString(row))
	}
	fmt.Fprintf(&out, "%*s %s\n", width, "", strings.Join(b.Cols, " "))
	for r, row := range b.Rows {
		fmt.Fprintf(&out, "%*s", width, row)
		for c := range b.Cols {
			out.WriteString(" " + string(picture.Letter(b.At(r, c), [2]string{"X", "O"})))
		}
		out.WriteByte('\n')
	}
	return out.String()
}
