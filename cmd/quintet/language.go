package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/internal/cli"
	"quintet/internal/lang"
)

const screens = "of the screens; default that of the locale"

// addLanguage adds --lang to a command that says something in several languages.
func addLanguage(c *cobra.Command, of string) {
	c.Flags().String("lang", "", "language "+of+": "+game.Alternatives(lang.Tags()))
	cli.Complete(c, lang.Tags(), "lang")
}

// addScreen adds the flags of the terminal interface.
func addScreen(c *cobra.Command, ascii *bool) {
	c.Flags().BoolVar(ascii, "ascii", false, "draw with plain ASCII characters")
	addLanguage(c, screens)
}

// languageOf returns the language that --lang names, or else the locale.
func languageOf(c *cobra.Command, getenv func(string) string) (*lang.Language, error) {
	tag := ""
	if f := c.Flags().Lookup("lang"); f != nil {
		tag = f.Value.String()
	}
	if tag != "" && !slices.Contains(lang.Tags(), tag) {
		return nil, fmt.Errorf("--lang %q: expected %s", tag, game.Alternatives(lang.Tags()))
	}
	for _, variable := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := getenv(variable); tag == "" && locale != "" {
			if tag = lang.Match(locale); tag == "" {
				tag = lang.Source
			}
		}
	}
	l, err := lang.Open(tag)
	if err != nil {
		return nil, fmt.Errorf("--lang: %w", err)
	}
	return l, nil
}
