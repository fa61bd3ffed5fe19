package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/picture"
)

// start returns the first board of a game.
func start(t *testing.T, name string, s game.Setup) game.Board {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.Board()
}

// boards are the boards of all games and of the extreme sizes.
func boards(t *testing.T) map[string]game.Board {
	return map[string]game.Board{
		"neighbors": start(t, "neighbors", nil), "loa": start(t, "loa", nil), "chess": start(t, "chess", nil),
		"othello": start(t, "othello", game.Setup{"pits": "a1,h8"}), "connect6": start(t, "connect6", nil),
		"othello 26": start(t, "othello", game.Setup{"size": "26"}), "connect6 1": start(t, "connect6", game.Setup{"size": "1"}),
	}
}

// TestSVG checks that documents are well-formed, with every piece, label and mark.
func TestSVG(t *testing.T) {
	for name, b := range boards(t) {
		text := string(picture.Of(b, picture.Options{Last: []game.Cell{0}, Title: "a & b\x00"}).SVG(300))
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		labels := 2 * (len(b.Rows) + len(b.Cols))
		if got := strings.Count(text, "<text "); got < labels || !strings.Contains(text, "<title>a &amp; b</title>") {
			t.Errorf("%s: %d texts, want %d and the title", name, got, labels)
		}
		if strings.Count(text, `stroke="#d93a1e"`) != 4 {
			t.Errorf("%s: want four corners around the cell of the last move", name)
		}
	}
}

// TestImage checks colours in the middle of cells, and that stones are lit from the
// upper left.
func TestImage(t *testing.T) {
	b := start(t, "othello", game.Setup{"size": "4", "pits": "a1"})
	d := picture.Of(b, picture.Options{})
	img, err := d.Image(int(d.Width)) // a pixel a unit
	if err != nil {
		t.Fatal(err)
	}
	at := func(row, col, dx, dy int) color.RGBA { return img.RGBAAt(75+col*100+50+dx, 75+row*100+50+dy) }
	black, white, felt := at(1, 1, 0, 0), at(1, 2, 0, 0), at(3, 3, 0, 0)
	if black == white || black == felt || white == felt {
		t.Errorf("black %v, white %v, empty %v, want three colours", black, white, felt)
	}
	for col := 1; col <= 2; col++ {
		if lit, dark := at(1, col, -10, -12), at(1, col, 26, 26); lit.R <= dark.R {
			t.Errorf("column %d: the stone is %v at its upper left and %v at its lower right, want it darker there", col, lit, dark)
		}
		if under := at(1, col, 6, 45); under.G >= felt.G {
			t.Errorf("column %d: no shadow below the stone: %v", col, under)
		}
	}
	if at(0, 0, 0, 0) == at(0, 0, 0, -30) {
		t.Error("want a cross on a pit")
	}
	for i := range 4 {
		if at(i, 2, 50, 0) == felt || at(2, i, 0, 50) == felt {
			t.Errorf("row or column %d: want lines between cells", i)
		}
	}
	if at(3, 3, 0, 0) != at(3, 3, 20, 20) {
		t.Error("an empty cell has something in it")
	}
	for _, width := range []int{0, -1, picture.MaxWidth + 1} {
		if _, err := d.Image(width); err == nil {
			t.Errorf("%d pixels: want it refused", width)
		}
	}
}

// TestGrounds verifies that the boards of pictures have the colours of those on the pages.
func TestGrounds(t *testing.T) {
	css, err := os.ReadFile("../web/ui/look.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, ground := range []game.Ground{game.Wood, game.Felt, game.Slate, game.Bamboo, game.Chequered} {
		selector := "[data-game]"
		if ground != game.Wood {
			selector = `[data-ground="` + string(ground) + `"]`
		}
		_, rule, _ := strings.Cut(string(css), "\n"+selector+" {")
		_, pale, _ := strings.Cut(rule, "--pale: var(--day, ")
		pale, _, _ = strings.Cut(pale, ")")
		board := start(t, "loa", nil)
		if text := string(picture.Of(board, picture.Options{Look: game.Look{Ground: ground}}).SVG(0)); len(pale) != 7 || !strings.Contains(text, `fill="`+pale+`"`) {
			t.Errorf("ground %q: no cell has the colour %q of %s", ground, pale, selector)
		}
	}
}

// TestLightFirst verifies that colours belong to sides, not to the order of moving.
func TestLightFirst(t *testing.T) {
	board := start(t, "loa", nil)
	dark := picture.Of(board, picture.Options{})
	light := picture.Of(board, picture.Options{Look: game.Look{LightFirst: true}})
	for i := range board.Cells {
		if board.Cells[i].Side = board.Cells[i].Side.Other(); board.Cells[i].Kind == game.Empty {
			board.Cells[i] = game.Piece{}
		}
	}
	swapped := picture.Of(board, picture.Options{})
	if bytes.Equal(dark.SVG(0), light.SVG(0)) || !bytes.Equal(light.SVG(0), swapped.SVG(0)) {
		t.Error("the side that moves first has not the colour of its pieces")
	}
}

