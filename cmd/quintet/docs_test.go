package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestDocumentCommands checks that the command lines in the documents name commands and
// flags that exist.
func TestDocumentCommands(t *testing.T) {
	var found int
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/internals/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range commandLines(string(text)) {
				found++
				if wrong := wrongCommand(line); wrong != "" {
					t.Errorf("%s: %q: %s", filepath.Base(name), strings.Join(line, " "), wrong)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("found only %d command lines", found)
	}
}

// wrongCommand says what is wrong with the command line, which begins with quintet.
func wrongCommand(line []string) string {
	root := newRoot()
	root.InitDefaultHelpFlag()
	root.InitDefaultHelpCmd()
	command, _, err := root.Find(line[1:])
	if err != nil || command == root && len(line) > 1 && !strings.HasPrefix(line[1], "-") {
		return "no such command"
	}
	command.InitDefaultHelpFlag()
	command.InitDefaultVersionFlag()
	for _, word := range line[1:] {
		flag, ok := strings.CutPrefix(word, "--")
		flag, _, _ = strings.Cut(flag, "=")
		if ok && flag != "" && command.Flag(flag) == nil {
			return "no flag --" + flag
		}
	}
	return ""
}

var (
	codeSpan  = regexp.MustCompile("`([^`]+)`")
	quoted    = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	comment   = regexp.MustCompile(`\s{2,}#.*`)
	separator = regexp.MustCompile(`[|;]|&&`)
	set       = regexp.MustCompile(`^[A-Z_]+=`)
)

// commandLines finds the command lines of quintet in the code of a document, as words. A quotation
// is a part of one word.
func commandLines(document string) [][]string {
	var lines [][]string
	document = strings.ReplaceAll(document, "\\\n", " ")
	for line := range strings.SplitSeq(document, "\n") {
		var code []string
		if indented, ok := strings.CutPrefix(line, "    "); ok {
			code = []string{comment.ReplaceAllString(indented, "")}
		} else {
			for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
				code = append(code, span[1])
			}
		}
		for _, text := range code {
			quotation := strings.NewReplacer(" ", "\x01", "|", "\x02", ";", "\x03", `"`, "", "'", "")
			for _, part := range separator.Split(quoted.ReplaceAllStringFunc(text, quotation.Replace), -1) {
				words := strings.Fields(part)
				for len(words) > 0 && (words[0] == "$" || set.MatchString(words[0])) {
					words = words[1:]
				}
				if len(words) > 1 && words[0] == "quintet" && words[1] != "COMMAND" {
					for i, word := range words {
						words[i] = strings.NewReplacer("\x01", " ", "\x02", "|", "\x03", ";").Replace(word)
					}
					lines = append(lines, words)
				}
			}
		}
	}
	return lines
}

// TestDocumentFlags checks that the flags that users' documents name on their own exist for
// some command.
func TestDocumentFlags(t *testing.T) {
	span := regexp.MustCompile("`--([a-z-]+)")
	known := map[string]bool{"help": true, "pids-limit": true, "quintet": true} // of Docker, and of the lab
	for _, c := range commands(newRoot()) {
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	}
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range span.FindAllStringSubmatch(string(text), -1) {
			if !known[match[1]] {
				t.Errorf("%s: no command has a flag --%s", filepath.Base(name), match[1])
			}
		}
	}
}
