package picture

import (
	"strconv"

	"quintet/game"
)

// score draws the number of men of each side below the board or, in chess, the lead of the side that is ahead. It has no
// words, because a picture is for readers of every language.
func (p *painter) score(x, y float64) {
	size := p.note()
	for i, st := range styles { // the dark side first
		text := p.scoreOf(game.Side(i) ^ p.look.Dark())
		if text == "" {
			continue
		}
		at := x + size*[...]float64{-2, 1}[i]
		p.disc(at, y, 0.36*size, mustParse(stoneColours[st.name]), ink, 0.06*size)
		p.text(at+size*(1.1+0.28*float64(max(0, len(text)-2))), y, size, text, ink)
	}
}

// scoreOf returns the score of a side, or "" if the game shows none, as games on the points of a board do.
func (p *painter) scoreOf(s game.Side) string {
	if p.look.Set == game.Chessmen {
		if lead := p.look.Set.Lead(p.board, s); lead > 0 {
			return "+" + strconv.Itoa(lead)
		}
		return ""
	}
	if p.board.Points {
		return ""
	}
	n := 0
	for _, c := range p.board.Cells {
		if c.Kind != game.Empty && c.Kind != game.Pit && c.Side == s {
			n++
		}
	}
	return strconv.Itoa(n)
}
