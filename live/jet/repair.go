package jet

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"quintet/live"
)

// Repaired counts the events of a damaged stream in a repair.
type Repaired struct {
	Stream   string `json:"stream"` // its name, or the hash of its name if the name is lost
	Restored int    `json:"restored"`
	Lost     int    `json:"lost"` // missing events, and those that followed them
	Kept     int    `json:"kept"`
}

// Repair repairs the log in a folder that no server has open. It restores lost events from a backup, which
// may be nil. A stream with events that are still missing ends before the first of them: Repair drops the
// later events, calls off a game that had not ended, and appends a ruling that lists all lost events.
// Without apply it only returns what it would do.
func Repair(ctx context.Context, dir string, backup io.ReadSeeker, now time.Time, apply bool, logger *slog.Logger) (list []Repaired, err error) {
	logger = cmp.Or(logger, slog.New(slog.DiscardHandler))
	lock, err := LockFile(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, fmt.Errorf("repairing the log in %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := finishReplacing(dir); err != nil {
		return nil, fmt.Errorf("repairing the log: %w", err)
	}
	s, err := scanLog(dir)
	if err != nil {
		return nil, err
	}
	r := repair{scan: s, fill: map[uint64]live.Entry{}, streams: map[streamHash]*repairedStream{}}
	if backup != nil {
		if err := r.restore(ctx, backup); err != nil {
			return nil, fmt.Errorf("restoring lost events: %w", err)
		}
	}
	if err := r.cut(); err != nil || !apply {
		return r.list(), err
	}
	list = r.list()
	if err := r.write(ctx, now, logger); err != nil {
		return nil, fmt.Errorf("repairing the log: %w", err)
	}
	return list, nil
}

// repair is the state of a repair.
type repair struct {
	*scan
	fill    map[uint64]live.Entry // lost events that a backup has
	gone    []live.Erasure        // the other lost events, and those that followed them in their streams
	goneOf  []*repairedStream     // the stream of each
	streams map[streamHash]*repairedStream
	order   []*repairedStream

	restoredRecords []Repaired
}

// repairedStream is a stream in a repair.
type repairedStream struct {
	Repaired
	chain  live.Chain
	broken bool
}

func (r *repair) stream(of streamHash, name string) *repairedStream {
	st := r.streams[of]
	if st == nil {
		st = &repairedStream{Repaired: Repaired{Stream: name}}
		r.streams[of] = st
		r.order = append(r.order, st)
	}
	if hashOfStream(name) == of {
		st.Stream = name
	}
	return st
}

// list returns the streams that the repair changes.
func (r *repair) list() (list []Repaired) {
	for _, st := range r.order {
		if st.Restored > 0 || st.Lost > 0 {
			list = append(list, st.Repaired)
		}
	}
	for _, it := range r.lostRecords {
		list = append(list, Repaired{Stream: it.name(), Lost: 1})
	}
	return append(list, r.restoredRecords...)
}

// restoreRecord restores a lost record from a backup, which may have an earlier version of it.
func (r *repair) restoreRecord(b backup) {
	of := hashOfStream(b.Record)
	i := slices.IndexFunc(r.lostRecords, func(it recordSum) bool { return it.key == of })
	if i < 0 {
		return
	}
	r.records[recordSubject+"."+b.Record] = message{data: b.Value}
	r.lostRecords = slices.Delete(r.lostRecords, i, i+1)
	r.restoredRecords = append(r.restoredRecords, Repaired{Stream: "record-" + b.Record, Restored: 1})
}

// restore finds lost events in a backup by their digests. Lost events without a digest are the events that
// the log does not have, in order.
func (r *repair) restore(ctx context.Context, in io.ReadSeeker) error {
	lost, unknown := map[digest]uint64{}, []uint64{}
	for _, e := range r.lost {
		if d, ok := digestAt(r.digests, e.seq); ok {
			lost[d.content()] = e.seq
		} else {
			unknown = append(unknown, e.seq)
		}
	}
	has, err := r.contents()
	if err != nil {
		return err
	}
	found := 0
	err = eachBackedUp(ctx, in, func(b backup) error {
		if b.Record != "" {
			r.restoreRecord(b)
			return nil
		}
		e := live.Entry{Stream: b.Game, Data: b.Event}
		content := digestOfEvent(0, e.Stream, e.Data).content()
		seq, ok := lost[content]
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case has[content]:
			found++
			return nil
		case ok:
			found++
		case len(unknown) > 0:
			seq, unknown = unknown[0], unknown[1:]
		default: // the end of the log is lost without a trace
			r.last++
			seq = r.last
		}
		delete(lost, content)
		has[content] = true
		e.Seq = seq
		r.fill[seq] = e
		r.setDigest(seq, digestOfEvent(seq, e.Stream, e.Data))
		return nil
	})
	if err == nil && found == 0 && r.events > 0 {
		err = errors.New("the backup is of another log: it has no event of this one")
	}
	return err
}

// content returns the digest without the CRC, so that equal events have equal digests.
func (d digest) content() digest {
	clear(d[2*digestPart:])
	return d
}

// contents returns the events that the log has or has erased. In a backup, rulings have no erased content:
// see live.Portable.
func (r *repair) contents() (has map[digest]bool, err error) {
	has = map[digest]bool{}
	for e, err := range r.all() {
		if err != nil {
			return nil, err
		}
		data := e.Data
		if e.Stream == live.ModerationStream {
			data, _ = live.Portable(data)
		}
		has[digestOfEvent(0, e.Stream, data).content()] = true
	}
	for seq, it := range r.erased.events {
		if d, ok := digestAt(r.digests, seq); ok {
			has[d.content()] = true
		}
		has[digestOfEvent(0, it.Stream, it.Event).content()] = true // from a backup made after the erasure
	}
	return has, nil
}

