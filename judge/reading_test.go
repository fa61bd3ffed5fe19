package judge_test

import (
	"slices"
	"strings"
	"testing"

	"quintet/judge"
	"quintet/judge/dialogue"
	"quintet/judge/suite"
)

// Statements that read an answer.
const cells, read = "    cin >> c >> y;\n", "if (!(cin >> from >> to)) return 1;"

// readings are programs that read in other ways, with the verdict if white space is as in the specification.
var readings = map[string][]wrong{
	"othello": {
		{change{cells, "    if (scanf(\" %c%d\", &c, &y) != 2) exit(1);\n"}, judge.Accepted, ""},
		{change{cells, cells + "    cin.ignore(1000, '\\n');\n"}, judge.WrongRule, "drops the rest of the line after an answer"},
		{change{cells, "    string s;\n    getline(cin >> ws, s);\n    c = s[0];\n    y = atoi(s.c_str() + 1);\n"}, judge.WrongRule, "reads whole lines"},
		{change{cells, "    string s;\n    cin >> s;\n    c = s[0];\n    y = atoi(s.c_str() + 1);\n"}, judge.WrongRule, "takes a word for a cell"},
		{change{cells, "    string s;\n    getline(cin >> ws, s);\n    c = s[0];\n    if (cin) y = stoi(s.substr(1));\n"}, judge.WaitsForInput, "waits for input"},
		{change{"cout << \"Invalid move!\" << endl;", "cout << \"Invalid move!\" << endl; cin.ignore(1000, '\\n');"}, judge.WrongRule, "drops the rest of the line after an invalid answer"},
	},
	"neighbors": {
		{change{read, read + " cin.ignore(1000, '\\n');"}, judge.WrongRule, "drops the rest of the line after an answer"},
		{change{read, "string s; if (!getline(cin, s)) return 1; from = s.substr(0, 2); to = s.length() > 3 ? s.substr(3, 2) : \"\";"}, judge.WrongRule, "reads whole lines"},
	},
}

// TestReading checks that programs which read lines or words are rejected where the
// specification has letters and numbers with any white space between, and that the
// verdict says so. A program that reads with scanf is right.
func TestReading(t *testing.T) {
	for game, list := range readings {
		p, err := dialogue.New(game, 0)
		if err != nil {
			t.Fatal(err)
		}
		usual, all := suite.Games(p, suite.Options{Seed: 1}), suite.Games(p, suite.Options{Seed: 1, AnySpace: true})
		odd := all[len(usual):] // games with unusual white space
		usual = slices.DeleteFunc(usual, func(g suite.Game) bool { return len(g.Lines)%5 > 0 })
		for i, w := range list {
			s, free, strict := sample{game, 0, w.change}, usual, append(slices.Clone(usual), odd...)
			if i == 0 {
				free, strict = nil, nil // the games that the judge chooses
			}
			if v := s.verdict(t, free, nil); !v.OK() && w.verdict != judge.WaitsForInput {
				t.Errorf("%s, %s: right by the documents, but %s: %s", game, w.to, v.Verdict, v.Message)
			}
			v := s.verdict(t, strict, judge.Strict(game))
			if v.Verdict != w.verdict || !strings.Contains(v.Rule, w.rule) {
				t.Errorf("%s, %s: want %s, %s; is %s: %s\n%s", game, w.to, w.verdict, w.rule, v.Verdict, v.Message, v.Talk)
			}
		}
	}
}
