package judge

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
)

// features are what console programs get points for, by game, with the default points.
var features = map[string][]marks.Feature{
	"neighbors": {
		{Name: "set-up", Of: 10}, {Name: "turns", Of: 11}, {Name: "distance", Of: 11}, {Name: "moves", Of: 10}, {Name: "board", Of: 10},
		{Name: "passes", Of: 10}, {Name: "result", Of: 11}, {Name: "robustness", Of: 11}, {Name: "texts", Of: 10}, {Name: "layout", Of: 6},
	},
	"othello": {
		{Name: "set-up", Of: 9}, {Name: "pits", Of: 10}, {Name: "turns", Of: 9}, {Name: "moves", Of: 10}, {Name: "board", Of: 10}, {Name: "passes", Of: 9},
		{Name: "result", Of: 10}, {Name: "robustness", Of: 9}, {Name: "sizes", Of: 9}, {Name: "texts", Of: 9}, {Name: "layout", Of: 6},
	},
	"loa": {
		{Name: "set-up", Of: 12}, {Name: "turns", Of: 12}, {Name: "distance", Of: 12}, {Name: "moves", Of: 12}, {Name: "board", Of: 11},
		{Name: "result", Of: 12}, {Name: "robustness", Of: 12}, {Name: "texts", Of: 11}, {Name: "layout", Of: 6},
	},
	"connect6": {
		{Name: "set-up", Of: 11}, {Name: "turns", Of: 12}, {Name: "moves", Of: 12}, {Name: "board", Of: 12}, {Name: "result", Of: 12},
		{Name: "robustness", Of: 12}, {Name: "sizes", Of: 11}, {Name: "texts", Of: 12}, {Name: "layout", Of: 6},
	},
	"chess": {
		{Name: "set-up", Of: 10}, {Name: "turns", Of: 11}, {Name: "pieces", Of: 11}, {Name: "moves", Of: 10}, {Name: "board", Of: 10}, {Name: "result", Of: 11},
		{Name: "machine", Of: 10}, {Name: "robustness", Of: 11}, {Name: "texts", Of: 10}, {Name: "layout", Of: 6},
	},
}

// Features lists the names of what programs for a game get points for.
func Features(name string) (list []string) {
	for _, f := range features[name] {
		list = append(list, f.Name)
	}
	return list
}

// DefaultRubric returns the default points for a game's features, 100 in all.
func DefaultRubric(name string) marks.Rubric {
	r := marks.Rubric{}
	for _, f := range features[name] {
		r[f.Name] = f.Of
	}
	return r
}

func (o Options) rubric(name string) marks.Rubric {
	if o.Rubric == nil {
		return DefaultRubric(name)
	}
	return o.Rubric
}

// unended is the reason of checks that a game comes to a regular end.
const unended = "does not end"

// maxSlow limits the games that end only at a limit of time, output or memory.
const maxSlow = 2

// finish plays the rest of the games, which only the points need.
func (j *judgement) finish(ctx context.Context) {
	left := maxSlow
	if j.options.hung {
		left = 1
	}
	for _, g := range j.games[min(len(j.played), len(j.games)):] {
		if len(j.played) > 0 && j.played[len(j.played)-1].unended() {
			left--
		}
		if left == 0 || ctx.Err() != nil {
			return
		}
		j.played = append(j.played, j.run(ctx, played{lines: g.Lines}))
	}
}

// hangs reports whether a game ended only at a limit of time or memory, and unended whether at that of output, too.
func (p played) hangs() bool { return p.out.Ending == run.TimedOut || p.out.OutOfMemory }

func (p played) unended() bool {
	return p.hangs() || p.out.Ending == run.OutputExceeded && !p.out.EOF
}

func typedText(lines []string) (text string) {
	for _, line := range lines {
		text += line + "\n"
	}
	return text
}

// examine examines games. Those in which machines move come last.
func (j *judgement) examine(s *scorer, games []played) {
	right := j.variant.Program
	for _, p := range games {
		if right.Machines(p.lines) {
			stopped := p.out.Ending == run.Waiting || p.out.EOF || stoppedInLongGame(p.out) || strings.HasSuffix(strings.TrimSpace(p.out.Output), "!")
			s.add("machine", marks.Case{}, j.fits(right, p) || stopped && s.MachinePlays(p.lines, j.heard(right, p).Output), p.lines)
			continue
		}
		if !oneEach(p.want) {
			continue
		}
		if !p.adapted {
			s.dueIn(p.want)
		}
		for _, o := range s.Examine(p.meant(), j.heard(right, p).Output) {
			s.hear(check{o, p.lines[:o.Turn]})
		}
		ended := p.out.Ending == run.Exited || p.out.Ending == run.Waiting || p.out.EOF
		s.add("robustness", marks.Case{Answer: "refuses", Reason: unended, Weight: 2}, ended, p.lines)
	}
}

// dueIn records which features of unshown a right game shows.
func (s *scorer) dueIn(c dialogue.Conversation) {
	s.due["result"] = s.due["result"] || c.Over
	s.due["passes"] = s.due["passes"] || c.Shows(dialogue.PassText)
}

