package mutant

import d "quintet/judge/dialogue"

// reading are the wrong ways to read answers; no games means all.
var reading = []struct {
	games string
	fault d.Fault
	says  string
}{
	{"", d.ReadsLines, "reads whole lines: it takes one answer of a line, and refuses one that goes on in the next line"},
	{"", d.DropsRest, "drops the rest of the line after an answer"},
	{"", d.DropsLine, "drops the rest of the line after an invalid answer"},
	{"othello connect6 chess", d.ReadsWords, "takes a word for a cell: it refuses a letter and a number that stand apart"},
}
