package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/live"
	"quintet/live/index"
	"quintet/live/jet"
)

// TestVerifyRepair verifies a log, damages it, and repairs it with a backup: first as a dry run, then with --yes.
func TestVerifyRepair(t *testing.T) {
	data, copied := t.TempDir(), filepath.Join(t.TempDir(), "games.ndjson")
	l, err := jet.Open(t.Context(), filepath.Join(data, "log"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := live.OpenTable("abcdefgh2345", live.Settings{Game: "othello"}, "", live.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.Encode()
	if err == nil {
		_, err = l.Append(t.Context(), "abcdefgh2345", 0, text)
	}
	if err != nil || l.Close() != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.Context(), filepath.Join(data, indexName), 1, slog.New(slog.DiscardHandler))
	if err == nil {
		err = x.Apply(t.Context(), []live.Entry{{Stream: "abcdefgh2345", Seq: 1, Data: text}})
	}
	if err != nil || x.Close() != nil {
		t.Fatal(err)
	}
	run := func(status int, want string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		if got := execute(t.Context(), args, strings.NewReader(""), &out, &out); got != status || !strings.Contains(out.String(), want) {
			t.Errorf("%q: status %d, %q, want %d and %q", args, got, out.String(), status, want)
		}
	}
	run(0, "1 events", "backup", "--data", data, copied)
	run(0, ": 1 events\n", "verify", copied)
	run(0, "1 games, of which 1 were compared with the log", "verify", "--data", data)
	run(0, "no event is lost", "repair", "--data", data)
	block := filepath.Join(data, "log", "jetstream", "$G", "streams", "QUINTET", "msgs", "1.blk")
	list := filepath.Join(data, indexName)
	kept, err := os.ReadFile(list)
	if err != nil || os.WriteFile(list, bytes.Replace(kept, []byte("othello"), []byte("chess  "), 1), 0o600) != nil {
		t.Fatal(err)
	}
	run(1, "abcdefgh2345: the list of games does not show it as the log has it", "verify", "--data", data)
	if err := os.WriteFile(list, kept[:len(kept)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	run(1, "the list of games is damaged", "verify", "--data", data)
	file, err := os.ReadFile(block)
	if err == nil {
		err = os.WriteFile(block, bytes.Replace(file, []byte("othello"), []byte("Othello"), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	run(1, "0 intact events; 1 are missing", "verify", "--data", data)
	run(1, `"lost":1`, "verify", "--data", data, "--json")
	run(0, "0 events kept, 1 restored, 0 lost\nnothing was changed", "repair", "--data", data, "--backup", copied)
	run(1, "1 games, studies, reviews or accounts are damaged", "verify", "--data", data)
	run(0, "1 restored", "repair", "--data", data, "--backup", copied, "--yes")
	run(0, ": 1 events, 0 MB", "verify", "--data", data)

	member := filepath.Join(data, "log") // one of a cluster is laid out alike
	run(0, ": 1 events, 0 MB", "verify", "--member", member)
	run(1, "has no copy of the log", "verify", "--member", data)
	if err := os.WriteFile(block, append(file[:40:40], file...), 0o600); err != nil { // bytes that JetStream skips
		t.Fatal(err)
	}
	run(1, "bytes of the blocks are damaged", "verify", "--member", member)
}
