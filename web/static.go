package web

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

// WriteStatic writes the pages of a language that need no server, and all that they load, as files that any web
// server can serve at the root of a host. They are those of the service worker.
func WriteStatic(language string, write func(name string, data []byte) error) error {
	s, err := New(nil, func(*http.Request) string { return "" })
	if err != nil {
		return err
	}
	s.static = true
	files, err := s.staticFiles(language)
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
func (s *Site) staticFiles(language string) (map[string][]byte, error) {
	var pages []string
	files := map[string][]byte{"favicon.ico": s.asset["icon.svg"].plain, "manifest.webmanifest": s.body("/manifest.webmanifest", language)}
	for i, page := range offlinePages() {
		data := s.body(page, language)
		if i == 0 {
			files["index.html"], files["404.html"] = data, data
		}
		pages = append(pages, page+"/") // which hosts answer with the index of the folder
		files[strings.TrimPrefix(page, "/")+"/index.html"] = data
	}
	for name, hash := range s.offlineFiles(language) {
		large := slices.Contains([]string{".bin", ".gz"}, path.Ext(name))
		if !large {
			files["assets/"+s.version+"/"+name] = s.asset[name].plain
		}
		if large || strings.HasPrefix(name, "icon") {
			files["assets/"+hash+"/"+name] = s.asset[name].plain
		}
	}
	script, err := s.workerScript(language, pages)
	files["sw.js"] = script
	return files, err
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
