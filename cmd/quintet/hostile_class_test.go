//go:build linux

package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"quintet/examples"
	"quintet/judge"
	"quintet/lab/await"
	"quintet/lab/hostile"
	"quintet/people/class"
	"quintet/serve/classes"
)

// attacker is a program for a league that runs scripts before its first move. It plays on if all of them print what they
// should, and otherwise says which do not.
const attacker = `
import subprocess, sys
def attack():
    for name, script, want in scripts:
        got = subprocess.run(["/bin/sh", "-c", script], input="1\n", text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        if got != want and want is not None:
            yield "%s: %r" % (name, got)
failed = None
for line in sys.stdin:
    words = line.split()
    if words[0] == "go":
        if failed is None:
            failed = "; ".join(attack())
        print("bestmove", failed or words[words.index("searchmoves") + 1])
    print({"ugi": "ugiok", "isready": "readyok"}.get(words[0], ""), flush=True)
`

// attackerMain does the same with what hostile.Source can do. Then it takes all that it can get.
const attackerMain = `
#include <iostream>
#include <sstream>
static std::string run(const char *name) {
	int fds[2];
	char text[4096];
	std::string all;
	if (pipe(fds) < 0) return "no pipe";
	pid_t child = fork();
	if (child == 0) {
		dup2(fds[1], 1);
		char *args[] = {nullptr, (char *)name};
		attack(2, args);
		_exit(0);
	}
	close(fds[1]);
	for (ssize_t n; (n = read(fds[0], text, sizeof text)) > 0;) all.append(text, n);
	close(fds[0]);
	waitpid(child, nullptr, 0);
	return all;
}
int main() {
	std::string line, word, failed;
	bool done = false;
	while (std::getline(std::cin, line)) {
		std::istringstream words(line);
		words >> word;
		if (word == "ugi") std::cout << "ugiok" << std::endl;
		if (word == "isready") std::cout << "readyok" << std::endl;
		if (word != "go") continue;
		for (const char *name : {"calls", "sockets", "mappings"})
			if (!done && (word = run(name)) != "done\n") failed += std::string(name) + ": " + word;
		for (const char *name : {"unlinked", "buffers", "tables"})
			if (!done && failed == "") run(name);
		done = true;
		while (words >> word && word != "searchmoves") {}
		words >> word;
		std::cout << "bestmove " << (failed == "" ? word : failed) << std::endl;
	}
}
`

// upload is a submission of a hostile class.
type upload struct {
	name string
	file classes.File
	time int    // processor time of a move, in milliseconds
	want string // verdict; "" for any but a wrong move, with which a program reports what it could do
}

// scripts returns a submission that runs scripts, which print what they should.
func scripts(name string, list ...hostile.Program) upload {
	var rows [][]string
	for _, p := range list {
		rows = append(rows, []string{p.Name, p.Script, p.Want})
	}
	text, _ := json.Marshal(rows) // which Python reads, too
	return upload{name, classes.File{Name: "main.py", Text: "scripts = " + string(text) + attacker}, class.MaxTime, judge.Accepted}
}

// script returns a submission that becomes a script instead of moving.
func script(p hostile.Program) upload {
	text, _ := json.Marshal(p.Script)
	from, to := `failed = "; ".join(attack())`, `__import__("os").execv("/bin/sh", ["sh", "-c", `+string(text)+`])`
	return upload{p.Name, classes.File{Name: "main.py", Text: strings.Replace(attacker, from, to, 1)}, 10, ""}
}

// source returns a submission that does in C++ what a shell cannot. It is stopped when it takes too much.
func source() upload {
	text := strings.Replace(hostile.Source, "int main(int, char **args)", "int attack(int, char **args)", 1) + attackerMain
	return upload{"source", classes.File{Name: "main.cpp", Text: text}, 1000, ""}
}

// uploads returns all hostile programs as submissions.
func uploads(t *testing.T, s hostile.Secrets) (list []upload) {
	t.Helper()
	modes := map[string]bool{}
	mode := func(p hostile.Program) bool {
		name, ok := strings.CutPrefix(p.Script, "/judge/program ")
		if ok {
			modes[name] = true
		}
		return ok
	}
	var together []hostile.Program
	for _, p := range hostile.Curious(s) {
		switch {
		case mode(p):
		case strings.Contains(p.Script, "$PPID"): // it would end the others
			list = append(list, script(p))
		default:
			together = append(together, p)
		}
	}
	for _, p := range hostile.Greedy() {
		if !mode(p) {
			list = append(list, script(p))
		}
	}
	for mode := range modes {
		if !strings.Contains(attackerMain, strconv.Quote(mode)) {
			t.Errorf("no submission does %q", mode)
		}
	}
	return append(list, scripts("scripts", together...), source())
}

// TestHostileClass hands in the hostile programs as a class does, beside an honest one. Nothing outside the sandbox is
// read or kept, and the honest program is judged as if it were alone. The sandbox has tests of its own: see
// TestHostilePrograms.
func TestHostileClass(t *testing.T) {
	temporary := t.TempDir()
	if err := os.Chmod(filepath.Dir(temporary), 0o755); err != nil { // for the users of sandboxes
		t.Fatal(err)
	}
	s := hostile.Secrets{File: filepath.Join(t.TempDir(), "secret")}
	victim := exec.CommandContext(t.Context(), "sleep", "1000")
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil || os.WriteFile(s.File, []byte("the answers"), 0o600) != nil || victim.Start() != nil {
		t.Fatal("no secrets", err)
	}
	defer listener.Close()
	s.Port, s.Victim = listener.Addr().(*net.TCPAddr).Port, victim.Process.Pid
	t.Setenv("TMPDIR", temporary)
	f := classesFlags{judge: true}
	judges, err := f.judgeFunc(t.Context())
	if err != nil {
		t.Skip(err)
	}
	honest, err := examples.League.ReadFile("league/league.py")
	if err != nil {
		t.Fatal(err)
	}
	list := append(uploads(t, s), upload{"honest", classes.File{Name: "main.py", Text: string(honest)}, class.MaxTime, judge.Accepted})
	var wait sync.WaitGroup
	for _, u := range list {
		wait.Go(func() {
			a := class.Assignment{Game: "othello", Size: 4, Points: 50, League: &class.League{Level: 1, Nodes: 100, Time: u.time}}
			v, err := judges.Judge(t.Context(), classes.Work{Assignment: a, Files: []classes.File{u.file}})
			wrong := v.Verdict == judge.WrongRule || u.want != "" && v.Verdict != u.want
			if err != nil || wrong || strings.Contains(v.Message, "the answers") {
				t.Errorf("%s: %+v, %v, want %q", u.name, v, err, u.want)
			}
		})
	}
	wait.Wait()
	await.Until(t, "the end of the processes that were left behind", func() bool { return !hostile.Running() })
	if text, err := os.ReadFile(s.File); err != nil || string(text) != "the answers" {
		t.Errorf("%q, %v, want the file as it was", text, err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Errorf("the process of somebody else has ended: %v", err)
	}
	_ = victim.Wait()
	f.close()
	kept, err := os.ReadDir(temporary)
	if err != nil || len(kept) > 0 {
		t.Errorf("%v, %v is kept", kept, err)
	}
}
