package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"quintet/internal/lang"
)

// WriteStatic writes the pages that need no server, and all that they load, as files that any web server can serve
// at the root of a host. They are those of the service worker. Each page has all languages (ui/choose.ts).
func WriteStatic(write func(name string, data []byte) error) error {
	s, err := New(nil, func(*http.Request) string { return "" })
	if err != nil {
		return err
	}
	s.static = true
	files, err := s.staticFiles()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := write(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// staticFiles returns the files of a static site. The page of games on this device is also its first page, and the
// answer to what the site has not.
func (s *Site) staticFiles() (map[string][]byte, error) {
	var pages []string
	files := map[string][]byte{"favicon.ico": s.asset["icon.svg"].plain, "manifest.webmanifest": s.body("/manifest.webmanifest", Source)}
	for i, page := range offlinePages() {
		data, err := s.staticPage(page)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			files["index.html"], files["404.html"] = data, data
		}
		pages = append(pages, page+"/") // which hosts answer with the index of the folder
		files[strings.TrimPrefix(page, "/")+"/index.html"] = data
	}
	for name, hash := range s.offlineFiles(lang.Tags()...) {
		large := slices.Contains([]string{".bin", ".gz"}, path.Ext(name))
		if !large {
			files["assets/"+s.version+"/"+name] = s.asset[name].plain
		}
		if large || strings.HasPrefix(name, "icon") {
			files["assets/"+hash+"/"+name] = s.asset[name].plain
		}
	}
	script, err := s.workerScript(pages, lang.Tags()...)
	files["sw.js"] = script
	return files, err
}

// staticPage returns a page with its titles in all languages.
func (s *Site) staticPage(path string) ([]byte, error) {
	s.titles = ""
	titles := map[string]string{}
	for _, tag := range lang.Tags() {
		_, rest, _ := bytes.Cut(s.body(path, tag), []byte("<title>"))
		title, _, _ := bytes.Cut(rest, []byte("</title>"))
		titles[tag] = html.UnescapeString(string(title))
	}
	data, err := json.Marshal(titles)
	if err != nil {
		return nil, fmt.Errorf("writing the titles of %s: %w", path, err)
	}
	s.titles = string(data)
	return s.body(path, Source), nil
}

// body returns what the site answers to a request.
func (s *Site) body(path, language string) []byte {
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}, Header: http.Header{"Accept-Language": {language}}}
	w := &recorder{header: http.Header{}}
	s.ServeHTTP(w, r)
	return w.body.Bytes()
}

// recorder keeps the body of an answer.
type recorder struct {
	header http.Header
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(int) {}

// Write implements http.ResponseWriter.
func (r *recorder) Write(data []byte) (int, error) {
	return r.body.Write(data) //nolint:wrapcheck // a buffer takes everything
}
