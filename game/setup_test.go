package game_test

import (
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quintet/game"
)

var (
	size  = game.Option{Name: "size", Help: "rows", Default: "8", Min: 4, Max: 26, Step: 2}
	komi  = game.Option{Name: "komi", Help: "points", Default: "6", Min: 0, Max: 9, Step: 3}
	boats = game.Option{Name: "boats", Help: "boats", Default: "1", Min: 1, Max: 5}
	halt  = game.Option{Name: "halt", Help: "who halts", Default: "claim", Choices: []string{"claim", "agreed", "none"}}
	pits  = game.Option{Name: "pits", Help: "cells"}
)

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		o     game.Option
		value string
		want  string
	}{
		{size, "8", ""}, {size, "4", ""}, {size, "26", ""},
		{size, "7", `size "7": expected an even number from 4 to 26`},
		{size, "28", `size "28": expected an even number from 4 to 26`},
		{size, "-2", `size "-2": expected an even number from 4 to 26`},
		{size, "", `size "": expected an even number from 4 to 26`},
		{size, "eight", `size "eight": expected an even number from 4 to 26`},
		{size, "8.0", `size "8.0": expected an even number from 4 to 26`},
		{size, "08", `size "08": expected an even number from 4 to 26`},
		{size, "+8", `size "+8": expected an even number from 4 to 26`},
		{komi, "-0", `komi "-0": expected a multiple of 3 from 0 to 9`},
		{komi, "0", ""},
		{size, "99999999999999999999", `size "99999999999999999999": expected an even number from 4 to 26`},
		{komi, "3", ""}, {komi, "4", `komi "4": expected a multiple of 3 from 0 to 9`},
		{boats, "5", ""}, {boats, "6", `boats "6": expected a whole number from 1 to 5`},
		{halt, "none", ""}, {halt, "never", `halt "never": expected claim, agreed or none`},
		{pits, "anything", ""},
	} {
		got := ""
		if err := test.o.Check(test.value); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s=%s: %q, want %q", test.o.Name, test.value, got, test.want)
		}
	}
}

func TestAlternatives(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := game.Alternatives(words); got != want {
			t.Errorf("Alternatives(%q) = %q, want %q", words, got, want)
		}
	}
}

