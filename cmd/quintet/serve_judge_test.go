package main

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"quintet/examples"
	"quintet/judge"
	"quintet/judge/run"
	"quintet/people/class"
	"quintet/serve/classes"
)

// TestServerJudge judges a zip archive as the server does: in a sandbox, with the compiler.
func TestServerJudge(t *testing.T) {
	if _, err := run.FindSandbox(t.Context(), ""); err != nil {
		t.Skip(err)
	}
	f := classesFlags{judge: true, sandbox: "none"}
	if _, err := f.judgeFunc(t.Context()); err == nil {
		t.Error("a server judges without a sandbox")
	}
	f.sandbox = ""
	judges, err := f.judgeFunc(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	file, err := z.Create("work/loa.cpp")
	if err == nil {
		_, err = file.Write([]byte("int main() { return missing; }\n"))
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	v, err := judges.Judge(t.Context(), classes.Work{Assignment: class.Assignment{Game: "loa", Points: 50}, Files: []classes.File{{Name: "a.zip", Data: out.Bytes()}}})
	if err != nil || v.Verdict != judge.CompileError || v.Of != 50 {
		t.Errorf("%+v, %v, want a compile error of 50 points", v, err)
	}
	if v, err := judges.Judge(t.Context(), classes.Work{Assignment: class.Assignment{Game: "loa", Points: 50}, Files: []classes.File{{Name: "a.h", Text: "x"}}}); err != nil || v.OK() {
		t.Errorf("a header alone: %+v, %v, want a verdict", v, err)
	}
}

// TestServerLeague plays a match as the server does: programs are compiled once, and faults lose.
func TestServerLeague(t *testing.T) {
	f := classesFlags{judge: true}
	judges, err := f.judgeFunc(t.Context())
	if err != nil {
		t.Skip(err)
	}
	defer f.close()
	a := class.Assignment{Game: "othello", Size: 4, Points: 50, League: &class.League{Level: 1}}
	if err := a.League.Complete(); err != nil {
		t.Fatal(err)
	}
	program := func(name, old, new string) []classes.File {
		data, err := examples.League.ReadFile("league/" + name)
		if err != nil || !strings.Contains(string(data), old) {
			t.Fatal("the template has changed", err)
		}
		return []classes.File{{Name: name, Text: strings.Replace(string(data), old, new, 1)}}
	}
	cpp, py := program("league.cpp", "mt19937 chance(1)", "mt19937 chance(2)"), program("league.py", "", "")
	for name, c := range map[string]struct {
		files []classes.File
		want  string
	}{
		"C++": {cpp, judge.Accepted}, "Python": {py, judge.Accepted}, "header": {[]classes.File{{Name: "a.h", Text: "x"}}, judge.CompileError},
		"broken":  {program("league.cpp", "return moves", "return mvoes"), judge.CompileError},
		"illegal": {program("league.py", "chance.choice(moves)", "'a1 a1'"), judge.WrongRule},
		"silent":  {[]classes.File{{Name: "a.py", Text: "pass"}}, judge.Crashed},
	} {
		v, err := judges.Judge(t.Context(), classes.Work{Assignment: a, Files: c.files})
		if err != nil || v.Verdict != c.want || v.Of != 50 || v.Points != 0 {
			t.Errorf("%s: %+v, %v, want %s", name, v, err, c.want)
		}
	}
	compiled := f.made.workers.Load()
	m := classes.Match{Assignment: a, Programs: [2]classes.Program{{Files: cpp}, {Level: 1}}, Number: 7}
	g, err := judges.Play(t.Context(), m)
	again, err2 := judges.Play(t.Context(), m)
	if err != nil || err2 != nil || g != again || g[0].End != "rules" || g[0].Moves == "" {
		t.Errorf("%+v and %+v, %v, %v, want the same match twice", g, again, err, err2)
	}
	if n := f.made.workers.Load(); n != compiled {
		t.Errorf("a compiled program is compiled again: %d and %d workers", compiled, n)
	}
}
