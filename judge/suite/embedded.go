package suite

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"quintet/judge/dialogue"
)

// files holds games found by findGames, in search_test.go, for common board sizes. To regenerate them:
// QUINTET_GOLDEN=1 go test ./judge/suite
//
//go:embed games
var files embed.FS

// sizes lists the board sizes with files, largest first.
var sizes = map[string][]int{"neighbors": {8}, "othello": {10, 8, 6, 4}, "loa": {8}, "connect6": {19, 7, 6}, "chess": {8}}

// embedded returns the games of the file for the size or the next smaller one, or nil. If
// a game starts in the middle of the board, they are moved there.
func embedded(p dialogue.Program) []Game {
	for _, size := range sizes[p.Game] {
		if size > p.Size {
			continue
		}
		small := p
		small.Size = size
		data, err := files.ReadFile(file(small))
		if err != nil {
			return nil
		}
		list := parse(string(data))
		if p.Game == "othello" {
			for _, g := range list {
				move(g.Lines, (p.Size-size)/2)
			}
		}
		return list
	}
	return nil
}

// move shifts cells to the right and down.
func move(lines []string, by int) {
	for i, line := range lines {
		if n, err := strconv.Atoi(line[1:]); err == nil && line[0] >= 'A' {
			lines[i] = fmt.Sprintf("%c%d", line[0]+byte(by), n+by)
		}
	}
}

func file(p dialogue.Program) string { return fmt.Sprintf("games/%s-%d.txt", p.Game, p.Size) }

// parse parses the format of the files: a line "# NAME", then the input lines.
func parse(text string) (list []Game) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			list = append(list, Game{Name: name, Lines: []string{}})
			continue
		}
		last := &list[len(list)-1]
		last.Lines = append(last.Lines, line)
	}
	return list
}
