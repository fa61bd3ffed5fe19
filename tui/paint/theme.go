package paint

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Role is the purpose of a colour.
type Role uint8

// The roles. The zero Role is plain text as a foreground and the screen's colour as a
// background.
const (
	Plain    Role = iota
	Ground        // the screen, for text on bright bars
	Dim           // labels, less important text
	Accent        // keys, the selection
	Good          // a lead, success
	Bad           // a loss, trouble
	Bar           // the background of the title line
	Chosen        // the background of a chosen line
	Tile          // a cell of the board
	TileAlt       // every other cell of a board of squares without lines
	Grid          // its lines
	Black         // dark pieces
	White         // light pieces
	Pit           // a pit
	Last          // the background of the last move
	Selected      // the background of the cursor and of the chosen piece
	Target        // signs on cells where a move leads
	Danger        // signs of threats
	roles
)

// Theme maps roles to colours.
type Theme struct {
	colours *[roles]color.Color // nil for no colours
}

// ThemeNames lists the themes; "auto" follows the terminal.
func ThemeNames() []string { return []string{"auto", "dark", "light", "safe", "none"} }

// NewTheme returns the theme with the name; dark describes the terminal. An unknown
// name means "auto".
func NewTheme(name string, dark bool) *Theme {
	table := map[string]*[roles]string{"dark": &darkColours, "light": &lightColours, "safe": &safeColours}[name]
	switch {
	case name == "none":
		return &Theme{}
	case table != nil:
	case dark:
		table = &darkColours
	default:
		table = &lightColours
	}
	t := &Theme{colours: new([roles]color.Color)}
	for role, hex := range table {
		t.colours[role] = lipgloss.Color(hex)
	}
	return t
}

// The colours in RGB. Tiles have a medium lightness on which black and white pieces
// both have a contrast of at least 4 to 1. The safe ones are from the palette of
// Okabe and Ito, "Color universal design" (2008), which is distinguishable with any
// kind of colour vision.
var (
	darkColours = [roles]string{
		Plain: "#e8e6e3", Ground: "#14171c", Dim: "#9aa4b2", Accent: "#7cc4ff", Good: "#8fd694", Bad: "#ff9b8f", Bar: "#26344a", Chosen: "#2f4a6b",
		Tile: "#4a7c64", TileAlt: "#427259", Grid: "#2d5542", Black: "#0a0a0a", White: "#ffffff", Pit: "#1f2a25",
		Last: "#8a6d1f", Selected: "#2f6fb0", Target: "#ffe9a8", Danger: "#ffd0c7",
	}
	lightColours = [roles]string{
		Plain: "#1d1f24", Ground: "#faf8f4", Dim: "#5d6470", Accent: "#0b5cad", Good: "#1f6f2b", Bad: "#a8230f", Bar: "#dfe6f0", Chosen: "#cfe0f5",
		Tile: "#a07a4c", TileAlt: "#936e42", Grid: "#6b4d29", Black: "#0a0a0a", White: "#ffffff", Pit: "#46331c",
		Last: "#6f7f2a", Selected: "#3a70a8", Target: "#fff3c4", Danger: "#4a0800",
	}
	safeColours = [roles]string{
		Plain: "#f2f2f2", Ground: "#101010", Dim: "#b0b0b0", Accent: "#56b4e9", Good: "#56b4e9", Bad: "#e69f00", Bar: "#2b2b2b", Chosen: "#004c78",
		Tile: "#0072b2", TileAlt: "#0068a3", Grid: "#003d61", Black: "#000000", White: "#ffffff", Pit: "#26323a",
		Last: "#a85a00", Selected: "#5a4a8a", Target: "#f0e442", Danger: "#ffc27a",
	}
)

// Colour returns the colour of a role, nil for the terminal's own.
func (t *Theme) Colour(r Role) color.Color {
	if t.colours == nil {
		return nil
	}
	return t.colours[r]
}

// style converts a Style to lipgloss. Without colours, bars and the cursor are
// reversed to remain visible.
func (t *Theme) style(s Style) lipgloss.Style {
	look := lipgloss.NewStyle().Bold(s.Bold).Reverse(s.Reverse).Underline(s.Underline)
	if t.colours == nil {
		if s.BG == Bar || s.BG == Chosen || s.BG == Selected {
			look = look.Reverse(!s.Reverse)
		}
		return look
	}
	bg := s.BG
	if bg == Plain {
		bg = Ground
	}
	return look.Foreground(t.colours[s.FG]).Background(t.colours[bg])
}
