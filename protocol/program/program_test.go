package program_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/engine"
	"quintet/protocol/program"
)

func start(t *testing.T, command string) *program.Program {
	t.Helper()
	p, err := program.Start(context.Background(), program.Spec{Command: command, Dir: "testdata"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAsk(t *testing.T) {
	p := start(t, "cat") // echoes its input
	line, err := p.Request(context.Background(), "word and more", "word", time.Minute)
	if line != "word and more" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	if _, err := p.Request(context.Background(), "word", "other", time.Millisecond); !errors.Is(err, program.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no answer: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Request(ctx, "", "other", time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := p.Close("quit"); err != nil {
		t.Error(err)
	}
	if err := p.Send("more"); !errors.Is(err, program.ErrEnded) {
		t.Errorf("closed: %v", err)
	}
}

// TestEnds tells how programs end.
func TestEnds(t *testing.T) {
	for _, test := range []struct{ command, err string }{
		{"true", "the program has ended (exit status 0)"},
		{"sh fails.sh", `the program has ended (exit status 3), its last error output: "out of ideas"`},
	} {
		p := start(t, test.command)
		if _, err := p.ReadLine(context.Background(), time.Minute); err == nil || err.Error() != test.err {
			t.Errorf("%s: %v, want %s", test.command, err, test.err)
		}
		if err := p.Close("quit"); err != nil {
			t.Error(err)
		}
	}
}

// TestStubborn closes a program that does not end, and a child of it that keeps
// its output.
func TestStubborn(t *testing.T) {
	p := start(t, "sh stubborn.sh")
	if _, err := p.ReadLine(context.Background(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := p.Close("quit"); err != nil {
		t.Error(err)
	}
	if p.CPU() <= 0 {
		t.Error("no processor time is used")
	}
}

// TestLongOutput closes a program that talks without end.
func TestLongOutput(t *testing.T) {
	p := start(t, "yes")
	if err := p.Close("quit"); err != nil {
		t.Error(err)
	}
}

func TestStartErrors(t *testing.T) {
	for _, test := range []struct {
		spec program.Spec
		want string
	}{
		{program.Spec{Command: " "}, "no command: give one, such as ./engine --option"},
		{program.Spec{Command: "no-such-program x"}, `starting "no-such-program x": `},
		{program.Spec{Command: "cat", Dir: "no-such-folder"}, `starting "cat": `},
	} {
		if _, err := program.Start(context.Background(), test.spec); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %s", test.spec, err, test.want)
		}
	}
}

func TestParsePlayer(t *testing.T) {
	for _, test := range []struct {
		text, protocol string
		want           program.Spec
		err            string
	}{
		{text: "engine"},
		{text: "ugi"},
		{text: "ugix:cat"},
		{text: "ugi:./engine --level 3", protocol: "ugi", want: program.Spec{Command: "./engine --level 3"}},
		{text: "uci[]: cat ", protocol: "uci", want: program.Spec{Command: "cat"}},
		{
			text: "uci[UCI_Variant=our,Clear Hash=x=y,dir=/opt/a b]:./c", protocol: "uci",
			want: program.Spec{Command: "./c", Dir: "/opt/a b", Options: []program.Option{{Name: "UCI_Variant", Value: "our"}, {Name: "Clear Hash", Value: "x=y"}}},
		},
		{text: "ugi:", err: `"ugi:": write a command after the colon`},
		{text: "uci[a=b:cat", err: `"uci[a=b:cat": write uci[NAME=VALUE,...]:COMMAND`},
		{text: "uci[a]:cat", err: `option "a": write NAME=VALUE`},
		{text: "uci[a=]:cat", err: `option "a=": write NAME=VALUE`},
		{text: "uci[=b]:cat", err: `option "=b": write NAME=VALUE`},
		{text: "uci[a=b\nquit]:cat", err: `option "a=b\nquit": write NAME=VALUE`},
	} {
		protocol, spec, ok, err := program.ParsePlayer(test.text, []string{"ugi", "uci"})
		switch {
		case test.err != "":
			if err == nil || err.Error() != test.err || !ok {
				t.Errorf("%q: %v, want %s", test.text, err, test.err)
			}
		case err != nil || ok != (test.protocol != "") || protocol != test.protocol || !cmp.Equal(spec, test.want):
			t.Errorf("%q: %s, %+v, %t, %v", test.text, protocol, spec, ok, err)
		}
	}
}

func FuzzParsePlayer(f *testing.F) {
	for _, s := range []string{"ugi:cat", "uci[a=b,dir=c]:cat", "uci[", "uci[]:", "ugi[a=]]:x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, spec, ok, err := program.ParsePlayer(text, []string{"ugi", "uci"})
		if ok && err == nil && strings.TrimSpace(spec.Command) == "" {
			t.Errorf("%q: no command", text)
		}
		for _, o := range spec.Options {
			if err == nil && (o.Name == "" || o.Value == "" || strings.ContainsAny(o.Name+o.Value, "\r\n")) {
				t.Errorf("%q: option %q", text, o)
			}
		}
	})
}

func TestWait(t *testing.T) {
	for _, test := range []struct {
		limit engine.Limit
		want  time.Duration
	}{
		{engine.Limit{Time: time.Second}, 3 * time.Second},
		{engine.Limit{Clock: engine.Clock{Left: time.Minute}}, 62 * time.Second},
		{engine.Limit{Depth: 3}, time.Hour},
	} {
		if got := program.MoveTimeout(test.limit); got != test.want {
			t.Errorf("%+v: %v, want %v", test.limit, got, test.want)
		}
	}
}
