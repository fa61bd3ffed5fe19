package judge_test

import (
	"strings"
	"testing"

	"quintet/judge"
)

// TestReading checks that programs which read lines or words are rejected where the
// specification has letters and numbers with any white space between, and that the
// verdict says so. A program that reads with scanf is right.
func TestReading(t *testing.T) {
	const cells, read = "    cin >> c >> y;\n", "if (!(cin >> from >> to)) return 1;"
	for game, list := range map[string][]wrong{
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
	} {
		var changes []change
		for _, w := range list {
			changes = append(changes, w.change)
		}
		for i, p := range compileAll(t, game, 0, changes) {
			if v := verdictOn(t, game, 0, p, nil); !v.OK() && list[i].verdict != judge.WaitsForInput {
				t.Errorf("%s, %s: right by the documents, but %s: %s", game, list[i].to, v.Verdict, v.Message)
			}
			w, v := list[i], verdictOn(t, game, 0, p, judge.Strict(game))
			if v.Verdict != w.verdict || !strings.Contains(v.Rule, w.rule) {
				t.Errorf("%s, %s: want %s, %s; is %s: %s\n%s", game, w.to, w.verdict, w.rule, v.Verdict, v.Message, v.Talk)
			}
		}
	}
}
