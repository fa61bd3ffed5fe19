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
	"sync"
)

// asset is a file that pages load.
type asset struct {
	kind  string
	plain []byte
	small func() []byte // the compressed content, made at the first call; nil if compression saves nothing
	hash  string        // of the content: in place of the version of the site it is part of an address, too
}

func newAsset(kind string, plain []byte) asset {
	sum := sha256.Sum256(plain)
	return asset{kind: kind, plain: plain, small: sync.OnceValue(func() []byte { return compressed(plain) }), hash: hex.EncodeToString(sum[:6])}
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
		s.asset[path.Base(name)] = newAsset(kindOf(name), data)
	}
	return nil
}

// kindOf returns the media type of an asset. Not every machine's table knows fonts.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".woff2":
		return "font/woff2"
	case ".png":
		return "image/png"
	case ".bin", ".gz":
		return "application/octet-stream" // not decompressed by the browser
	}
	return mime.TypeByExtension(path.Ext(name))
}

// compressed returns data compressed, or nil if that saves nothing: fonts are compressed as
// they are.
func compressed(data []byte) []byte {
	var small bytes.Buffer
	z, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	_, _ = z.Write(data) // a buffer takes everything
	_ = z.Close()
	if small.Len() >= len(data) {
		return nil
	}
	return small.Bytes()
}

// versionOf returns a hash of all assets. It is part of their addresses, so browsers keep
// them permanently.
func versionOf(assets map[string]asset) string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		_, _ = hash.Write(assets[name].plain)
	}
	return hex.EncodeToString(hash.Sum(nil)[:6])
}

func (s *Site) serveAsset(w http.ResponseWriter, r *http.Request) {
	a, ok := s.asset[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if v := r.PathValue("version"); v == s.version || v == a.hash {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if r.PathValue("name") == "engine.js" { // a worker has a policy of its own
		w.Header().Set("Content-Security-Policy", "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'")
	}
	a.write(w, r)
}

// icon serves the icon at /favicon.ico, where browsers request it unasked.
func (s *Site) icon(w http.ResponseWriter, r *http.Request) { s.asset["icon.svg"].write(w, r) }

func (a asset) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-Content-Type-Options", "nosniff")
	data := a.plain
	if AcceptsGzip(r) {
		if small := a.small(); small != nil {
			h.Set("Content-Encoding", "gzip")
			data = small
		}
	}
	_, _ = w.Write(data) // the client may have left
}
