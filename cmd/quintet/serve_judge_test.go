package main

import (
	"archive/zip"
	"bytes"
	"testing"

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
	v, err := judges(t.Context(), classes.Work{Assignment: class.Assignment{Game: "loa", Points: 50}, Files: []classes.File{{Name: "a.zip", Data: out.Bytes()}}})
	if err != nil || v.Verdict != judge.CompileError || v.Of != 50 {
		t.Errorf("%+v, %v, want a compile error of 50 points", v, err)
	}
	if v, err := judges(t.Context(), classes.Work{Assignment: class.Assignment{Game: "loa", Points: 50}, Files: []classes.File{{Name: "a.h", Text: "x"}}}); err != nil || v.OK() {
		t.Errorf("a header alone: %+v, %v, want a verdict", v, err)
	}
}
