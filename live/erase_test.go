package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"quintet/live"
)

// erasedAt is when tests erase.
var erasedAt = time.UnixMilli(7)

// written appends events of a stream.
func written(t *testing.T, l live.Log, stream string, list ...any) {
	t.Helper()
	old, err := l.Read(t.Context(), stream)
	after := uint64(0)
	for _, e := range old {
		after = e.Seq
	}
	for _, v := range list {
		data, bad := json.Marshal(v)
		if err == nil && bad == nil {
			after, err = l.Append(t.Context(), stream, after, data)
		}
		if err != nil || bad != nil {
			t.Fatal(err, bad)
		}
	}
}

// texts returns the events of a stream, a line each.
func texts(t *testing.T, l live.Log, stream string) string {
	t.Helper()
	list, err := l.Read(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range list {
		lines = append(lines, string(e.Data))
	}
	return strings.Join(lines, "\n")
}

// late is a log in which a server writes to a game while it is erased.
type late struct {
	live.Log
	t    *testing.T
	done bool
}

func (l *late) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if stream == live.ModerationStream && !l.done {
		l.done = true
		written(l.t, l.Log, "aaaaaaaaaaaa", "late")
	}
	return l.Log.Append(ctx, stream, after, data)
}

// TestEraseStream checks that all events of a game are erased and listed, however many there are and
// when they were written, and that it stays hidden.
func TestEraseStream(t *testing.T) {
	l := live.NewMemory()
	written(t, l, "bbbbbbbbbbbb", "other")
	const events = 4500
	var list []any
	for i := range events {
		list = append(list, i)
	}
	written(t, l, "aaaaaaaaaaaa", list...)
	n, err := live.EraseStream(t.Context(), &late{Log: l, t: t}, "aaaaaaaaaaaa", erasedAt)
	if n != events+1 || err != nil {
		t.Errorf("%d events are erased, %v, want %d", n, err, events+1)
	}
	if texts(t, l, "aaaaaaaaaaaa") != "" || texts(t, l, "bbbbbbbbbbbb") != `"other"` {
		t.Errorf("left: %s, and of another game %s", texts(t, l, "aaaaaaaaaaaa"), texts(t, l, "bbbbbbbbbbbb"))
	}
	entries, err := l.Read(t.Context(), live.ModerationStream)
	listed := map[uint64]string{}
	for _, e := range entries {
		r, bad := live.ReadRuling(e.Data)
		if bad != nil || r.Wall != 7 || r.Game != "aaaaaaaaaaaa" || len(r.Erased) > 2000 {
			t.Errorf("ruling on %s at %d, %d events, %v", r.Game, r.Wall, len(r.Erased), bad)
		}
		for _, x := range r.Erased {
			listed[x.Seq] = x.Hash
		}
	}
	if len(listed) != events+1 || listed[2] != live.Hash([]byte("0")) || len(entries) != 4 || err != nil {
		t.Errorf("%d events in %d rulings, the first %q, %v", len(listed), len(entries), listed[2], err)
	}
	h, _, err := live.Rulings(t.Context(), l)
	if !h.Has(live.Ruling{Game: "aaaaaaaaaaaa"}) || len(h.List()) != 1 || h.List()[0].Erased != nil || err != nil {
		t.Errorf("hidden: %v, %v", h.List(), err)
	}
	for _, do := range []live.RulingVerb{live.Show, live.Hide} {
		h.Apply(live.Ruling{Do: do, Game: "aaaaaaaaaaaa"}, 9999)
		if list := h.List(); len(list) != 1 || list[0].Do != live.Erase {
			t.Errorf("%s changes %v", do, list)
		}
	}
	if changed, err := live.Moderate(t.Context(), l, live.Ruling{Do: live.Show, Game: "aaaaaaaaaaaa"}); changed || err == nil {
		t.Errorf("showing it: %t, %v, want an error", changed, err)
	}
	if n, err := live.EraseStream(t.Context(), l, "aaaaaaaaaaaa", erasedAt); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
}

