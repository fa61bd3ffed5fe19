package look

import (
	"encoding/hex"
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// Role is what a colour is for.
type Role uint8

// The roles: first those of text, then those of what stands on a board, then
// those of the ground that it stands on.
const (
	Plain  Role = iota
	Dim         // less important
	Title       // the line at the top
	Accent      // what is chosen
	Key         // the name of a key
	Good        // success, and the side that is ahead
	Warn        // wants attention
	Bad         // errors, and time that runs out
	Help        // the line at the bottom

	Black // pieces of the dark side
	White // pieces of the light side
	Pit
	Line  // between cells
	Label // beside rows and columns
	Value // numbers on cells

	Board  // a cell
	Cursor // the cell where the next key acts
	Chosen // the piece that is about to move
	Last   // where something has just been played
	Target // where something may be played
	Hint   // what the engine would play
	Threat // what the opponent threatens
	Group  // the largest group of a side
	roles
)

// Ink is how a role looks.
type Ink struct {
	FG, BG        color.Color // nil for the terminal's own
	Bold, Reverse bool
}

// Theme is the inks of all roles.
type Theme struct {
	Name string
	Help string
	Inks [roles]Ink
}

// Themes returns the themes that there are.
func Themes() []Theme { return []Theme{dark(), light(), safe(), basic(), none()} }

// ThemeNames returns the names of the themes.
func ThemeNames() (names []string) {
	for _, t := range Themes() {
		names = append(names, t.Name)
	}
	return names
}

// ink is made of colours such as "#3f705a"; "" is the terminal's own.
func ink(fg, bg string) Ink { return Ink{FG: rgb(fg), BG: rgb(bg)} }

func rgb(text string) color.Color {
	if text == "" {
		return nil
	}
	b, err := hex.DecodeString(text[1:])
	if err != nil || len(b) != 3 {
		panic("colour " + text + ": want # and six hexadecimal digits")
	}
	return color.RGBA{b[0], b[1], b[2], 255}
}

func bold(i Ink) Ink {
	i.Bold = true
	return i
}

func dark() Theme {
	return Theme{Name: "dark", Help: "for dark terminals", Inks: [roles]Ink{
		Plain: ink("#d8dee9", ""), Dim: ink("#8790a3", ""), Title: bold(ink("#e5e9f0", "#2e3440")), Accent: bold(ink("#88c0d0", "")),
		Key: bold(ink("#ebcb8b", "")), Good: ink("#a3be8c", ""), Warn: ink("#ebcb8b", ""), Bad: bold(ink("#e0808a", "")), Help: ink("#9aa3b5", ""),
		Black: bold(ink("#10151c", "")), White: bold(ink("#ffffff", "")), Pit: ink("#1f3a2f", ""), Line: ink("#5f8f78", ""),
		Label: ink("#9aa3b5", ""), Value: bold(ink("#fdf2c0", "")),
		Board: ink("", "#3f705a"), Cursor: bold(ink("#10151c", "#b9821f")), Chosen: ink("", "#4f86b8"), Last: ink("", "#7f8f3a"),
		Target: ink("#cfe8da", "#3f705a"), Hint: ink("", "#8a6fb0"), Threat: ink("", "#a8524f"), Group: ink("", "#4d8a8f"),
	}}
}

func light() Theme {
	return Theme{Name: "light", Help: "for light terminals", Inks: [roles]Ink{
		Plain: ink("#2b303b", ""), Dim: ink("#656d7c", ""), Title: bold(ink("#1d2129", "#dfe4ec")), Accent: bold(ink("#0b5c8a", "")),
		Key: bold(ink("#8a4b00", "")), Good: ink("#2f6b2f", ""), Warn: ink("#8a4b00", ""), Bad: bold(ink("#a3212c", "")), Help: ink("#565e6c", ""),
		Black: bold(ink("#101010", "")), White: bold(ink("#ffffff", "")), Pit: ink("#5d4a33", ""), Line: ink("#8d7450", ""),
		Label: ink("#565e6c", ""), Value: bold(ink("#10151c", "")),
		Board: ink("", "#a5834c"), Cursor: bold(ink("#ffffff", "#2a6fae")), Chosen: ink("", "#5b8fbf"), Last: ink("", "#8f7f22"),
		Target: ink("#3d2f1b", "#a5834c"), Hint: ink("", "#9376b8"), Threat: ink("", "#c0625a"), Group: ink("", "#5f8f68"),
	}}
}

// safe takes its colours from the palette of Okabe and Ito, "Color Universal
// Design" (2008), which people of all kinds of colour vision tell apart.
func safe() Theme {
	return Theme{Name: "safe", Help: "colours that everybody tells apart", Inks: [roles]Ink{
		Plain: ink("", ""), Dim: ink("#9a9a9a", ""), Title: bold(ink("#ffffff", "#005078")), Accent: bold(ink("#56b4e9", "")),
		Key: bold(ink("#e69f00", "")), Good: ink("#56b4e9", ""), Warn: ink("#e69f00", ""), Bad: bold(ink("#e06a1f", "")), Help: ink("#9a9a9a", ""),
		Black: bold(ink("#000000", "")), White: bold(ink("#ffffff", "")), Pit: ink("#3c3c3c", ""), Line: ink("#a5a5a5", ""),
		Label: ink("#9a9a9a", ""), Value: bold(ink("#000000", "")),
		Board: ink("", "#7d7d7d"), Cursor: bold(ink("#000000", "#bf7f00")), Chosen: ink("", "#2f8fc4"), Last: ink("", "#0072b2"),
		Target: ink("#ffffff", "#7d7d7d"), Hint: ink("", "#cc79a7"), Threat: ink("", "#d55e00"), Group: ink("", "#009e73"),
	}}
}

// The eight colours that every terminal with colours has, by their ANSI numbers.
const (
	black ansi.BasicColor = iota
	red
	green
	yellow
	blue
	magenta
	cyan
	white
)

// basic is for the bare Linux console and others that have eight colours: what a
// colour of another theme would become there may be black on black.
func basic() Theme {
	return Theme{Name: "basic", Help: "eight colours, for a bare console", Inks: [roles]Ink{
		Title: bold(Ink{FG: white, BG: blue}), Accent: bold(Ink{FG: cyan}), Key: bold(Ink{FG: yellow}), Good: Ink{FG: green}, Warn: Ink{FG: yellow},
		Bad: bold(Ink{FG: red}), Black: Ink{FG: black}, White: bold(Ink{FG: white}), Pit: Ink{FG: black}, Line: Ink{FG: black}, Value: bold(Ink{FG: yellow}),
		Board: Ink{BG: green}, Cursor: Ink{FG: black, BG: yellow}, Chosen: Ink{BG: magenta}, Last: Ink{BG: cyan}, Target: Ink{FG: white, BG: green},
		Hint: Ink{BG: magenta}, Threat: Ink{BG: red}, Group: Ink{BG: green},
	}}
}

// none has attributes only.
func none() Theme {
	return Theme{Name: "none", Help: "no colours", Inks: [roles]Ink{
		Title: {Reverse: true}, Accent: {Bold: true}, Key: {Bold: true}, Bad: {Bold: true}, Warn: {Bold: true},
		Black: {Bold: true}, White: {Bold: true}, Cursor: {Reverse: true},
	}}
}
