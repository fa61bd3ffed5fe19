package web

import (
	"encoding/json"
	"fmt"
	"strings"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/web/wire"
)

// gameData is the data about the games for the scripts, in one language.
type gameData struct {
	Words  words      `json:"words"`
	Games  []gameFact `json:"games"`
	Levels int        `json:"levels"`
}

// gameFact is a game as the program sets it up.
type gameFact struct {
	Name    string        `json:"name"`
	Title   string        `json:"title"`
	Blurb   string        `json:"blurb,omitempty"` // what it is about, where the catalogue does not say
	Sides   [2]string     `json:"sides"`
	Options []game.Option `json:"options"`
	Board   Board         `json:"board"` // of the usual game
	Face    Board         `json:"face"`  // a board that illustrates the game
	Look    lookFact      `json:"look"`
}

// lookFact is what the pages' script knows of a game besides its boards: see game.Look.
type lookFact struct {
	Ground  game.Ground `json:"ground"`
	Set     game.Set    `json:"set"`
	Light   bool        `json:"light"` // the first side has the light pieces
	Turned  bool        `json:"turned"`
	PerTurn int         `json:"per_turn"`
	Ending  game.Ending `json:"ending"`
	Won     string      `json:"won"`
	Letters [][2]string `json:"letters"` // of the pieces: the text of a cell and the letter
	Turn    [2]string   `json:"turn"`
	Rest    string      `json:"rest"`
	Demo    demoFact    `json:"demo"`
}

// demoFact is a game to watch.
type demoFact struct {
	Options game.Setup `json:"options,omitempty"`
	Moves   string     `json:"moves"`
}

func newLookFact(g game.Game) lookFact {
	look, form := g.Look, g.Form()
	f := lookFact{
		Ground: look.Ground, Set: look.Set, Light: look.LightFirst, Turned: look.Turned, PerTurn: look.PliesPerTurn(),
		Ending: look.Ending, Won: look.Won, Turn: form.Turn, Rest: form.Rest,
		Demo: demoFact{look.Demo.Setup, strings.TrimSpace(look.Demo.Moves)},
	}
	for _, l := range form.Letters {
		f.Letters = append(f.Letters, [2]string{PieceCode(l.Piece), string(l.Letter)})
	}
	return f
}

// Board is a board as the pages' script draws it.
type Board = wire.Board

// BoardOf returns the board of a position.
func BoardOf(b game.Board) Board { return wire.BoardOf(b) }

// PieceCode returns the text of a cell, see wire.Board.
func PieceCode(p game.Piece) string { return wire.PieceCode(p) }

// readFacts makes an asset for each catalogue: a script with the games and the
// texts, or a module with the texts of a part. Browsers cache both.
func (s *Site) readFacts() error {
	list, err := gameFacts()
	if err != nil {
		return err
	}
	for name, w := range s.catalogues {
		file, format, value := "facts."+name+".js", "quintet=%s\n", any(gameData{w, list, bots.Levels})
		if strings.Contains(name, ".") {
			file, format, value = "words."+name+".js", "export default %s\n", w
		}
		data, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("writing %s: %w", file, err)
		}
		s.asset[file] = newAsset("text/javascript; charset=utf-8", fmt.Appendf(nil, format, data))
	}
	return nil
}

func gameFacts() ([]gameFact, error) {
	list := []gameFact{}
	for _, g := range games.All() {
		p, err := g.Start(nil)
		if err != nil {
			return nil, fmt.Errorf("starting %s: %w", g.Name, err)
		}
		f := gameFact{g.Name, g.Title, g.Look.Blurb, g.Sides, g.NewOptions(), BoardOf(p.Board()), BoardOf(p.Board()), newLookFact(g)}
		if moves := g.Look.Face; moves != "" {
			m := game.NewMatch(g, p)
			for _, text := range strings.Fields(moves) {
				if err := m.PlayText(text); err != nil {
					return nil, fmt.Errorf("showing %s: %w", g.Name, err)
				}
			}
			f.Face = BoardOf(m.Position().Board())
		}
		list = append(list, f)
	}
	return list, nil
}
