package judge_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"quintet/judge"
	"quintet/judge/suite"
)

// verdict judges a sample with some games, or with all of the suite (nil).
func (s sample) verdict(t *testing.T, games []suite.Game, profile judge.Profile) judge.Verdict {
	t.Helper()
	p := s.compile(t)
	v, err := judge.Judge(t.Context(), s.game, &p, judge.Options{Size: s.size, Seed: 1, Games: games, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// right are programs without a mistake.
var right = []sample{
	{game: "neighbors"}, {game: "othello"}, {game: "othello", size: 6}, {game: "loa"}, {game: "connect6"}, {game: "connect6", size: 6}, {game: "chess"},
}

// TestStudents checks that right programs are accepted, on other boards, too.
func TestStudents(t *testing.T) {
	for _, s := range right {
		if v := s.verdict(t, nil, nil); !v.OK() {
			t.Errorf("%s %d: %s\n%s", s.game, s.size, v.Message, v.Talk)
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

// wrongSizes maps a game to the size of the board on which its changed programs play, if it is not the program's own.
var wrongSizes = map[string]int{"connect6": 7}

// someWrongs returns one wrong change in six, or all with QUINTET_MUTANTS=all.
func someWrongs() map[string][]wrong {
	if os.Getenv("QUINTET_MUTANTS") != "" {
		return wrongs
	}
	some := map[string][]wrong{}
	for game, list := range wrongs {
		for i := 0; i < len(list); i += 6 {
			some[game] = append(some[game], list[i])
		}
	}
	return some
}

// TestWrong changes programs, and checks that the judge says so in words that a student understands.
func TestWrong(t *testing.T) {
	for game, some := range someWrongs() {
		dearest := ""
		most := time.Duration(0)
		for _, w := range some {
			before := spent()
			v := sample{game, wrongSizes[game], w.change}.verdict(t, nil, exact())
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

// slips are changes of a byte or two in Othello, on a board of size slipSize.
var slips = []wrong{
	{change{`"Round " << round++ << ":"`, `"Round " << round++ << ": "`}, judge.Whitespace, "prints a trailing blank at the end of a line"},
	{change{`wins!" << endl`, `wins!"`}, judge.Whitespace, "prints no line end after the"},
	{change{"<< endl", `<< "\r\n"`}, judge.Whitespace, `ends lines with \r\n instead of \n`},
	{change{`"'s turn: "`, `"'s move: "`}, judge.WrongOutput, "prints a wrong prompt: Player·X's·move:· instead of Player·X's·turn:·"},
	{change{`"'s turn: "`, `"'s turn:"`}, judge.Whitespace, "prints no blank after the colon of the prompt"},
}

const slipSize = 4

// TestSlips checks for five distinct messages.
func TestSlips(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range slips {
		v := sample{"othello", slipSize, w.change}.verdict(t, nil, judge.Strict("othello"))
		if v.Verdict != w.verdict || !strings.Contains(v.Rule, w.rule) || seen[v.Message] {
			t.Errorf("%s: %s: %s, want %s: %s", w.to, v.Verdict, v.Rule, w.verdict, w.rule)
		}
		seen[v.Message] = true
	}
}
