package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quintet/live"
	"quintet/live/jet"
)

// CorruptResult counts the outcomes of corruptions.
type CorruptResult struct {
	Times    int
	Outcomes map[string]int // by outcome, and by kind with outcome
	Findings []string       // wrong data that was shown, or events that were lost or not restored
}

// Corruption is a line of the file corruptions.jsonl.
type Corruption struct {
	Seed    uint64    `json:"seed"`
	Number  int       `json:"number"`
	What    string    `json:"what"` // a kind, a colon, and the files
	Outcome string    `json:"outcome"`
	Finding string    `json:"finding,omitempty"`
	At      time.Time `json:"at"`
}

func (r *CorruptResult) add(c Corruption) {
	r.Times++
	r.Outcomes[c.Outcome]++
	r.Outcomes[strings.SplitN(c.What, ":", 2)[0]+" "+c.Outcome]++
	if c.Finding != "" {
		r.Findings = append(r.Findings, fmt.Sprintf("seed %d, %d, %s (%s): %s", c.Seed, c.Number, c.What, c.Outcome, c.Finding))
	}
}

// repeat calls try with the number of each corruption, and with random numbers that depend only on that and the
// seed. It adds each outcome to a file, and goes on after those that the file has.
func (k *corrupter) repeat(ctx context.Context, try func(number int, random *rand.Rand) (what, outcome string, err error)) (r CorruptResult, err error) {
	r.Outcomes = map[string]int{}
	file, err := os.OpenFile(k.path("corruptions.jsonl"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	next := k.config.From
	for lines := json.NewDecoder(file); ; {
		var c Corruption
		if err := lines.Decode(&c); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return r, fmt.Errorf("reading %s: %w", file.Name(), err)
		}
		if c.Seed == k.config.Seed && k.config.From == 0 {
			next = c.Number + 1
			r.add(c)
		}
	}
	for i := next; i < k.config.Times; i++ {
		what, outcome, err := try(i, rand.New(rand.NewPCG(k.config.Seed, uint64(i))))
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		c := Corruption{Seed: k.config.Seed, Number: i, What: what, Outcome: outcome, At: time.Now().UTC()}
		if err != nil {
			c.Finding = err.Error()
		}
		if err := json.NewEncoder(file).Encode(c); err != nil {
			return r, err
		}
		r.add(c)
	}
	return r, nil
}

// Corrupt fills a log with games and studies. It then damages copies of its files, one kind of corruption
// at a time, and opens each copy. Every stream that can be read must be unchanged. Finally it repairs the
// copy with a backup that has most of the events.
func Corrupt(ctx context.Context, c Config) (r CorruptResult, err error) {
	k := corrupter{config: c, want: map[string][][]byte{}, backedUp: map[string]int{}}
	if err := k.fill(func(part int) error { return k.write(ctx, part) }); err != nil {
		return r, err
	}
	if err := k.readCopies(ctx); err != nil {
		return r, err
	}
	return k.repeat(ctx, func(_ int, random *rand.Rand) (what, outcome string, err error) {
		if what, outcome, err = k.try(ctx, random); err == nil {
			err = k.repair(ctx)
		}
		return what, outcome, err
	})
}

// corrupter damages copies of a log, in the folder "run". It restores them from "intact".
type corrupter struct {
	config   Config
	want     map[string][][]byte // the events of each stream
	backup   []byte              // of the folder "old"
	backedUp map[string]int      // how many events of each stream the backup has
}

func (k *corrupter) path(name string) string { return filepath.Join(k.config.Dir, name) }

// restore makes the files again as they are in a folder.
func (k *corrupter) restore(from string) error {
	return errors.Join(os.RemoveAll(k.path("run")), copyFolder(k.path("run"), k.path(from)))
}

// fill makes two copies of a log, after three quarters of the events and after all, unless they are there.
func (k *corrupter) fill(write func(part int) error) error {
	if _, err := os.Stat(k.path("intact")); err == nil {
		return nil
	}
	err := errors.Join(os.RemoveAll(k.path("run")), os.RemoveAll(k.path("old")), os.MkdirAll(k.config.Dir, 0o750))
	if err == nil {
		err = write(k.config.Events * 3 / 4)
	}
	if err == nil {
		err = copyFolder(k.path("old"), k.path("run"))
	}
	if err == nil {
		err = write(k.config.Events)
	}
	if err == nil {
		err = os.Rename(k.path("run"), k.path("intact"))
	}
	return err
}

// write fills the log up to so many events.
func (k *corrupter) write(ctx context.Context, part int) error {
	l, err := jet.Open(ctx, k.path("run"), nil)
	if err != nil {
		return err
	}
	_, err = Fill(ctx, l, part, k.config.Seed)
	h, bad := l.LastHeartbeat(ctx)
	if err = errors.Join(err, bad); err == nil {
		h.Service, h.By = int64(part), "chaos"
		_, err = l.WriteHeartbeat(ctx, h.Seq, h)
	}
	if err = errors.Join(err, l.Close()); err == nil && part < k.config.Events {
		err = k.smallBlocks(ctx)
	}
	return err
}

// readCopies makes a backup of the older copy, and records the contents of both.
func (k *corrupter) readCopies(ctx context.Context) error {
	for _, name := range []string{"old", "intact"} {
		if err := k.restore(name); err != nil {
			return err
		}
		l, err := jet.Open(ctx, k.path("run"), nil)
		if err != nil {
			return err
		}
		var file bytes.Buffer
		if name == "old" {
			_, err = jet.Backup(ctx, l, &file)
			k.backup = file.Bytes()
		}
		if err = errors.Join(err, k.note(ctx, l), l.Close()); err != nil {
			return err
		}
		if name == "old" {
			for stream, list := range k.want {
				k.backedUp[stream] = len(list)
			}
		}
	}
	return nil
}

// note records the contents of the log.
func (k *corrupter) note(ctx context.Context, l live.Log) error {
	clear(k.want)
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	for e, err := range l.Follow(ctx, 0) {
		if err != nil {
			return err
		}
		k.want[e.Stream] = append(k.want[e.Stream], bytes.Clone(e.Data))
		if e.Seq >= last {
			break
		}
	}
	return ctx.Err()
}

// try damages a copy of the log, and opens it.
func (k *corrupter) try(ctx context.Context, random *rand.Rand) (what, outcome string, err error) {
	if err := k.restore("intact"); err != nil {
		return "", "", err
	}
	if what, err = damage(k.path("run"), k.path("old"), random); err != nil {
		return what, "", err
	}
	l, err := jet.Open(ctx, k.path("run"), nil)
	if err != nil {
		return what, "refused", nil //nolint:nilerr // the repair opens it
	}
	outcome, err = k.compare(ctx, l)
	return what, outcome, errors.Join(err, l.Close())
}

// compare checks that all streams are unchanged, except those that the log reports as damaged.
func (k *corrupter) compare(ctx context.Context, l *jet.Log) (outcome string, err error) {
	outcome = "harmless"
	for stream, want := range k.want {
		list, err := l.Read(ctx, stream)
		if errors.Is(err, live.ErrBroken) {
			outcome = "closed"
			continue
		}
		if err != nil {
			return "read", err
		}
		if !slices.EqualFunc(list, want, func(e live.Entry, data []byte) bool { return bytes.Equal(e.Data, data) }) {
			return "wrong", fmt.Errorf("%s has %d events, want %d, and nothing says so", stream, len(list), len(want))
		}
	}
	if (outcome == "closed") != (len(l.Damage()) > 0) {
		return "wrong", fmt.Errorf("%d streams are called damaged, although the log is %s", len(l.Damage()), outcome)
	}
	return outcome, nil
}

// repair repairs the copy. It checks that each stream begins with its events in the backup, and that any
// other events are its own, or the one that calls it off.
func (k *corrupter) repair(ctx context.Context) error {
	if _, err := jet.Repair(ctx, k.path("run"), bytes.NewReader(k.backup), time.UnixMilli(1), true, nil); err != nil {
		return fmt.Errorf("repairing: %w", err)
	}
	if v, err := jet.VerifyFolder(k.path("run")); err != nil || v.Problem != "" || len(v.Damaged) > 0 {
		return errors.Join(err, fmt.Errorf("after the repair: %d streams are damaged, %s", len(v.Damaged), v.Problem))
	}
	l, err := jet.Open(ctx, k.path("run"), nil)
	if err != nil {
		return fmt.Errorf("after the repair: %w", err)
	}
	defer func() { _ = l.Close() }()
	if n := len(l.Damage()); n > 0 {
		return fmt.Errorf("after the repair: %d streams are damaged", n)
	}
	for stream, want := range k.want {
		list, err := l.Read(ctx, stream)
		if err != nil {
			return fmt.Errorf("after the repair: %w", err)
		}
		same := 0
		for same < min(len(list), len(want)) && bytes.Equal(list[same].Data, want[same]) {
			same++
		}
		if n := len(list); same < k.backedUp[stream] || n > same+1 || n == same+1 && !bytes.Contains(list[same].Data, []byte(`"aborted"`)) {
			return fmt.Errorf("after the repair: %s has %d events, of which %d are its own, want at least the %d of the backup", stream, n, same, k.backedUp[stream])
		}
	}
	return nil
}

func copyFolder(to, from string) error { return os.CopyFS(to, os.DirFS(from)) }

// damage damages the files in a folder. It returns a description that begins with the kind and a colon.
func damage(dir, old string, random *rand.Rand) (what string, err error) {
	var files, blocks, snapshots []string
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && e.Name() != "lock" && e.Name() != "quintet.lock" && !strings.HasPrefix(e.Name(), "secret") {
			files = append(files, path)
			if strings.HasSuffix(path, ".blk") && strings.Contains(path, "/QUINTET/") {
				blocks = append(blocks, path)
			}
			if strings.Contains(path, "/snapshots/") {
				snapshots = append(snapshots, path)
			}
		}
		return err
	})
	if err != nil {
		return "", err
	}
	file := files[random.IntN(len(files))]
	if random.IntN(2) == 0 {
		file = blocks[random.IntN(len(blocks))]
	} else if len(snapshots) > 0 && random.IntN(2) == 0 { // of Raft, on three servers
		file = snapshots[random.IntN(len(snapshots))]
	}
	name, _ := filepath.Rel(dir, file)
	switch random.IntN(8) {
	case 0, 1:
		n := 1 + random.IntN(3)
		return fmt.Sprintf("bits: %d of %s", n, name), change(file, random, n, func(b []byte, i int) { b[i] ^= 1 << random.IntN(8) })
	case 2:
		n := 1 + random.IntN(4096)
		return fmt.Sprintf("bytes: %d of %s", n, name), change(file, random, 1, func(b []byte, i int) {
			for j := i; j < min(i+n, len(b)); j++ {
				b[j] = byte(random.Uint32())
			}
		})
	case 3:
		return "truncated: " + name, truncate(file, random)
	case 4:
		return "missing: " + name, os.Remove(file)
	case 5:
		other := blocks[random.IntN(len(blocks))]
		file = blocks[random.IntN(len(blocks))]
		return fmt.Sprintf("duplicated: %s as %s", filepath.Base(other), filepath.Base(file)), replaceFile(file, other)
	case 6:
		if len(blocks) == 1 {
			return "missing: " + filepath.Base(blocks[0]), os.Remove(blocks[0])
		}
		i := random.IntN(len(blocks) - 1)
		a, b, c := blocks[i], blocks[i+1], blocks[i]+".swapped"
		return "swapped: blocks", errors.Join(os.Rename(a, c), os.Rename(b, a), os.Rename(c, b))
	default:
		return stale(dir, old, name)
	}
}

