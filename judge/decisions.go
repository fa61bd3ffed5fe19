package judge

import "quintet/judge/dialogue"

// decisionsOf lists the decisions of a game, numbered as in section 7 of the specification.
func decisionsOf(name string) []decision {
	switch name {
	case "neighbors":
		return []decision{
			lineEnds, longCells,
			{"D-07", "pass-board", []choice{
				{"printed", "prints the board before a pass", nil},
				{"not-printed", "prints no board before a pass", withFault(dialogue.PassNoBoard)},
			}},
			{"D-08", "stuck", stuck},
		}
	case "othello":
		return []decision{
			{"D-03b", "line-ends", []choice{
				{"rows", "prints a blank at the end of the rows of the board", nil},
				{"all", "prints a trailing blank at the end of the rows and of the header of the board", func(p *dialogue.Program) { p.Layout.ColEnd = " " }},
				{"none", "prints no blank at the end of the rows of the board", func(p *dialogue.Program) { p.Layout.CellEnd = "" }},
			}},
		}
	case "loa":
		return []decision{lineEnds, blankLines, longCells, {"D-10", "stuck", stuck}}
	case "connect6":
		return []decision{
			lineEnds, blankLines,
			{"D-12", "prompt", []choice{
				{"turn", `prompts with "B's turn: "`, nil},
				{"move", `prompts with "B's move: "`, func(p *dialogue.Program) { p.Words.Prompt = "%s's move: " }},
				{"player", `prompts with "Player B, make your move: "`, func(p *dialogue.Program) { p.Words.Prompt = "Player %s, make your move: " }},
			}},
		}
	}
	return nil
}

var (
	lineEnds = decision{"D-03", "line-ends", []choice{
		{"none", "prints no blanks at the ends of lines of the board", nil},
		{"rows", "prints a trailing blank at the end of every row of the board", func(p *dialogue.Program) { p.Layout.CellEnd = " " }},
		{"all", "prints a trailing blank at the end of every line of the board", func(p *dialogue.Program) { p.Layout.CellEnd, p.Layout.ColEnd = " ", " " }},
	}}
	blankLines = decision{"D-01", "blank-lines", []choice{
		{"none", "prints no blank lines", nil},
		{"after-board", "prints a blank line after every board", func(p *dialogue.Program) { p.Words.AfterBoard = "\n" }},
		{"before-result", "prints a blank line before the result", func(p *dialogue.Program) { p.Words.BeforeEnd = "\n" }},
	}}
	longCells = decision{"D-04", "long-cells", []choice{
		{"invalid", "refuses cells of more than two characters", nil},
		{"prefix", "looks only at the first two characters of a cell", withFault(dialogue.LengthPrefix)},
	}}
	stuck = []choice{
		{"pass", "passes for every player without a legal move", nil},
		{"ask", "asks a player without a legal move, because the document does not mention it", withFault(dialogue.StuckAsks)},
	}
)

func withFault(f dialogue.Fault) func(*dialogue.Program) {
	return func(p *dialogue.Program) { *p = p.With(f) }
}
