package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Erasure is an event that a ruling erases. Its hash stays, so that the events after it can
// still be verified.
type Erasure struct {
	Stream string          `json:"stream"`
	Seq    uint64          `json:"seq"`
	Hash   string          `json:"hash"`
	Event  json.RawMessage `json:"event,omitempty"` // replaces it, without a name; nil if nothing does
}

// The maximum size of a ruling that erases: a message of the log has at most 1 MB.
const (
	maxErasures     = 2000
	maxErasureBytes = 256 << 10 // of replacements, which the last one may exceed
)

// EraseStream erases a game, a study or a review. It appends the rulings first, so that Log.Erase
// can finish after a crash. It returns the number of events erased, 0 if they already were. It is an
// error if the stream never existed; ErrKept is that of Log.Erase.
func EraseStream(ctx context.Context, l Log, stream string, now time.Time) (n int, err error) {
	if stream == ModerationStream || strings.Trim(stream, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return 0, missing(stream)
	}
	kept := l.Erase(ctx) // completes interrupted erasures
	if kept != nil && !errors.Is(kept, ErrKept) {
		return 0, kept
	}
	for {
		list, err := l.Read(ctx, stream)
		if err != nil {
			return n, err
		}
		if len(list) == 0 { // otherwise, events were written meanwhile
			break
		}
		n += len(list)
		rulings, err := l.Read(ctx, ModerationStream)
		if err != nil {
			return n, err
		}
		x := erasing{change: func(in string, _ []byte) ([]byte, bool) { return nil, in == stream }}
		for _, e := range append(list, rulings...) {
			x.add(e)
		}
		if err := x.write(ctx, l, stream, now); errors.Is(err, ErrKept) {
			kept = err
		} else if err != nil {
			return n, err
		}
	}
	h, _, err := Rulings(ctx, l)
	if err == nil && n == 0 && h.rulings[Ruling{Game: stream}.key()].Do != Erase {
		err = missing(stream)
	}
	return n, cmp.Or(err, kept)
}

// EraseName replaces a name, and all that look like it, with Anonymous in all games of the log, and
// erases the rulings on it. It returns the number of games changed.
func EraseName(ctx context.Context, l Log, name string, now time.Time) (games int, err error) {
	if sameName(name, Anonymous) {
		return 0, fmt.Errorf("%q cannot be erased: it stands for erased names", name)
	}
	kept := l.Erase(ctx) // completes interrupted erasures
	last, err := l.Last(ctx)
	if !errors.Is(kept, ErrKept) {
		err = cmp.Or(err, kept)
	}
	if err = errors.Join(checkName(name), err); err != nil || last == 0 {
		return 0, err
	}
	in := map[string]bool{}
	x := erasing{change: func(stream string, data []byte) ([]byte, bool) {
		anonymous, is := withoutName(stream, data, name)
		if is && CategoryOf(stream) == GameCategory {
			in[stream] = true
		}
		return anonymous, is
	}}
	for e, err := range l.Follow(ctx, 0) {
		if err != nil {
			return 0, err
		}
		if x.add(e); e.Seq >= last {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return len(in), cmp.Or(x.write(ctx, l, "", now), kept)
}

// withoutName returns the replacement of an event, nil for a ruling, and whether the event has the name.
func withoutName(stream string, data []byte, name string) (anonymous []byte, is bool) {
	var e Event
	switch CategoryOf(stream) {
	case ModerationCategory:
		r, err := ReadRuling(data)
		return nil, err == nil && r.Name != "" && sameName(r.Name, name)
	case GameCategory:
		if json.Unmarshal(data, &e) != nil {
			return nil, false // servers check the log when they load games
		}
	default:
		return nil, false
	}
	players := []*Player{e.Player}
	if e.Settings != nil {
		players = append(players, &e.Settings.Seats[0], &e.Settings.Seats[1])
	}
	for _, p := range players {
		if p != nil && p.Engine == "" && sameName(p.Name, name) {
			p.Name, is = Anonymous, true
		}
	}
	e.Was, e.Key = HashOf(data), "" // nobody repeats the command; without its key the hash does not confirm a guess
	anonymous, err := e.Encode()
	return anonymous, is && err == nil
}

// HashOf returns the hash of an event as it was first written.
func HashOf(data []byte) string {
	var e struct {
		Was string `json:"was"`
	}
	if bytes.Contains(data, []byte(`"was":`)) && json.Unmarshal(data, &e) == nil && e.Was != "" {
		return e.Was
	}
	return Hash(data)
}

// erasing collects what is to be erased.
type erasing struct {
	change func(stream string, data []byte) (replacement []byte, is bool)
	list   []Erasure
}

// add adds an entry of the log if it is to be erased. A ruling whose replacements are to be
// erased is replaced by another one.
func (x *erasing) add(e Entry) {
	if replacement, is := x.change(e.Stream, e.Data); is {
		x.list = append(x.list, Erasure{e.Stream, e.Seq, HashOf(e.Data), replacement})
		return
	}
	r, err := ReadRuling(e.Data)
	if e.Stream != ModerationStream || err != nil {
		return
	}
	changed := false
	for i, old := range r.Erased {
		if old.Event == nil {
			continue
		}
		if replacement, is := x.change(old.Stream, old.Event); is {
			r.Erased[i].Event, changed = replacement, true
		}
	}
	if changed {
		x.list = append(append(x.list, r.Erased...), Erasure{e.Stream, e.Seq, Hash(e.Data), nil})
	}
}

// write appends the rulings, and erases what they list.
func (x *erasing) write(ctx context.Context, l Log, stream string, now time.Time) error {
	r, size := Ruling{Do: Erase, Game: stream, Wall: now.UnixMilli()}, 0
	for i, e := range x.list {
		r.Erased = append(r.Erased, e)
		size += len(e.Event)
		if len(r.Erased) < maxErasures && size < maxErasureBytes && i < len(x.list)-1 {
			continue
		}
		if _, err := Moderate(ctx, l, r); err != nil {
			return err
		}
		r.Erased, size = nil, 0
	}
	return l.Erase(ctx)
}

// Portable returns a ruling for a backup, whose events have other sequence numbers. It omits the
// list of erased events, which the backup lacks. ok is false if nothing is left of the ruling.
func Portable(data []byte) (ruling []byte, ok bool) {
	r, err := ReadRuling(data)
	if err != nil || r.Do != Erase && r.Do != Lost {
		return data, true
	}
	r.Erased = nil
	ruling, err = r.Encode()
	return ruling, err == nil && (r.Game != "" || r.Do == Lost)
}