// TestEraseNothing checks that only streams that exist can be erased, and no rulings.
func TestEraseNothing(t *testing.T) {
	l := live.NewMemory()
	written(t, l, live.ModerationStream, live.Ruling{Do: live.Hide, Name: "Ann"})
	for stream, want := range map[string]string{
		"cccccccccccc": `there is no game "cccccccccccc"`, "study-c": `there is no study "c"`, "review-c": `there is no review "c"`,
		live.ModerationStream: "there is no", "*": "there is no", "": "there is no",
	} {
		if n, err := live.EraseStream(t.Context(), l, stream, erasedAt); n != 0 || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("erasing %q: %d, %v, want %s", stream, n, err, want)
		}
	}
	for name, want := range map[string]string{"anonymous": "cannot be erased", "": "1 to 40", "a\nb": "invisible"} {
		if n, err := live.EraseName(t.Context(), l, name, erasedAt); n != 0 || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("erasing the name %q: %d, %v, want %s", name, n, err, want)
		}
	}
	if got := texts(t, l, live.ModerationStream); strings.Count(got, "\n") != 0 {
		t.Errorf("rulings:\n%s", got)
	}
}

// TestEraseName checks which events lose a name: those that seat people, not engines, and rulings on
// the name; that the hash of the first form stays; and that another erasure replaces the ruling.
func TestEraseName(t *testing.T) {
	l := live.NewMemory()
	first := live.Event{Envelope: live.Envelope{Kind: live.Opened}, Key: "key", Settings: &live.Settings{Game: "loa", Seats: [2]live.Player{{Name: "ANN", Secret: "s"}, {Name: "Ben"}}}}
	sat := live.Event{Envelope: live.Envelope{Kind: live.Sat, Number: 1}, Player: &live.Player{Name: "Ann"}}
	engine := live.Event{Envelope: live.Envelope{Kind: live.Opened}, Settings: &live.Settings{Game: "loa", Seats: [2]live.Player{{Name: "Ann", Engine: "Ann"}, {Name: "Cid"}}}}
	written(t, l, "aaaaaaaaaaaa", first, sat)
	written(t, l, "bbbbbbbbbbbb", engine)
	written(t, l, "study-a", first)
	written(t, l, live.ModerationStream, live.Ruling{Do: live.Hide, Name: "ann"}, live.Ruling{Do: live.Hide, Name: "Cid"})
	hash := live.Hash([]byte(strings.Split(texts(t, l, "aaaaaaaaaaaa"), "\n")[0]))
	if n, err := live.EraseName(t.Context(), l, "Ann", erasedAt); n != 1 || err != nil {
		t.Fatalf("in %d games, %v, want 1", n, err)
	}
	text := texts(t, l, "aaaaaaaaaaaa")
	want := fmt.Sprintf(`"was":"%s"`, hash)
	if strings.Contains(strings.ToLower(text), "ann") || strings.Count(text, live.Anonymous) != 2 || !strings.Contains(text, want) || strings.Contains(text, `"key"`) || !strings.Contains(text, `"secret":"s"`) {
		t.Errorf("the game has\n%s", text)
	}
	if !strings.Contains(texts(t, l, "bbbbbbbbbbbb"), `"Ann"`) || !strings.Contains(texts(t, l, "study-a"), "ANN") {
		t.Error("an engine or a study has lost its name")
	}
	h, _, err := live.Rulings(t.Context(), l)
	if h.Has(live.Ruling{Name: "Ann"}) || !h.Has(live.Ruling{Name: "Cid"}) || err != nil {
		t.Errorf("hidden: %v, %v, want Cid alone", h.List(), err)
	}
	if n, err := live.EraseName(t.Context(), l, "ben", erasedAt); n != 1 || err != nil {
		t.Fatalf("in %d games, %v, want 1", n, err)
	}
	rulings := texts(t, l, live.ModerationStream)
	if text = texts(t, l, "aaaaaaaaaaaa"); strings.Contains(text+rulings, "Ben") || !strings.Contains(text, want) || strings.Count(rulings, "\n") != 1 {
		t.Errorf("the game has\n%s\nand the rulings\n%s", text, rulings)
	}
	if ruling, ok := live.Portable([]byte(rulings[strings.Index(rulings, "\n")+1:])); ok {
		t.Errorf("a copy gets %s, want nothing", ruling)
	}
}

// TestPortable checks that copies of the log get rulings without numbers.
func TestPortable(t *testing.T) {
	for text, want := range map[string]string{
		`{"do":"hide","name":"Ann","time":1}`:                                                      `{"do":"hide","name":"Ann","time":1}`,
		`{"do":"mute","name":"Ann","time":1}`:                                                      `{"do":"mute","name":"Ann","time":1}`,
		`{"do":"erase","game":"a","time":1,"erased":[{"stream":"a","seq":5,"hash":"h"}],"more":1}`: `{"do":"erase","game":"a","time":1}`,
	} {
		if got, ok := live.Portable([]byte(text)); !ok || string(got) != want {
			t.Errorf("%s: %s, %t, want %s", text, got, ok, want)
		}
	}
}
