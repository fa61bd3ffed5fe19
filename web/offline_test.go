package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quintet/internal/lang"
	"quintet/web"
)

// offline is what the service worker keeps.
type offline struct {
	Version, Language string
	Files             map[string]string
	Pages             []string
}

// kept reads what a service worker keeps.
func kept(t *testing.T, script string) (o offline) {
	t.Helper()
	text, _, ok := strings.Cut(strings.TrimPrefix(script, "const quintet="), ";\n")
	if err := json.Unmarshal([]byte(text), &o); err != nil || !ok || len(o.Files) < 40 || len(o.Pages) < 20 {
		t.Fatalf("%v: %.300s", err, script)
	}
	return o
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// assets finds the assets that a page loads at once.
var assets = regexp.MustCompile(`/assets/\w+/([\w.-]+)`)

// TestWorker checks that the service worker keeps all that its pages load, in their language, by the hash of the content.
func TestWorker(t *testing.T) {
	s := open(t)
	for _, language := range []string{web.Source, "zh-HK"} {
		w := get(t, s, "/sw.js", "Accept-Language", language)
		o := kept(t, w.Body.String())
		if o.Language != language || w.Header().Get("Cache-Control") != "no-cache" || !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Cookie") {
			t.Errorf("%s: the worker is for %q, with %v", language, o.Language, w.Header())
		}
		for name, want := range o.Files {
			f := get(t, s, "/assets/"+o.Version+"/"+name)
			if got := hashOf(f.Body.Bytes()); f.Code != http.StatusOK || got != want {
				t.Errorf("%s: status %d, hash %s, want %s", name, f.Code, got, want)
			}
		}
		for _, path := range o.Pages {
			p := get(t, s, path, "Accept-Language", language)
			found := assets.FindAllStringSubmatch(p.Body.String(), -1)
			if p.Code != http.StatusOK || len(found) < 5 {
				t.Errorf("%s: status %d, %d assets", path, p.Code, len(found))
			}
			for _, f := range found {
				if o.Files[f[1]] == "" {
					t.Errorf("%s in %s loads %s, which the worker does not keep", path, language, f[1])
				}
			}
		}
		if other := map[string]string{web.Source: "zh-HK", "zh-HK": web.Source}[language]; o.Files["facts."+other+".js"] != "" {
			t.Errorf("the worker of %s keeps texts of %s", language, other)
		}
	}
}

// TestManifest checks the manifest of the app, and that its icons are there.
func TestManifest(t *testing.T) {
	s := open(t)
	w := get(t, s, "/manifest.webmanifest", "Cookie", "quintet-lang="+lang.Pseudo)
	var m struct {
		Name, Lang, Display string
		Start               string `json:"start_url"`
		Icons               []struct{ Src, Type, Purpose string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || m.Display != "standalone" || m.Start != "/" || m.Lang != lang.Pseudo || !strings.HasPrefix(m.Name, "⟦") || w.Header().Get("Content-Type") != "application/manifest+json" {
		t.Errorf("%v: %v %s", err, w.Header(), w.Body)
	}
	maskable := false
	for _, i := range m.Icons {
		f := get(t, s, i.Src)
		if f.Code != http.StatusOK || f.Header().Get("Content-Type") != i.Type || !strings.Contains(f.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", i.Src, f.Code, f.Header())
		}
		maskable = maskable || i.Purpose == "maskable"
	}
	if !maskable || !strings.Contains(get(t, s, "/").Body.String(), `rel="manifest"`) {
		t.Error("no maskable icon, or no link to the manifest")
	}
}

// TestStatic checks that a static site has all that its pages and its service worker load.
func TestStatic(t *testing.T) {
	files := map[string][]byte{}
	if err := web.WriteStatic(func(name string, data []byte) error { files[name] = data; return nil }); err != nil {
		t.Fatal(err)
	}
	o := kept(t, string(files["sw.js"]))
	for _, path := range append(o.Pages, "/") {
		page := string(files[strings.TrimPrefix(path, "/")+"index.html"])
		if !strings.Contains(page, `"local":true`) || strings.Count(page, "facts.") > 0 || !strings.Contains(page, "choose.js") {
			t.Errorf("%s: %.400s", path, page)
		}
		for _, f := range assets.FindAllString(page, -1) {
			if files[f[1:]] == nil {
				t.Errorf("%s loads %s, which is not there", path, f)
			}
		}
	}
	for _, tag := range lang.Tags() {
		if o.Files["facts."+tag+".js"] == "" || o.Files["words."+tag+".device.js"] == "" {
			t.Errorf("no texts of %s", tag)
		}
	}
	if o.Files["facts."+lang.Pseudo+".js"] != "" || !strings.Contains(string(files["learn/index.html"]), "&#34;ja&#34;:&#34;") {
		t.Errorf("the pseudo-language, or no titles: %.2000s", files["learn/index.html"])
	}
	for name, hash := range o.Files {
		if files["assets/"+o.Version+"/"+name] == nil && hashOf(files["assets/"+hash+"/"+name]) != hash {
			t.Errorf("the worker keeps %s, which is not there", name)
		}
	}
	for _, icon := range assets.FindAllString(string(files["manifest.webmanifest"]), -1) {
		if files[icon[1:]] == nil {
			t.Errorf("the manifest has %s, which is not there", icon)
		}
	}
	if err := web.WriteStatic(func(string, []byte) error { return errors.New("disk full") }); err == nil || err.Error() != "disk full" {
		t.Errorf("no error of the disk: %v", err)
	}
}
