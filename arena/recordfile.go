package arena

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"quintet/game"
	"quintet/internal/platform"
)

// Header is the first line of a record file: every setting on which the games depend,
// as the user wrote it.
type Header struct {
	Record  string         `json:"record"`  // recordKind
	Version int            `json:"version"` // recordVersion
	Game    string         `json:"game"`
	Start   string         `json:"start"`
	Format  Format         `json:"format"`
	Players []HeaderPlayer `json:"players"`

	Openings   string       `json:"openings"`
	Seed       uint64       `json:"seed"`
	Threads    int          `json:"threads"`
	SPRT       *SPRT        `json:"sprt,omitempty"`
	Adjudicate Adjudication `json:"adjudicate"`
}

// HeaderPlayer is an entrant of a record.
type HeaderPlayer struct {
	Name   string `json:"name"`
	Player string `json:"player"`
	Limit  string `json:"limit"`
}

const (
	recordKind    = "quintet arena"
	recordVersion = 1
)

// maxLineBytes bounds a line of a record: more than any game takes.
const maxLineBytes = 1 << 22

// RecordFile stores games as they end, one a line.
type RecordFile struct {
	file  *os.File
	names []string
}

// CreateRecord creates the file of a new run. It fails if the file exists.
func CreateRecord(path string, h Header) (*RecordFile, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // the user names the file, for others to read
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("record %s: the file exists: add --resume to continue it, or name another file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	f := &RecordFile{file, h.Names()}
	if err = lock(file); err == nil {
		err = f.writeLine(h.withVersion())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("record %s: %w", path, err), f.Close())
	}
	return f, nil
}

// ResumeRecord opens the file of an interrupted run and returns its games. It removes
// a truncated last line. The file must have the same header: the error names the
// difference. It creates a missing file. It fails if another run holds the file's
// lock, on systems with file locks.
func ResumeRecord(path string, h Header, g game.Game) (*RecordFile, []Record, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the user names the file
	if errors.Is(err, fs.ErrNotExist) {
		f, err := CreateRecord(path, h)
		return f, nil, err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("record: %w", err)
	}
	f := &RecordFile{file, h.Names()}
	games, err := f.resume(h, g)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("record %s: %w", path, err), f.Close())
	}
	return f, games, nil
}

// resume reads the file and seeks to its end for the next game.
func (f *RecordFile) resume(h Header, g game.Game) ([]Record, error) {
	wanted, err := json.Marshal(h.withVersion())
	if err != nil {
		return nil, fmt.Errorf("writing the header: %w", err)
	}
	if err := lock(f.file); err != nil {
		return nil, err
	}
	games, whole, err := readRecords(f.file, func(line []byte, whole bool) (game.Game, []string, error) {
		if !whole && !bytes.HasPrefix(wanted, line) {
			return g, nil, errNoRecord
		} else if !whole {
			return g, nil, nil
		}
		return g, h.Names(), h.check(line)
	})
	if err != nil {
		return nil, err
	}
	if err := f.file.Truncate(whole); err != nil {
		return nil, fmt.Errorf("removing the truncated last line: %w", err)
	}
	if _, err := f.file.Seek(whole, io.SeekStart); err != nil {
		return nil, fmt.Errorf("seeking to its end: %w", err)
	}
	if whole == 0 {
		return nil, f.writeLine(h.withVersion())
	}
	return games, nil
}

// errNoRecord is the error of other files.
var errNoRecord = errors.New("this is not a record of an arena")

