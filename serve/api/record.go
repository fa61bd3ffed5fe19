package api

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"quintet/record"
	"quintet/record/formats"
)

// FormOf returns the record format that a request asks for.
func FormOf(r *http.Request) (formats.Format, error) {
	f, err := formats.ByName(cmp.Or(r.URL.Query().Get("form"), "quintet"))
	if err != nil {
		return f, Invalid("form", "%v", err).WithReason("form.unknown")
	}
	return f, nil
}

// WriteRecord responds with a record as a file to download.
func WriteRecord(w http.ResponseWriter, name string, f formats.Format, text []byte) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=\"%s.%s\"", name, f.Name))
	_, _ = w.Write(text) //nolint:gosec // plain text with nosniff; the client may have left
}

// Forms lists record formats.
type Forms struct {
	Forms []string `json:"forms"`
}

// FormsOf lists the formats in which something can be written. Whether a format can express
// a game depends on its pits, start position and so on, so it tries each.
func FormsOf(write func(formats.Format) error) Forms {
	list := Forms{Forms: []string{}}
	for _, f := range formats.All() {
		if write(f) == nil {
			list.Forms = append(list.Forms, f.Name)
		}
	}
	return list
}

// OnlyGame returns the only game of a record. It reads no further than a second one.
func OnlyGame(text, name string) (*record.Record, error) {
	list, _, _, err := formats.Read([]byte(text), formats.Hint{Game: name, MaxGames: 1})
	switch {
	case errors.Is(err, formats.ErrGames):
		return nil, Invalid("record", "the record has several games: expected one")
	case err != nil:
		return nil, Invalid("record", "the record cannot be read: %v", err)
	case len(list) == 0:
		return nil, Invalid("record", "the record has no game: expected one")
	}
	return list[0], nil
}
