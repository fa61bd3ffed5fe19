package selfplay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// header begins a file of games. Games of another header do not belong there.
func (p *Plan) header() string {
	h := fmt.Sprintf("quintet selfplay 1 %s player=%s nodes=%d seed=%d opening=%d+%d plies=%d",
		p.Game.Name, p.Player, p.Nodes, p.Seed, p.Opening, p.Spread, p.Plies)
	if p.HaltsDraw {
		h += " halts=draw"
	}
	if a := p.Adjudication; a.Plies > 0 {
		h += fmt.Sprintf(" win=%d draw=%d within=%d from=%d", a.Win, a.Draw, a.Plies, a.From)
	}
	return h + "\n"
}

// Source returns the record of a game of a plan, as it is in the file. It is asked for
// the games in the order of their numbers.
type Source func(ctx context.Context, game int) (record []byte, err error)

// Continue appends to the file the games of the plan that it lacks, and calls report,
// if not nil, after each. The games come from source, or are played here if it is nil.
// What a run that was killed left behind unfinished is overwritten. If the context ends,
// the games so far are kept.
func (p *Plan) Continue(ctx context.Context, name string, source Source, report func(games int)) (err error) {
	if source == nil {
		source = p.Record
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the user names the file
	if err != nil {
		return fmt.Errorf("opening the games: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	games, end, err := p.scan(f, nil)
	if err != nil {
		return err
	}
	if end == 0 {
		if _, err := f.WriteAt([]byte(p.header()), 0); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		end = int64(len(p.header()))
	}
	for ; games < p.Games; games++ {
		record, err := source(ctx, games)
		if err != nil {
			return err
		}
		if _, err := f.WriteAt(record, end); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		end += int64(len(record))
		if report != nil {
			report(games + 1)
		}
	}
	return nil
}

// Record plays game number i and returns its record: the length in 4 bytes, then as
// many bytes. The error wraps that of the context if the context ended.
func (p *Plan) Record(ctx context.Context, i int) ([]byte, error) {
	g, err := p.play(ctx, i)
	if err != nil {
		return nil, err
	}
	body := g.encode(nil)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...), nil
}

// Check checks untrusted records of a number of games, the first of which has number
// first: the openings must be those of the plan and the moves legal, and each game must
// continue to the end or the last ply of the plan and have the result of its last position.
// It does not search. It returns the records one by one.
func (p *Plan) Check(first, games int, records []byte) (list [][]byte, err error) {
	r := bytes.NewReader(records)
	for i := first; i < first+games; i++ {
		at := len(records) - r.Len()
		g, err := decoded(readRecord(r))
		if err == nil {
			err = p.check(i, g)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		list = append(list, records[at:len(records)-r.Len()])
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("%d bytes follow %d games", r.Len(), games)
	}
	return list, nil
}

// Read calls f with each game of a file, up to as many as the plan has, and returns
// their number.
func (p *Plan) Read(name string, f func(*Game) error) (games int, err error) {
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return 0, fmt.Errorf("opening the games: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	games, _, err = p.scan(file, f)
	return games, err
}

// scan reads whole games and returns their number and where the last ends: 0 if the
// file is empty.
func (p *Plan) scan(file io.Reader, f func(*Game) error) (games int, end int64, err error) {
	r := bufio.NewReader(file)
	line, err := r.ReadString('\n')
	if errors.Is(err, io.EOF) && line == "" {
		return 0, 0, nil
	}
	if line != p.header() {
		return 0, 0, fmt.Errorf("the file holds %q, want games of %q: name another file", line, p.header())
	}
	end = int64(len(line))
	for games < p.Games {
		body, err := readRecord(r)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break // the last record of a run that was killed
		}
		g, err := decoded(body, err)
		if err != nil {
			return games, end, fmt.Errorf("game %d: %w", games+1, err)
		}
		if f != nil {
			if err := f(g); err != nil {
				return games, end, fmt.Errorf("game %d: %w", games+1, err)
			}
		}
		games, end = games+1, end+4+int64(len(body))
	}
	return games, end, nil
}

func decoded(body []byte, err error) (*Game, error) {
	if err != nil {
		return nil, err
	}
	return decode(body)
}

// readRecord returns the next record: its length in 4 bytes, then as many bytes.
func readRecord(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err //nolint:wrapcheck // scan asks which error it is
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxGameBytes {
		return nil, errDamaged
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err //nolint:wrapcheck // scan asks which error it is
	}
	return body, nil
}