// readRecords reads a file and returns the length of its complete lines in bytes. begin gets the first
// line, whole or truncated, and returns the game and the names of the players.
func readRecords(in io.Reader, begin func(line []byte, whole bool) (game.Game, []string, error)) (games []Record, whole int64, err error) {
	r := bufio.NewReader(io.LimitReader(in, 1<<40))
	seen := map[int]int{}
	var g game.Game
	var names []string
	for number := 1; ; number++ {
		line, err := readLine(r)
		switch {
		case errors.Is(err, io.EOF) && number == 1:
			_, _, err := begin(line, false)
			return nil, 0, err
		case errors.Is(err, io.EOF):
			return games, whole, nil
		case err != nil:
			return nil, 0, fmt.Errorf("line %d: %w", number, err)
		}
		whole += int64(len(line))
		if number == 1 {
			if g, names, err = begin(line, true); err != nil {
				return nil, 0, err
			}
			continue
		}
		record, err := DecodeRecord(line, g, names)
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", number, err)
		}
		if before, ok := seen[record.Number]; ok {
			return nil, 0, fmt.Errorf("line %d: game %d is on line %d already", number, record.Number+1, before)
		}
		seen[record.Number] = number
		games = append(games, record)
	}
}

// readLine returns a line including its newline, or the rest of the file with io.EOF.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLineBytes {
			return nil, fmt.Errorf("expected at most %d bytes", maxLineBytes)
		}
	}
}

// Save writes a game and syncs the file.
func (f *RecordFile) Save(r Record) error { return f.writeLine(recordLineOf(r, f.names)) }

func (f *RecordFile) writeLine(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = f.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	return nil
}

// Close closes the file.
func (f *RecordFile) Close() error {
	if err := f.file.Close(); err != nil {
		return fmt.Errorf("closing the record: %w", err)
	}
	return nil
}

// withVersion returns the header with the file's kind and version.
func (h Header) withVersion() Header {
	h.Record, h.Version = recordKind, recordVersion
	return h
}

// Names returns the names of the players.
func (h Header) Names() (names []string) {
	for _, p := range h.Players {
		names = append(names, p.Name)
	}
	return names
}

// parseHeader parses the first line of a file.
func parseHeader(line []byte) (h Header, err error) {
	if err := json.Unmarshal(line, &h); err != nil || h.Record != recordKind {
		return h, fmt.Errorf("line 1: %w", errNoRecord)
	}
	if h.Version != recordVersion {
		return h, fmt.Errorf("line 1: version %d: expected %d", h.Version, recordVersion)
	}
	return h, nil
}

// check returns an error that names the first setting in which a file's header
// differs.
func (h Header) check(line []byte) error {
	old, err := parseHeader(line)
	if err != nil {
		return err
	}
	was, is := old.settings(), h.settings()
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			return fmt.Errorf("it has %s %q, not %q: use the settings of the original run", was[i][0], was[i][1], is[i][1])
		}
	}
	return nil
}

// settings lists the settings that must be equal to resume a run, by name. Headers
// with the same number of players have the same number of settings.
func (h Header) settings() [][2]string {
	list := [][2]string{
		{"game", h.Game}, {"start", h.Start}, {"format", string(h.Format)}, {"players", fmt.Sprint(len(h.Players))},
	}
	for i, p := range h.Players {
		list = append(list,
			[2]string{fmt.Sprintf("name of player %d", i+1), p.Name},
			[2]string{fmt.Sprintf("player %d", i+1), p.Player},
			[2]string{fmt.Sprintf("limit of player %d", i+1), p.Limit})
	}
	test := "none"
	if h.SPRT != nil {
		test = fmt.Sprintf("%g,%g", h.SPRT.Elo0, h.SPRT.Elo1)
	}
	agreement := func(a Agreement) string { return fmt.Sprintf("%d,%d,%d", a.Score, a.Plies, a.From) }
	return append(list,
		[2]string{"openings", h.Openings},
		[2]string{"seed", fmt.Sprint(h.Seed)},
		[2]string{"threads", fmt.Sprint(h.Threads)},
		[2]string{"sprt", test},
		[2]string{"adjudicate-win", agreement(h.Adjudicate.Win)},
		[2]string{"adjudicate-draw", agreement(h.Adjudicate.Draw)},
		[2]string{"max-plies", fmt.Sprint(h.Adjudicate.maxPlies())})
}

// lock keeps other runs away from a file until it is closed. It ignores file systems
// without locks.
func lock(file *os.File) error {
	if errors.Is(platform.Lock(file), platform.ErrLocked) {
		return errors.New("another run is writing it: wait until it ends")
	}
	return nil
}
