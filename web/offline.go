package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"quintet/games"
)

// What works without a network: the files of the service worker (ui/sw.ts), and the manifest with which a
// browser installs the site as an app.

// device is the page on which games are played on this device, without a server.
const device = "device"

// offlinePages returns the pages that work without a server. The first is shown in place of those that need one.
func offlinePages() []string {
	list := []string{"/" + device, "/review", "/about"}
	for _, page := range []string{"/puzzles", "/learn", "/analysis", "/editor"} {
		list = append(list, page)
		for _, g := range games.All() {
			list = append(list, page+"/"+g.Name)
		}
	}
	return list
}

// offlineFiles returns the hashes of the assets of pages of some languages, by name.
func (s *Site) offlineFiles(languages ...string) map[string]string {
	files := map[string]string{}
	for name, a := range s.asset {
		part, text := strings.CutPrefix(name, "words.")
		if facts, is := strings.CutPrefix(name, "facts."); is {
			part, text = facts, true
		}
		tag, _, _ := strings.Cut(part, ".")
		if name != "sw.js" && (!text || slices.Contains(languages, tag)) {
			files[name] = a.hash
		}
	}
	return files
}

// workerScript returns the service worker for pages of some languages.
func (s *Site) workerScript(pages []string, languages ...string) ([]byte, error) {
	data, err := json.Marshal(map[string]any{"version": s.version, "language": strings.Join(languages, "-"), "files": s.offlineFiles(languages...), "pages": pages})
	if err != nil {
		return nil, fmt.Errorf("writing the service worker: %w", err)
	}
	return fmt.Appendf(nil, "const quintet=%s;\n%s", data, s.asset["sw.js"].plain), nil
}

// worker serves the service worker. Another language is another worker, which the browser takes for an update.
func (s *Site) worker(w http.ResponseWriter, r *http.Request) {
	language, _ := s.language(r)
	script, err := s.workerScript(offlinePages(), language)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Accept-Language, Cookie")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(script) // the client may have left
}

// icons are those of the app: the large ones reach to the edges, so that a device can cut its own shape out of them.
var icons = []map[string]string{
	{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
	{"src": "icon-192.png", "sizes": "192x192", "type": "image/png"},
	{"src": "icon-512.png", "sizes": "512x512", "type": "image/png"},
	{"src": "icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
}

// manifest serves the manifest of the app.
func (s *Site) manifest(w http.ResponseWriter, r *http.Request) {
	language, _ := s.language(r)
	words := s.words[language]
	var list []map[string]string
	for _, i := range icons {
		icon := maps.Clone(i)
		icon["src"] = "/assets/" + s.asset[i["src"]].hash + "/" + i["src"]
		list = append(list, icon)
	}
	data, err := json.Marshal(map[string]any{
		"id": "/", "start_url": "/", "scope": "/", "display": "standalone", "lang": language, "name": words.say("site.name"),
		"description": words.say("site.about"), "background_color": "#f6f1e4", "theme_color": "#1f5f55", "icons": list,
		"shortcuts": []map[string]string{{"name": words.say("device.title"), "url": "/" + device}},
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Add("Vary", "Accept-Language, Cookie")
	_, _ = w.Write(data) // the client may have left
}
