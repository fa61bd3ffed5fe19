package engineproc

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/lab/await"
)

// TestRequests lists requests and the beginnings of the answers of the engine process, and
// the error with which it ends.
func TestRequests(t *testing.T) {
	const search = `{"do":"search","session":1,"search":2`
	for _, test := range []struct{ in, out, err string }{
		{`{"do":"release"}`, "", ""},
		{"oh", "", "reading a message"},
		{search + `}`, "", "without a position"},
		{search + `,"job":{"game":"go"}}`, `{"search":2,"error":"game \"go\": expected`, ""},
		{search + `,"job":{"game":"loa","position":"x"}}`, `{"search":2,"error":"reading a position to search: `, ""},
		{search + `,"job":{"game":"go"}}` + "\n" + `{"do":"think","session":1,"search":2}`, "", `a request to "think"`},
		{search + `,"job":{"game":"go"}}` + strings.Repeat("\n"+`{"do":"resume","session":1,"search":2}`, 2), "", "not parked"},
		{`{"do":"release","session":1}` + "\n" + `{"do":"resume","session":1,"search":2}`, "", ""},
	} {
		in, requests := io.Pipe()
		answers, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- serve(t.Context(), in, out, "b", nil); _ = out.Close() }()
		go func() { _, _ = io.WriteString(requests, test.in+"\n") }()
		lines := bufio.NewScanner(answers)
		if !lines.Scan() || lines.Text() != `{"build":"b"}` {
			t.Errorf("%s: the first message is %q", test.in, lines.Text())
		}
		if test.out != "" && (!lines.Scan() || !strings.HasPrefix(lines.Text(), test.out)) {
			t.Errorf("%s: %q, want %q", test.in, lines.Text(), test.out)
		}
		if test.err == "" {
			_ = requests.Close()
		}
		for lines.Scan() { // answers that crossed the end
		}
		if err := await.Receive(t, "the end of the engine process", ended); test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: error %v, want %q", test.in, err, test.err)
		}
	}
}

// TestAlive checks that a search says that it runs, again and again.
func TestAlive(t *testing.T) {
	t.Parallel()
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	endless := func(game.Game, int) (engine.Searcher, error) { return faulty{mode: "endless"}, nil }
	ended := make(chan error, 1)
	go func() { ended <- serve(t.Context(), in, out, "b", endless); _ = out.Close() }()
	text, err := json.Marshal(request{Do: doSearch, Session: 1, Search: 2, Job: &job{Game: "loa", Position: start(t, gameOf(t, "loa")).String()}})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = requests.Write(append(text, '\n')) }() // it is read after the first message
	lines := bufio.NewScanner(answers)
	for i, want := range []string{`{"build":"b"}`, `{"search":2,"alive":true}`, `{"search":2,"alive":true}`} {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("message %d: %q, want %q", i, lines.Text(), want)
		}
	}
	_ = requests.Close()
	if err := await.Receive(t, "the end of the engine process", ended); err != nil {
		t.Error(err)
	}
}
