package judge_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"quintet/judge"
	"quintet/judge/run"
)

func verdictOn(t *testing.T, game string, size int, p run.Program, profile judge.Profile) judge.Verdict {
	t.Helper()
	v, err := judge.Judge(t.Context(), game, &p, judge.Options{Size: size, Seed: 1, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestStudents checks that right programs are accepted, on other boards, too.
func TestStudents(t *testing.T) {
	for _, test := range []struct {
		game string
		size int
	}{{"neighbors", 0}, {"othello", 0}, {"othello", 6}, {"loa", 0}, {"connect6", 0}, {"connect6", 6}, {"chess", 0}} {
		p := compileAll(t, test.game, test.size, []change{{}})[0]
		if v := verdictOn(t, test.game, test.size, p, nil); !v.OK() {
			t.Errorf("%s %d: %s\n%s", test.game, test.size, v.Message, v.Talk)
		}
	}
}

// spent returns the processor time of this process and of those it has waited for.
func spent() (t time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if syscall.Getrusage(who, &r) == nil {
			t += time.Duration(r.Utime.Nano() + r.Stime.Nano())
		}
	}
	return t
}

// TestWrong changes programs, and checks that the judge says so in words that a student
// understands. It takes one change in six, one in eighteen under the race detector, and
// all with QUINTET_MUTANTS=all.
func TestWrong(t *testing.T) {
	step := 6
	switch {
	case os.Getenv("QUINTET_MUTANTS") != "":
		step = 1
	case raced:
		step = 18
	}
	for game, list := range wrongs {
		var some []wrong
		var changes []change
		for i := 0; i < len(list); i += step {
			some = append(some, list[i])
			changes = append(changes, list[i].change)
		}
		size := 0
		if game == "connect6" {
			size = 7
		}
		dearest := ""
		most := time.Duration(0)
		for i, p := range compileAll(t, game, size, changes) {
			before := spent()
			w, v := some[i], verdictOn(t, game, size, p, exact())
			if took := spent() - before; took > most {
				most, dearest = took, fmt.Sprintf("%d runs, %s", v.Runs, v.Rule)
			}
			if v.Verdict != w.verdict || !strings.Contains(v.Rule, w.rule) {
				t.Errorf("%s, %s: want %s, %s; is %s: %s\n%s", game, w.from, w.verdict, w.rule, v.Verdict, v.Message, v.Talk)
			}
		}
		t.Logf("%s: %d changes, the dearest verdict took %v of processor time: %s", game, len(some), most, dearest)
	}
}

// TestFive checks for five distinct messages about five programs that differ from a right
// one in a byte or two.
func TestFive(t *testing.T) {
	list := []wrong{
		{change{`"Round " << round++ << ":"`, `"Round " << round++ << ": "`}, judge.Whitespace, "prints a trailing blank at the end of a line"},
		{change{`wins!" << endl`, `wins!"`}, judge.Whitespace, "prints no line end after the"},
		{change{"<< endl", `<< "\r\n"`}, judge.Whitespace, `ends lines with \r\n instead of \n`},
		{change{`"'s turn: "`, `"'s move: "`}, judge.WrongOutput, "prints a wrong prompt: Player·X's·move:· instead of Player·X's·turn:·"},
		{change{`"'s turn: "`, `"'s turn:"`}, judge.Whitespace, "prints no blank after the colon of the prompt"},
	}
	var changes []change
	for _, w := range list {
		changes = append(changes, w.change)
	}
	seen := map[string]bool{}
	for i, p := range compileAll(t, "othello", 4, changes) {
		v := verdictOn(t, "othello", 4, p, judge.Strict("othello"))
		if v.Verdict != list[i].verdict || !strings.Contains(v.Rule, list[i].rule) || seen[v.Message] {
			t.Errorf("%s: %s: %s, want %s: %s", list[i].to, v.Verdict, v.Rule, list[i].verdict, list[i].rule)
		}
		seen[v.Message] = true
	}
}
