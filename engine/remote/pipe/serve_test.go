package pipe

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote"
	"quintet/game"
	"quintet/lab/await"
)

// TestRequests lists requests and the beginnings of the answers of the engine process, and
// the error with which it ends.
func TestRequests(t *testing.T) {
	const search = `{"do":"search","session":1,"search":2,"build":"b"`
	const job = `,"engine":{"game":"loa"},"job":{"position":"x"}}`
	for _, test := range []struct{ in, out, err string }{
		{`{"do":"release"}`, "", ""},
		{"oh", "", "reading a message"},
		{search + `}`, "", "without a position"},
		{search + `,"engine":{"game":"go"},"job":{}}`, `{"session":1,"search":2,"error":"game \"go\": `, ""},
		{search + job, `{"session":1,"search":2,"error":"reading a position to search: `, ""},
		{strings.Replace(search, `"b"`, `"c"`, 1) + job, `{"session":1,"search":2,"error":"the search is for build \"c\", but this is build \"b\"`, ""},
		{search + job + "\n" + `{"do":"think","session":1,"search":2}`, "", `a request to "think"`},
		{search + job + strings.Repeat("\n"+`{"do":"resume","session":1,"search":2}`, 2), "", "not parked"},
		{`{"do":"release","session":1}` + "\n" + `{"do":"resume","session":1,"search":2}`, "", ""},
	} {
		in, requests := io.Pipe()
		answers, out := io.Pipe()
		ended := make(chan error, 1)
		c := remote.Server{Build: "b", Open: func(name []byte) (engine.Searcher, game.Game, error) { return bots.OpenSearch(name, nil) }}
		go func() { ended <- Serve(t.Context(), in, out, c); _ = out.Close() }()
		go func() { _, _ = io.WriteString(requests, test.in+"\n") }()
		lines := bufio.NewScanner(answers)
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
