package jet_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
)

// TestMember damages the events of one NATS server of three. They are found, set aside, and fetched from the
// other servers.
func TestMember(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := form(t, true)
	l, err := jet.Join(t.Context(), c.address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	const stream, events = "study-aaaaaaaaaaa0", 12
	chain, after := live.Chain{}, uint64(0)
	add := func(n int) {
		t.Helper()
		for i := range n {
			e := chain.Next("opened", live.Stamp{})
			data := fmt.Appendf(nil, `{"kind":"opened","n":%d,"prev":%q,"at":0,"time":0,"text":"event %d"}`, e.Number, e.Prev, i)
			_, err := chain.Load(stream, data)
			if err == nil {
				after, err = l.Append(t.Context(), stream, after, data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	add(events)
	store := c.config[2].StoreDir
	sound := func() (jet.Verified, error) {
		v, err := jet.VerifyMember(store)
		if err == nil && (v.Problem != "" || len(v.Damaged) > 0) {
			err = errors.New("it is damaged")
		}
		return v, err
	}
	await.Until(t, "all events on the third server", func() bool { v, err := sound(); return err == nil && v.Events == events })
	c.stop(2)
	if v, err := sound(); err != nil || v.Events != events {
		t.Fatalf("VerifyMember = %+v, %v, want %d events", v, err, events)
	}
	block := filepath.Join(store, "jetstream", "APP", "streams", "QUINTET", "msgs", "1.blk")
	data, err := os.ReadFile(block)
	i := bytes.Index(data, []byte("event 5"))
	if err != nil || i < 0 {
		t.Fatal(i, err)
	}
	data[i] ^= 1
	if err := os.WriteFile(block, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := jet.VerifyMember(store); err != nil || !strings.Contains(v.Problem, "missing") {
		t.Errorf("VerifyMember = %+v, %v, want damage", v, err)
	}
	add(3) // the others go on
	kept, err := jet.SetAside(store, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(kept, "msgs", "1.blk")); err != nil {
		t.Error(err)
	}
	c.nodes[2] = c.boot(t, c.config[2])
	await.Until(t, "all events on the third server again", func() bool { v, err := sound(); return err == nil && v.Events == events+3 })
	c.stop(0) // the third server is needed now
	add(2)
	list, err := l.Read(t.Context(), stream)
	if err != nil || len(list) != events+5 {
		t.Errorf("%d events, %v, want %d", len(list), err, events+5)
	}
}