// eachBackedUp verifies a backup, and then calls a function with each of its events.
func eachBackedUp(ctx context.Context, in io.ReadSeeker, do func(backup) error) error {
	if _, err := Verify(ctx, in); err != nil {
		return err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var b backup
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			return fmt.Errorf("not a backup of quintet: %w", err)
		}
		if b.Event == nil && b.Record == "" {
			continue
		}
		if err := do(b); err != nil {
			return err
		}
	}
	return lines.Err()
}

// cut verifies the chains of all streams, and drops the events after a lost one.
func (r *repair) cut() error {
	next := uint64(1)
	for e, err := range r.filled(r.fill) {
		if err != nil {
			return err
		}
		for ; next < e.Seq; next++ {
			r.absent(next)
		}
		next++
		of := hashOfStream(e.Stream)
		if r.chains.intact(of) {
			continue
		}
		st := r.stream(of, e.Stream)
		_, restored := r.fill[e.Seq]
		if !st.broken && e.Stream != live.ModerationStream {
			_, err := st.chain.Load(e.Stream, e.Data)
			st.broken = err != nil
		}
		switch {
		case st.broken:
			r.giveUp(st, live.Erasure{Stream: e.Stream, Seq: e.Seq, Hash: live.Hash(e.Data)})
			delete(r.fill, e.Seq)
		case restored:
			st.Restored++
		default:
			st.Kept++
		}
	}
	for ; next <= r.last; next++ {
		r.absent(next)
	}
	for i, st := range r.goneOf { // a later event may tell the stream's name
		r.gone[i].Stream = st.Stream
		r.rebuildDigest(r.gone[i])
	}
	return nil
}

// absent handles a number without an event, which is erased or lost.
func (r *repair) absent(seq uint64) {
	if it, is := r.erased.events[seq]; is {
		if st := r.stream(hashOfStream(it.Stream), it.Stream); !r.erased.lost[seq] { // else the stream went on before it
			st.chain.Skip(it.Hash)
		}
		return
	}
	d, known := digestAt(r.digests, seq)
	of, hash := d.stream(), fmt.Sprintf("%x", d[digestPart:2*digestPart])
	if !known {
		of, hash = hashOfStream(lostStream), ""
	}
	st := r.stream(of, fmt.Sprintf("%x", of))
	r.giveUp(st, live.Erasure{Seq: seq, Hash: hash})
}

func (r *repair) giveUp(st *repairedStream, it live.Erasure) {
	st.Lost++
	if r.present.has(it.Seq) {
		r.lost = append(r.lost, lostEvent{seq: it.Seq, stream: hashOfStream(st.Stream), known: true})
		r.present.clear(it.Seq)
		r.events--
	}
	r.gone, r.goneOf = append(r.gone, it), append(r.goneOf, st)
}

// write replaces the log, calls games off and appends the rulings.
func (r *repair) write(ctx context.Context, now time.Time, logger *slog.Logger) (err error) {
	if r.breaks() || len(r.fill) > 0 || len(r.gone) > 0 || len(r.lostRecords) > 0 || len(r.restoredRecords) > 0 {
		r.close()
		if err := r.salvage(ctx, r.fill, logger); err != nil {
			return err
		}
	}
	r.lostRecords = nil
	if err := r.writeRecordSums(); err != nil {
		return err
	}
	s, err := scanLog(r.dir)
	if err == nil {
		err = s.removeBadHeartbeats()
	}
	if err != nil {
		return err
	}
	s.digests, s.adopted = r.digests, 1
	l, err := openCopied(ctx, r.dir, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if err := l.adopt(ctx, s); err != nil {
		return err
	}
	l.damaged.clear()
	for _, st := range r.order {
		if st.Lost > 0 && st.Kept+st.Restored > 0 && live.CategoryOf(st.Stream) == live.GameCategory {
			if err := l.endDamaged(ctx, st.Stream, now); err != nil {
				return err
			}
		}
	}
	if err := l.noteLost(ctx, r.gone, now); err != nil {
		return err
	}
	h, err := l.LastHeartbeat(ctx)
	if err == nil {
		_, err = l.WriteHeartbeat(ctx, h.Seq, h)
	}
	return err
}

// endDamaged calls a game off if it has not ended.
func (l *Log) endDamaged(ctx context.Context, id string, now time.Time) error {
	list, err := l.Read(ctx, id)
	if err != nil || len(list) == 0 {
		return err
	}
	t := live.New(id)
	for _, e := range list {
		if _, err := t.Load(e.Data); err != nil {
			return err
		}
	}
	if t.Over() {
		return nil
	}
	e, err := t.Decide(live.Command{Do: live.EndDamaged}, live.Stamp{Wall: now.UnixMilli()})
	if err != nil {
		return err
	}
	data, err := e.Encode()
	if err == nil {
		_, err = l.Append(ctx, id, list[len(list)-1].Seq, data)
	}
	return err
}

// noteLost appends rulings that list lost events.
func (l *Log) noteLost(ctx context.Context, gone []live.Erasure, now time.Time) error {
	const most = 2000 // events in a ruling: a message of the log has at most 1 MB
	for part := range slices.Chunk(gone, most) {
		data, err := live.Ruling{Do: live.Lost, Wall: now.UnixMilli(), Erased: part}.Encode()
		if err != nil {
			return err
		}
		list, err := l.Read(ctx, live.ModerationStream)
		if err != nil {
			return err
		}
		last := uint64(0)
		if len(list) > 0 {
			last = list[len(list)-1].Seq
		}
		seq, err := l.Append(ctx, live.ModerationStream, last, data)
		if err != nil {
			return err
		}
		l.erased.note(live.Entry{Stream: live.ModerationStream, Seq: seq, Data: data})
	}
	return nil
}
