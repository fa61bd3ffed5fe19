package page

import (
	"html/template"
	"strconv"

	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/game"
	"quintet/picture"
)

// gameView is a game at a ply.
type gameView struct {
	Title, Job          string
	Number              int // from 1
	First, Second       string
	Result, End, Detail string
	Ply, Plies          int
	Prev, Next, Last    int
	Moves               []string
	Board               template.HTML
}

// viewGame returns the game of a number from 1 at a ply; the last one if it is not
// given.
func viewGame(payload []byte, s *farm.Spec, number int, ply string) (*gameView, error) {
	m, err := jobtypes.DecodeMatch(s)
	if err != nil {
		return nil, farm.Refuse(farm.CodeUnknown, "the job has no games to look through: it is of kind %s", s.Kind)
	}
	o, err := m.Options(nil, nil)
	if err != nil {
		return nil, err
	}
	names := m.Header.Names()
	games, err := jobtypes.DecodePair(payload, o.Game, names)
	if err != nil {
		return nil, err
	}
	r := games[(number-1)%2]
	v := &gameView{
		Title: "Game " + strconv.Itoa(number), Number: number, First: names[r.Players[0]], Second: names[r.Players[1]],
		Result: r.Result.String(), End: string(r.End), Detail: r.Detail, Ply: len(r.Moves), Plies: len(r.Moves),
	}
	if n, err := strconv.Atoi(ply); err == nil {
		v.Ply = min(max(n, 0), v.Plies)
	}
	v.Prev, v.Next, v.Last = v.Ply-1, v.Ply+1, v.Ply-1
	v.Moves = game.FormatMoves(r.Start, r.Moves)
	shown := r.Start.Clone()
	for _, mv := range r.Moves[:v.Ply] {
		shown.Play(mv)
	}
	v.Board = drawing(o.Game, shown)
	return v, nil
}

// drawing returns a position as SVG, which package picture escapes.
func drawing(g game.Game, p game.Position) template.HTML {
	return template.HTML(picture.Of(p.Board(), picture.Options{Look: g.Look, Title: p.Board().Note}).SVG(0)) //nolint:gosec // it is ours
}