// TestSameDrawing verifies that stones and pieces have the colours of those on the pages,
// and that pages draw every piece of the pictures.
func TestSameDrawing(t *testing.T) {
	var css string
	for _, name := range []string{"look.css", "board.css", "pieces.tsx"} {
		text, err := os.ReadFile("../web/ui/" + name)
		if err != nil {
			t.Fatal(err)
		}
		css += string(text)
	}
	for name, value := range picture.StoneColours() {
		if !strings.Contains(css, " --"+name+": "+value+";") && !strings.Contains(css, " --"+name+": var(--day, "+value+")") {
			t.Errorf("the pages have another colour than %s for --%s", value, name)
		}
	}
	for _, rule := range []string{
		".man.white .body, .man.white text { fill: url(#man-one); stroke: #2a241d; stroke-width: 1.5; }",
		".man.black .body, .man.black text { fill: url(#man-two); stroke: #f5eddc; stroke-width: 1.3; }",
		".man .lines { fill: none; stroke: #2a241d; stroke-width: .75; }", ".man.black .lines { stroke: #e8dcc6; }",
		".stone.black circle { fill: url(#stone-one); stroke: var(--one-edge); stroke-width: .4; }",
		".stone.white circle { fill: url(#stone-two); stroke: var(--two-edge); stroke-width: .3; }",
		`<ellipse class="shade" cx=".4" cy="1" rx="9.4" ry="9.4" />`, `<circle r="8" />`,
	} {
		if !strings.Contains(css, rule) {
			t.Errorf("the pages no longer have %q: draw pictures alike (pieces.go)", rule)
		}
	}
}

// TestPieceShapes checks that every chess piece looks different from the others on both
// colours of cells.
func TestPieceShapes(t *testing.T) {
	seen := map[string]byte{}
	for _, kind := range []byte("KQRBNPX") {
		for _, side := range []game.Side{game.First, game.Second} {
			b := start(t, "chess", nil)
			b.Cells[27] = game.Piece{Kind: kind, Side: side}
			img, err := picture.Of(b, picture.Options{}).Image(190)
			if err != nil {
				t.Fatal(err)
			}
			cell := image.NewRGBA(image.Rect(0, 0, 20, 20))
			for i := range 400 {
				cell.Set(i%20, i/20, img.At(15+3*20+i%20, 15+3*20+i/20))
			}
			if other, ok := seen[string(cell.Pix)]; ok {
				t.Errorf("%c looks like %c", kind, other)
			}
			seen[string(cell.Pix)] = kind
		}
	}
}

// TestPNG and GIF read back what they wrote.
func TestPNG(t *testing.T) {
	for name, b := range boards(t) {
		var out bytes.Buffer
		if err := picture.PNG(&out, picture.Of(b, picture.Options{}), 200); err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(&out); err != nil || img.Bounds().Dx() != 200 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGIF(t *testing.T) {
	b := start(t, "othello", nil)
	after := start(t, "othello", nil)
	after.Cells[20] = game.Piece{Kind: game.Stone, Side: game.First}
	var out bytes.Buffer
	o := picture.Options{Look: game.Look{Set: game.Chessmen}} // stones have no value in this set: the score does not change
	list := []picture.Drawing{picture.Of(b, o), picture.Of(after, picture.Options{Look: o.Look, Last: []game.Cell{20}}), picture.Of(b, o)}
	at := func(list []picture.Drawing) func(int) (picture.Drawing, error) {
		return func(i int) (picture.Drawing, error) { return list[i], nil }
	}
	if err := picture.GIF(&out, len(list), at(list), 200, 500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&out)
	if err != nil || len(g.Image) != 3 || g.Delay[0] != 50 || g.Delay[2] != 200 {
		t.Fatalf("%d pictures, delays %v, %v", len(g.Image), g.Delay, err)
	}
	if box := g.Image[1].Bounds(); box.Dx() > 40 || box.Dy() > 40 {
		t.Errorf("the second picture has %v, want what has changed", box)
	}
	shown := image.NewRGBA(g.Image[0].Bounds())
	for i, frame := range g.Image {
		draw.Draw(shown, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
		want, err := list[i].Image(200)
		if err != nil {
			t.Fatal(err)
		}
		for at := range want.Pix {
			if d := int(want.Pix[at]) - int(shown.Pix[at]); d > 60 || d < -60 {
				t.Fatalf("picture %d: byte %d is %d, want about %d", i+1, at, shown.Pix[at], want.Pix[at])
			}
		}
	}
	if err := picture.GIF(&out, 0, at(nil), 200, time.Second); err == nil {
		t.Error("an animation of nothing was written")
	}
	small := picture.Of(start(t, "connect6", game.Setup{"size": "5"}), picture.Options{})
	large := picture.Of(start(t, "othello", game.Setup{"pits": "a1"}), picture.Options{})
	if err := picture.GIF(&out, 2, at([]picture.Drawing{small, large}), 200, time.Second); err == nil {
		t.Error("pictures of two sizes were put together")
	}
	stop := errors.New("enough")
	if err := picture.GIF(&out, 2, func(int) (picture.Drawing, error) { return small, stop }, 200, time.Second); !errors.Is(err, stop) {
		t.Errorf("the error of a drawing came back as %v", err)
	}
}

// TestText draws boards in letters.
func TestText(t *testing.T) {
	b := start(t, "othello", game.Setup{"size": "4", "pits": "d4"})
	got := picture.Text(b, [2]string{"Black", "White"}, picture.Options{Last: []game.Cell{5, 6}})
	want := "  a b c d\n1 . . . . 1\n2 .(B(W). 2\n3 . W B . 3\n4 . . . # 4\n  a b c d\nBlack 2, White 2\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := picture.Text(start(t, "chess", nil), [2]string{"White", "Black"}, picture.Options{}); !strings.Contains(got, "8 r n b q k b n r 8\n") || !strings.Contains(got, "1 R N B Q K B N R 1\n") {
		t.Errorf("got\n%s", got)
	}
}