// points returns the points for the games that were played.
func (j *judgement) points() []marks.Feature {
	right := j.variant.Program
	list := j.score.features(right.Game, j.options.rubric(right.Game), j.options.Other != nil)
	if i := slices.IndexFunc(list, func(f marks.Feature) bool { return f.Name == "sizes" }); i >= 0 {
		points, of := marks.Sum(agreeing(slices.Concat(list[:i], list[i+1:]), len(j.findings) == 0))
		list[i] = j.sizes(list[i], points/max(of, 1))
	}
	return list
}

// oneEach reports whether every line is one answer.
func oneEach(c dialogue.Conversation) bool {
	return !slices.ContainsFunc(c.Turns[1:], func(t dialogue.Turn) bool { return t.Answers != 1 })
}

// prompt returns how the program asks for a move: the end of the output of a game in which it
// waits for one.
func (j *judgement) prompt() string {
	for _, p := range j.played {
		want := j.variant.Program.Play(p.lines, "")
		last := want.Turns[len(want.Turns)-1].Pieces
		if want.Over || len(last) == 0 || !strings.HasSuffix(last[len(last)-1].Text, promptEnd(j.variant.Program)) || p.out.Ending != run.Waiting {
			continue
		}
		text := strings.TrimRight(p.out.Output, " \n")
		return text[strings.LastIndexByte(text, '\n')+1:]
	}
	return ""
}

// promptEnd returns the prompt for a move after the name of the player.
func promptEnd(p dialogue.Program) string {
	_, end, _ := strings.Cut(p.Words.Prompt, "%s")
	return end
}

// features returns the points. A program that never carries out a move gets none: it does no
// more than one with empty functions.
func (s *scorer) features(game string, rubric marks.Rubric, sizes bool) (list []marks.Feature) {
	tested := 0.0
	for _, f := range features[game] {
		f.Of = rubric[f.Name]
		if t := s.tallies[f.Name]; t != nil {
			f.Right, f.Checks = t.Right, t.Checks
		}
		f.Why, f.Input = s.failed[f.Name].Why, s.failed[f.Name].Input
		if sizes || f.Name != "sizes" {
			list = append(list, f)
			tested += f.Of
		}
	}
	all := 0.0
	for _, points := range rubric {
		all += points
	}
	responds := s.tallies["responds"] != nil
	for i, f := range list {
		f.Of *= all / max(tested, 1e-9) // features that cannot be tested leave theirs to the others
		if t := s.tallies[f.Name]; responds && t != nil {
			f.Points = f.Of * credit(t.Share(), t.Works() && (t.Right == t.Checks || s.Concluded(f.Name) == "" && s.blamed[f.Name].Name == ""))
			if shared := s.failed[f.Name+sharedKey]; f.Why == "" && f.Points < f.Of {
				f.Why, f.Input = shared.Why, shared.Input
			}
			if text, ok := unshown[f.Name]; ok && s.due[f.Name] && !t.Has(text.answer) {
				f.Points /= 2
				f.Why = cmp.Or(f.Why, text.why)
			}
		}
		list[i] = f
	}
	return list
}

// unshown has, for some features, the answer that proves them, and the reason for losing half of their
// points. A program whose other mistakes keep it from ever giving that answer earns the other half.
var unshown = map[string]struct{ answer, why string }{
	"passes": {"passes", "never reaches a pass"},
	"result": {"ends", "never reaches the end of a game"},
}

// credit returns the part of a feature's points that a share of right checks earns: a tenth in proportion, and,
// if the feature works, a rest that falls linearly to none at a share of nine tenths. So a mistake costs about the same in every
// feature, and more features that work are more points.
func credit(share float64, works bool) float64 {
	const slope = 10
	whole := 0.0
	if works {
		whole = max(0, 1-slope*(1-share))
	}
	return math.Round(1e4*(share/10+whole*9/10)) / 1e4
}

// why says what a program did wrong in a check.
func why(feature string, c marks.Case) string {
	switch {
	case c.Reason == unended:
		return "crashes, or does not stop"
	case c.Answer == "refuses" && c.Reason != "":
		return "accepts an answer that " + c.Reason
	case c.Answer == "refuses":
		return "accepts a move of a wrong length"
	case c.Answer == "accepts":
		return "refuses a valid answer"
	case c.Answer == "reads":
		return "refuses small letters"
	case c.Answer == "reads cells":
		return c.Reason
	}
	switch feature {
	case "set-up":
		return "starts with another board"
	case "turns":
		return "asks the wrong player"
	case "board":
		return "shows a wrong board after a move"
	case "passes":
		return map[string]string{"passes": passesNobody, "plays": passesMover}[c.Answer]
	case "result":
		return map[bool]string{true: endsEarly, false: "does not end the game with the right result"}[c.Answer == "goes on"]
	case "machine":
		return "does not play a machine's game as it should"
	case "layout":
		return "prints wrong white space: " + c.Reason
	case "texts":
		return fmt.Sprint("does not print the right text: ", c.Reason)
	}
	return "does not ask again after a wrong answer"
}

// lacks reports whether a program has mistakes on another board that it does not have on the usual one.
// Rules of moves are not compared, because other positions may show other mistakes.
func (s *scorer) lacks(other scorer) bool {
	return slices.ContainsFunc([]string{"set-up", "robustness", "texts", "layout"}, func(name string) bool {
		a, b := s.tallies[name], other.tallies[name]
		return a != nil && b != nil && a.Lacks(b)
	})
}
