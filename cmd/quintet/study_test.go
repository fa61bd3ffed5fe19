package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// killable is a server in a process of its own.
type killable struct {
	t   *testing.T
	cmd *exec.Cmd
	url string
}

// serveKillable starts a server on a folder and waits until it says its address.
func serveKillable(t *testing.T, data string) *killable {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "serve", "--data", data, "--addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k := &killable{t: t, cmd: cmd}
	t.Cleanup(k.kill)
	lines, seen := bufio.NewScanner(said), ""
	for lines.Scan() {
		seen += lines.Text() + "\n"
		if at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(lines.Text()); at != "" {
			k.url = at
			go func() { _, _ = io.Copy(io.Discard, said) }() // it ends with the process
			return k
		}
	}
	t.Fatalf("the server says no address: %s", seen)
	return nil
}

// kill ends the process at once, like kill -9.
func (k *killable) kill() {
	_ = k.cmd.Process.Kill() // it may have been killed before
	_ = k.cmd.Wait()
}

// ask sends a request and returns the JSON of the answer.
func (k *killable) ask(method, path, key, body string) (v map[string]any) {
	k.t.Helper()
	r, err := http.NewRequestWithContext(k.t.Context(), method, k.url+path, strings.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	data, err := io.ReadAll(got.Body)
	if err != nil || got.StatusCode >= 300 || json.Unmarshal(data, &v) != nil {
		k.t.Fatalf("%s %s: %d %s, %v", method, path, got.StatusCode, data, err)
	}
	return v
}

// TestStudyKilled kills a server right after it has acknowledged an edit of a study, again
// and again. Each time the next server has every node, also when it must rebuild its index.
func TestStudyKilled(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := serveKillable(t, data)
	made := s.ask(http.MethodPost, "/api/studies", "", `{"game":"connect6","title":"kept"}`)
	path, key := "/api/studies/"+made["id"].(string), made["key"].(string)
	n := 0
	for kills := range 3 {
		for range 3 {
			s.ask(http.MethodPost, path+"/edits", key, fmt.Sprintf(
				`{"after":%d,"edits":[{"do":"add","id":"n%d","parent":"root","move":"A%d"},{"do":"comment","id":"n%d","text":"%d"}]}`, n, n, n, n, n))
			n++
		}
		before := nodes(t, s, path, key)
		s.kill()
		if kills == 1 {
			if err := os.Truncate(filepath.Join(data, "list.sqlite"), 10); err != nil {
				t.Fatal(err)
			}
		}
		s = serveKillable(t, data)
		if after := nodes(t, s, path, key); !bytes.Equal(before, after) {
			t.Errorf("after the kill with %d edits:\n%s, want\n%s", n, after, before)
		}
	}
}

// nodes returns the nodes of a study.
func nodes(t *testing.T, s *killable, path, key string) []byte {
	t.Helper()
	v := s.ask(http.MethodGet, path, key, "")
	data, err := json.Marshal([]any{v["n"], v["title"], v["nodes"]})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
