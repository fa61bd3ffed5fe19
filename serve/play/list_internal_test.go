package play

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"quintet/live/index"
	"quintet/serve/api"
)

// TestQuery checks how the filters of a list are read, and which field is said to be wrong.
func TestQuery(t *testing.T) {
	for query, c := range map[string]struct {
		want  index.Query
		field string
	}{
		"":                       {index.Query{Limit: 50}, ""},
		"state=open&game=loa":    {index.Query{State: "open", Game: "loa", Limit: 50}, ""},
		"state=live&player=Ann":  {index.Query{State: "live", Player: "Ann", Limit: 50}, ""},
		"state=over&limit=1":     {index.Query{State: "over", Limit: 1}, ""},
		"limit=200":              {index.Query{Limit: 200}, ""},
		"before=17.aaaaaaaaaaaa": {index.Query{Limit: 50, After: index.Cursor{Created: 17, ID: "aaaaaaaaaaaa"}}, ""},
		"before=17":              {index.Query{Limit: 50, After: index.Cursor{Created: 17}}, ""},
		"state=lost":             {index.Query{}, "state"},
		"game=go":                {index.Query{}, "game"},
		"limit=0":                {index.Query{}, "limit"},
		"limit=201":              {index.Query{}, "limit"},
		"limit=x":                {index.Query{}, "limit"},
		"before=0":               {index.Query{}, "before"},
		"before=17.a":            {index.Query{}, "before"},
		"before=x":               {index.Query{}, "before"},
		"colour=red":             {index.Query{}, "colour"},
		"state=open%zz":          {index.Query{}, "request"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/games?"+query, nil)
		got, err := (&Service{}).Query(r, "state", "game", "player", "limit", "before")
		var p *api.Problem
		if errors.As(err, &p); c.field == "" && (err != nil || !reflect.DeepEqual(got, c.want)) || c.field != "" && (p == nil || p.Field != c.field) {
			t.Errorf("%s: %+v, %v, want %+v or the field %q", query, got, err, c.want, c.field)
		}
	}
}
