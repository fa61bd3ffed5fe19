package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

// asset is a file that pages load.
type asset struct {
	kind  string
	plain []byte
	small []byte // compressed; nil if that saves nothing
}

// readAssets reads the assets.
func (s *Site) readAssets() error {
	names, err := fs.Glob(files, "assets/*.*")
	if err != nil {
		return fmt.Errorf("listing assets: %w", err)
	}
	s.asset = map[string]asset{}
	for _, name := range names {
		data, err := read(name)
		if err != nil {
			return err
		}
		if path.Base(name) == "modules.json" {
			if err := json.Unmarshal(data, &s.modules); err != nil {
				return fmt.Errorf("reading %s: %w", name, err)
			}
			continue
		}
		s.asset[path.Base(name)] = asset{kind: kindOf(name), plain: data}
	}
	return nil
}

// kindOf returns the media type of an asset. Not every machine's table knows fonts.
func kindOf(name string) string {
	if path.Ext(name) == ".woff2" {
		return "font/woff2"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// compress compresses the assets. Their version is a hash of them all, and is part
// of their addresses: so browsers keep them for good.
func (s *Site) compress() error {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.asset)) {
		a := s.asset[name]
		var small bytes.Buffer
		z, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
		if err != nil {
			return fmt.Errorf("compressing %s: %w", name, err)
		}
		_, _ = z.Write(a.plain) // a buffer takes everything
		_ = z.Close()
		_, _ = hash.Write(a.plain)
		if small.Len() < len(a.plain) { // fonts are compressed as they are
			a.small = small.Bytes()
		}
		s.asset[name] = a
	}
	s.version = hex.EncodeToString(hash.Sum(nil)[:6])
	return nil
}

func (s *Site) serveAsset(w http.ResponseWriter, r *http.Request) {
	a, ok := s.asset[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.PathValue("version") == s.version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	a.write(w, r)
}

// icon serves the icon to those who look for it where icons used to be.
func (s *Site) icon(w http.ResponseWriter, r *http.Request) { s.asset["icon.svg"].write(w, r) }

func (a asset) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-Content-Type-Options", "nosniff")
	data := a.plain
	if a.small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		data = a.small
	}
	_, _ = w.Write(data) // who does not take it has gone
}
