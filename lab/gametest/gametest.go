// Package gametest checks that a game satisfies the contract of package game. A game
// needs one line of test code:
//
//	func TestConformance(t *testing.T) { gametest.Run(t, othello.Game, "size=4", "size=10 pits=c3,g6") }
//
// Run plays random games of each set-up and checks every position (it shrinks a
// failure to the shortest game), then compares one fixed game with the golden
// playthrough in testdata. [FuzzRead] and [FuzzParse] are the bodies of the game's
// fuzz targets.
package gametest

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
)

// Run checks the game in its default set-up and in the given ones, each written as
// "size=10 pits=c3,g6".
func Run(t *testing.T, g game.Game, setups ...string) {
	t.Helper()
	t.Run("facts", func(t *testing.T) { checkFacts(t, g) })
	t.Run("look", func(t *testing.T) { checkLook(t, g) })
	for _, setup := range append([]string{""}, setups...) {
		t.Run(setupName(setup), func(t *testing.T) {
			check(t, g, setup, Start(t, g, setup))
		})
	}
}

// check runs all checks for one set-up.
func check(t rapid.TB, g game.Game, setup string, start game.Position) {
	t.Helper()
	checkFlat(t, reflect.TypeOf(start).Elem(), nil)
	if t.Failed() {
		return // rapid panics in a test that has already failed
	}
	checkOptions(t, g, start)
	checkRandomPlay(t, g, start)
	checkSamples(t, start)
	checkAllocations(t, start)
	checkPlaythrough(t, g, setup, start)
}

// Start returns the start position of a set-up.
func Start(t testing.TB, g game.Game, setup string) game.Position {
	t.Helper()
	s, err := game.ParseSetup(setup)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(s)
	if err != nil {
		t.Fatalf("%s %q: %v", g.Name, setup, err)
	}
	return p
}

// setupName returns the name of the set-up's test and golden file.
func setupName(setup string) string {
	if setup == "" {
		return "default"
	}
	return strings.NewReplacer(" ", "_", "=", "-", ",", "-").Replace(setup)
}

func checkFacts(t TB, g game.Game) {
	if g.Name == "" || g.Title == "" || g.Sides[0] == "" || g.Sides[1] == "" || g.Notation == "" {
		t.Errorf("incomplete facts: %+v", g)
	}
	for _, o := range g.Options {
		if o.Check(o.ForNew()) != nil && o.ForNew() != "" {
			t.Errorf("option %s: its value for new games: %v", o.Name, o.Check(o.ForNew()))
		}
		if o.Default != "" && o.Check(o.Default) != nil {
			t.Errorf("option %s: its own default: %v", o.Name, o.Check(o.Default))
		}
		if o.Help == "" {
			t.Errorf("option %s has no help", o.Name)
		}
	}
	for _, text := range []string{"", " ", "x", "pass", "8/8", strings.Repeat("/", 30), "99999999999999999999 B"} {
		if p, err := g.Read(text); err == nil {
			t.Errorf("Read(%q) = %v, want an error", text, p)
		}
	}
}

// checkFlat fails if an assignment would not copy a position completely.
func checkFlat(t TB, typ reflect.Type, path []string) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			checkFlat(t, typ.Field(i).Type, append(path, typ.Field(i).Name))
		}
	case reflect.Array:
		checkFlat(t, typ.Elem(), path)
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Chan, reflect.Func, reflect.String, reflect.UnsafePointer:
		t.Errorf("position is not flat: %s is a %s", strings.Join(path, "."), typ.Kind())
	}
}

// checkOptions fails if a start position does not determine the options that created
// it: a game that begins at its text would not know them.
func checkOptions(t TB, g game.Game, start game.Position) {
	t.Helper()
	again, err := g.Start(g.SetupAt(start, nil))
	if err != nil || again.String() != start.String() {
		t.Errorf("%s: its own options, %v, give %v, %v", start, g.SetupAt(start, nil), again, err)
	}
}

// checkRandomPlay plays random games to their end and checks every position.
func checkRandomPlay(t rapid.TB, g game.Game, start game.Position) {
	rapid.Check(t, func(rt *rapid.T) {
		// One draw seeds the game, a second one sets its length, so that a failure
		// shrinks to the fewest plies.
		seed := rapid.Uint64().Draw(rt, "seed")
		plies := rapid.IntRange(0, 400).Draw(rt, "plies")
		w := walk{TB: rt, g: g, pick: newRand(seed)}
		w.play(start, plies)
	})
}
