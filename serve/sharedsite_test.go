package serve

import (
	"net/http"
	"sync"

	"quintet/web"
)

// sharedSite reads the pages once, for many servers.
var sharedSite = sync.OnceValues(func() (*web.Site, error) { return web.New(nil, nil) })

// SharePages lets the server of a test have the pages that others have read: to read them takes longer than most tests.
func (c Config) SharePages() Config {
	c.newSite = func(find web.FindGame, origin func(*http.Request) string) (*web.Site, error) {
		s, err := sharedSite()
		if err != nil {
			return nil, err
		}
		return s.For(find, origin), nil
	}
	return c
}