// stale replaces a file, or all files of the events, with older ones.
func stale(dir, old, name string) (what string, err error) {
	if _, err := os.Stat(filepath.Join(old, name)); err == nil {
		return "stale: " + name, replaceFile(filepath.Join(dir, name), filepath.Join(old, name))
	}
	list, err := filepath.Glob(filepath.Join(old, "jetstream", "*", "streams", "QUINTET"))
	if err != nil || len(list) != 1 {
		return "", errors.Join(err, fmt.Errorf("an older copy has %d streams of events, want one", len(list)))
	}
	streams := strings.TrimPrefix(list[0], old)
	err = os.RemoveAll(filepath.Join(dir, streams))
	return "stale: all events", errors.Join(err, copyFolder(filepath.Join(dir, streams), filepath.Join(old, streams)))
}

func change(file string, random *rand.Rand, times int, f func(b []byte, i int)) error {
	b, err := os.ReadFile(file) //nolint:gosec // of a log of its own
	if err != nil || len(b) == 0 {
		return err
	}
	for range times {
		f(b, random.IntN(len(b)))
	}
	return os.WriteFile(file, b, 0o600) //nolint:gosec // of a log of its own
}

func truncate(file string, random *rand.Rand) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return err
	}
	return os.Truncate(file, random.Int64N(info.Size()))
}

func replaceFile(to, from string) error {
	in, err := os.Open(from) //nolint:gosec // of a log of its own
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	b, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}
