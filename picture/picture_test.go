package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/gif"
	"image/png"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/picture"
)

// boards returns the boards of a random game from first to last.
func boards(t *testing.T, g game.Game, s game.Setup) (list []game.Board) {
	t.Helper()
	p, err := g.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.NewPCG(1, 1)
	for range 400 {
		list = append(list, p.Board())
		mv := game.Sample(p, r, nil)
		if mv == 0 {
			break
		}
		p.Play(mv)
	}
	return list
}

// TestPictures draws the last board of a game of each kind, and of the smallest
// and largest.
func TestPictures(t *testing.T) {
	for name, s := range map[string]game.Setup{
		"neighbors": nil, "loa": nil, "chess": nil, "othello": {"size": "26", "pits": "a1,z26"}, "connect6": {"size": "1"},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := games.ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			list := boards(t, g, s)
			d := picture.Of(list[len(list)-1], picture.Options{Last: []game.Cell{0}, Title: `<"&'>`})
			wellFormed(t, d.SVG(300))
			var b bytes.Buffer
			if err := picture.PNG(&b, d, 300); err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(&b)
			if err != nil || img.Bounds().Dx() != 300 {
				t.Errorf("the image is %v wide (%v), want 300 pixels", img.Bounds().Dx(), err)
			}
		})
	}
}

// wellFormed reads all of an SVG.
func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("the SVG is not well formed: %v", err)
		}
	}
}

// TestGIF animates a whole game: at its end Connect6 has no note any more, and
// the picture keeps its size.
func TestGIF(t *testing.T) {
	g, err := games.ByName("connect6")
	if err != nil {
		t.Fatal(err)
	}
	var list []picture.Drawing
	for _, b := range boards(t, g, game.Setup{"size": "4"}) {
		list = append(list, picture.Of(b, picture.Options{}))
	}
	var b bytes.Buffer
	if err := picture.GIF(&b, list, 100, 50*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	a, err := gif.DecodeAll(&b)
	if err != nil || len(a.Image) != len(list) {
		t.Fatalf("%d frames (%v), want %d", len(a.Image), err, len(list))
	}
	if a.Delay[0] != 5 || a.Delay[len(list)-1] != 20 {
		t.Errorf("delays are %v, want 5 hundredths and 20 at the end", a.Delay)
	}
}

func TestText(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	got := picture.Text(boards(t, g, game.Setup{"size": "4", "pits": "a1"})[0], g.Sides, picture.Options{Last: []game.Cell{5}})
	for _, want := range []string{"  a b c d\n", "1 # . . . 1\n", "(", "Black 2, White 2"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
