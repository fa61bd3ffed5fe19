package api

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/record"
	"quintet/record/formats"
	"quintet/web/body"
	"quintet/web/wire"
)

// The parts of games that several subjects show.

// Both holds a value for each side, see wire.
type Both[T any] = wire.Both[T]

// Move is a move with the indexes of its cells, see wire.
type Move = wire.Move

// BothOf returns the values of two sides.
func BothOf[T any](two [2]T) Both[T] { return wire.BothOf(two) }

// MoveOf returns a move that has a text.
func MoveOf(text string, m game.Move) Move { return wire.MoveOf(text, m) }

// MovesOf returns moves that are legal in a position.
func MovesOf(p game.Position, moves []game.Move) []Move { return wire.MovesOf(p, moves) }

// TimeText writes milliseconds since 1970.
func TimeText(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

// Line is a line of moves in a request: from a position, or from the start position of the
// options.
type Line struct {
	Game     string       `json:"game"`
	Options  body.Options `json:"options"`
	Position string       `json:"position"`
	Moves    []string     `json:"moves"`
}

// Settings returns the settings of a game before the line.
func (l Line) Settings() live.Settings {
	return live.Settings{Game: l.Game, Options: game.Setup(l.Options), Position: l.Position}
}

// CheckLength returns an error if the line is longer than a game.
func (l Line) CheckLength() error {
	if len(l.Moves) > live.MaxMoves {
		return Invalid("moves", "%d moves: expected at most %d", len(l.Moves), live.MaxMoves).WithReason("moves.many")
	}
	return nil
}

// Match plays the line through.
func (l Line) Match() (*game.Match, error) {
	if err := l.CheckLength(); err != nil {
		return nil, err
	}
	m, _, err := l.Settings().Match()
	if err != nil {
		return nil, err
	}
	for i, text := range l.Moves {
		if err := m.PlayText(text); err != nil {
			return nil, Problemf(http.StatusUnprocessableEntity, "illegal", "move %d: %v", i+1, err).WithReason("replay").InField("moves")
		}
	}
	return m, nil
}

// FormOf returns the record format that a request asks for.
func FormOf(r *http.Request) (formats.Format, error) {
	f, err := formats.ByName(cmp.Or(r.URL.Query().Get("form"), "quintet"))
	if err != nil {
		return f, Invalid("form", "%v", err).WithReason("form.unknown")
	}
	return f, nil
}

// Attach sets the headers of a file to download.
func Attach(w http.ResponseWriter, kind, name string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
}

// Send responds with a file to download.
func Send(w http.ResponseWriter, kind, name string, data []byte) {
	Attach(w, kind, name)
	_, _ = w.Write(data) // a file to download, with nosniff; the client may have left
}

// SendZip responds with a zip archive to download, of the files that write adds. An error is logged and aborts the
// connection, so that the client cannot mistake a part for the whole.
func (b *Base) SendZip(w http.ResponseWriter, name string, write func(add func(name string, data []byte) error) error) {
	Attach(w, "application/zip", name)
	z := zip.NewWriter(w)
	err := write(func(name string, data []byte) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: b.Now()})
		if err == nil {
			_, err = f.Write(data)
		}
		return err //nolint:wrapcheck // it aborts the connection
	})
	if err = errors.Join(err, z.Close()); err != nil {
		b.Log.Warn("an archive was cut short", "name", name, "error", err)
		panic(http.ErrAbortHandler)
	}
}

// WriteRecord responds with a record as a file to download.
func WriteRecord(w http.ResponseWriter, name string, f formats.Format, text []byte) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=\"%s.%s\"", name, f.Name))
	_, _ = w.Write(text) // plain text with nosniff; the client may have left
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
		return nil, Invalid("record", "the record has several games: send one of them")
	case err != nil:
		return nil, Invalid("record", "the record cannot be read: %v", err)
	case len(list) == 0:
		return nil, Invalid("record", "the record has no game")
	}
	return list[0], nil
}