// TestStartDefaults checks that New receives every option, including defaults.
func TestStartDefaults(t *testing.T) {
	var given game.Setup
	g := game.Game{Name: "test", Options: []game.Option{size, halt, pits}, New: func(s game.Setup) (game.Position, error) {
		given = s
		return nil, errors.New("no position")
	}}
	if _, err := g.Start(game.Setup{"halt": "none"}); err == nil || err.Error() != "no position" {
		t.Errorf("error %v, want that of New", err)
	}
	if diff := cmp.Diff(game.Setup{"size": "8", "halt": "none", "pits": ""}, given); diff != "" {
		t.Errorf("New is given (-want +got):\n%s", diff)
	}
	for text, want := range map[string]string{
		"size=9":       `size "9": expected an even number from 4 to 26`,
		"komi=6":       `test has no option "komi": expected size, halt or pits`,
		"size=8 x=1":   `test has no option "x": expected size, halt or pits`,
		"halt=yes x=1": `halt "yes": expected claim, agreed or none`,
	} {
		s, err := game.ParseSetup(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Start(s); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	g.Options = nil
	if _, err := g.Start(game.Setup{"size": "8"}); err == nil || err.Error() != `test has no option "size": it has none` {
		t.Errorf("a game without options: %v", err)
	}
}

// sizedPosition is a position that determines a size and pits.
type sizedPosition struct {
	rowGame
	fixed game.Setup
}

func (f *sizedPosition) SetupOf() game.Setup { return f.fixed }

// TestSetupAt checks the options of a game that begins at a position, and which
// options may be chosen with it.
func TestSetupAt(t *testing.T) {
	g := game.Game{Name: "test", Options: []game.Option{size, halt, pits}, New: func(s game.Setup) (game.Position, error) {
		if s["pits"] == "z9" {
			return nil, errors.New("pits: no z9")
		}
		return &sizedPosition{fixed: game.Setup{"size": s["size"], "pits": strings.ToLower(s["pits"])}}, nil
	}}
	p := &sizedPosition{fixed: game.Setup{"size": "10", "pits": "a1,b2"}}
	for text, want := range map[string]struct {
		setup game.Setup
		err   string
	}{
		"":                   {game.Setup{"size": "10", "halt": "claim", "pits": "a1,b2"}, ""},
		"halt=none":          {game.Setup{"size": "10", "halt": "none", "pits": "a1,b2"}, ""},
		"size=10 pits=A1,b2": {game.Setup{"size": "10", "halt": "claim", "pits": "A1,b2"}, ""},
		"size=8":             {err: `size "8": the position has "10": give that value, or leave the option out`},
		"size=10 pits=a1":    {err: `pits "a1": the position has "a1,b2": give that value, or leave the option out`},
		"pits=z9":            {err: `pits "z9": the position has "a1,b2": give that value, or leave the option out`},
		"size=9":             {err: `size "9": expected an even number from 4 to 26`},
		"komi=1":             {err: `test has no option "komi": expected size, halt or pits`},
	} {
		chosen, err := game.ParseSetup(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := g.Agrees(p, chosen); err != nil {
			got = err.Error()
		}
		if got != want.err {
			t.Errorf("%s: %q, want %q", text, got, want.err)
		}
		if err := g.Agrees(p, g.SetupAt(p, chosen)); want.err == "" && err != nil {
			t.Errorf("%s: with all options: %v", text, err)
		}
		if diff := cmp.Diff(want.setup, g.SetupAt(p, chosen)); want.err == "" && diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	unreachable := &sizedPosition{fixed: game.Setup{"size": "8", "pits": "z9"}}
	if err := g.Agrees(unreachable, g.SetupAt(unreachable, nil)); err != nil {
		t.Errorf("a position that no game starts with: %v", err)
	}
	if diff := cmp.Diff(game.Setup{"size": "8", "halt": "claim", "pits": ""}, g.SetupAt(&rowGame{}, nil)); diff != "" {
		t.Errorf("a position that fixes nothing (-want +got):\n%s", diff)
	}
}

func TestSetupText(t *testing.T) {
	g := game.Game{Options: []game.Option{size, halt, pits}}
	for text, setup := range map[string]game.Setup{
		"":                   {},
		"size=10":            {"size": "10"},
		"size=10 pits=c3,f6": {"size": "10", "pits": "c3,f6"},
		"halt=none pits=a=b": {"halt": "none", "pits": "a=b"},
	} {
		got, err := game.ParseSetup(text)
		if diff := cmp.Diff(setup, got); diff != "" || err != nil {
			t.Errorf("ParseSetup(%q): %v (-want +got):\n%s", text, err, diff)
		}
		if back := g.FormatSetup(setup); back != text {
			t.Errorf("FormatSetup(%v) = %q, want %q", setup, back, text)
		}
	}
	if got := g.FormatSetup(game.Setup{"pits": "a1", "size": "8", "halt": "claim"}); got != "pits=a1" {
		t.Errorf("defaults are written: %q", got)
	}
	for text, want := range map[string]string{
		"size":          `set-up "size": expected name=value`,
		"=8":            `set-up "=8": expected name=value`,
		"size=8 size=8": `set-up "size=8": size is given twice`,
	} {
		if s, err := game.ParseSetup(text); err == nil || err.Error() != want {
			t.Errorf("ParseSetup(%q) = %v, %v, want the error %s", text, s, err, want)
		}
	}
}

// TestSetupRoundTrip formats and parses valid set-ups: the result is the same game,
// and each game has one text.
func TestSetupRoundTrip(t *testing.T) {
	var given game.Setup
	g := game.Game{Options: []game.Option{size, halt, pits}, New: func(s game.Setup) (game.Position, error) {
		given = s
		return &rowGame{at: 2}, nil
	}}
	values := map[string]*rapid.Generator[string]{
		"size": rapid.OneOf(rapid.SampledFrom([]string{"8", "08", "+8", "10"}), rapid.StringMatching(`[+-]?\d{1,2}`)),
		"halt": rapid.SampledFrom(halt.Choices),
		"pits": rapid.StringMatching(`([a-z]\d(,[a-z]\d){0,3})?`),
	}
	rapid.Check(t, func(t *rapid.T) {
		s := game.Setup{}
		for _, o := range g.Options {
			if rapid.Bool().Draw(t, o.Name+" given") {
				s[o.Name] = values[o.Name].Draw(t, o.Name)
			}
		}
		if _, err := g.Start(s); err != nil {
			return
		}
		want, text := given, g.FormatSetup(s)
		read, err := game.ParseSetup(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Start(read); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, given); diff != "" {
			t.Errorf("%v is written %q and read as another game (-want +got):\n%s", s, text, diff)
		}
		if n, err := strconv.Atoi(given["size"]); err != nil || strconv.Itoa(n) != given["size"] {
			t.Errorf("%v is another text for size %d, %v", s, n, err)
		}
	})
}

func TestOption(t *testing.T) {
	g := game.Game{Options: []game.Option{size, pits}}
	if o, ok := g.Option("pits"); !ok || o.Help != "cells" {
		t.Errorf("Option(pits) = %+v, %t", o, ok)
	}
	if o, ok := g.Option("komi"); ok {
		t.Errorf("Option(komi) = %+v", o)
	}
}

// FuzzParseSetup parses any text: a valid one contains each option once.
func FuzzParseSetup(f *testing.F) {
	for _, s := range []string{"size=10 pits=c3,f6", "", "a=b=c", "=", "a=1 a=2", " \t x=y\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := game.ParseSetup(text)
		if err != nil {
			return
		}
		if len(s) != len(strings.Fields(text)) {
			t.Errorf("%q is read as %v", text, s)
		}
		for _, word := range strings.Fields(text) {
			name, value, _ := strings.Cut(word, "=")
			if s[name] != value {
				t.Errorf("%q: %s is %q, want %q", text, name, s[name], value)
			}
		}
	})
}

// TestNewSetup checks that new games get their own values, where nothing else was chosen.
func TestNewSetup(t *testing.T) {
	fresh := halt
	fresh.Initial = "none"
	for name, c := range map[string]struct {
		options      []game.Option
		chosen, want game.Setup
	}{
		"no option":     {nil, nil, nil},
		"none differs":  {[]game.Option{size, halt}, game.Setup{"size": "10"}, game.Setup{"size": "10"}},
		"one differs":   {[]game.Option{size, fresh}, nil, game.Setup{"halt": "none"}},
		"it was chosen": {[]game.Option{size, fresh}, game.Setup{"halt": "claim"}, game.Setup{"halt": "claim"}},
	} {
		before := maps.Clone(c.chosen)
		if got := (game.Game{Options: c.options}).NewSetup(c.chosen); !maps.Equal(got, c.want) || !maps.Equal(c.chosen, before) {
			t.Errorf("%s: %v, want %v; chosen is now %v", name, got, c.want, c.chosen)
		}
	}
}
