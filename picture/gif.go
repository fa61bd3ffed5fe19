package picture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
	"time"
)

// GIF writes n drawings as an endless animation, width pixels wide. The last one is
// shown four times as long. at returns drawing i, counted from 0; all must have the
// size of the first. GIF does not keep the drawings, because a long game has many. An
// error of at aborts it.
func GIF(out io.Writer, n int, at func(i int) (Drawing, error), width int, delay time.Duration) error {
	if n < 1 {
		return errors.New("animation without pictures: expected at least one")
	}
	var some []*image.RGBA
	for _, i := range []int{0, 1, n / 2, n - 1} {
		d, err := at(min(i, n-1))
		if err != nil {
			return err
		}
		img, err := d.Image(width)
		if err != nil {
			return err
		}
		some = append(some, img)
	}
	a := animation{colours: palette(some), index: map[color.RGBA]uint8{}}
	f := incrementalImage{width: width}
	for i := range n {
		d, err := at(i)
		if err != nil {
			return err
		}
		img, err := f.image(d)
		if err != nil {
			return err
		}
		if img.Bounds() != some[0].Bounds() {
			return fmt.Errorf("picture %d of the animation: expected the size of the first one", i+1)
		}
		wait := int(delay / (10 * time.Millisecond))
		if i == n-1 {
			wait *= 4
		}
		a.add(img, max(wait, 2))
	}
	if err := gif.EncodeAll(out, &a.GIF); err != nil {
		return fmt.Errorf("writing a GIF: %w", err)
	}
	return nil
}

// animation is a GIF under construction.
type animation struct {
	gif.GIF
	colours color.Palette
	index   map[color.RGBA]uint8
	last    *image.RGBA
}

// palette returns a transparent colour for unchanged pixels and the most frequent
// colours of some images.
func palette(some []*image.RGBA) color.Palette {
	count := map[color.RGBA]int{}
	for _, img := range some {
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				count[img.RGBAAt(x, y)]++
			}
		}
	}
	// Always include the colours of move marks: not every sampled image has them.
	list := []color.RGBA{accent, halo}
	for c := range count {
		if c != accent && c != halo {
			list = append(list, c)
		}
	}
	slices.SortFunc(list[2:], func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(colorKey(a), colorKey(b)))
	})
	colours := append(make(color.Palette, 0, 256), none)
	for _, c := range list {
		if near := func(d color.Color) bool { return similar(c, d) }; len(colours) < 256 && !slices.ContainsFunc(colours[1:], near) {
			colours = append(colours, c)
		}
	}
	return colours
}

// similar reports whether two colours can share a palette entry.
func similar(c color.RGBA, d color.Color) bool {
	const most = 10
	e, ok := d.(color.RGBA)
	differ := func(a, b uint8) bool { return max(a, b)-min(a, b) > most }
	return ok && !differ(c.R, e.R) && !differ(c.G, e.G) && !differ(c.B, e.B)
}

// colorKey is a sort key for colours.
func colorKey(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

// add adds a frame with the changes since the last image.
func (a *animation) add(img *image.RGBA, wait int) {
	box := img.Bounds()
	if a.last != nil {
		box = changed(a.last, img)
	}
	p := image.NewPaletted(box, a.colours)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := img.RGBAAt(x, y)
			if a.last != nil && a.last.RGBAAt(x, y) == c {
				continue // transparent: long runs compress well
			}
			i, ok := a.index[c]
			if !ok {
				i = 1 + uint8(a.colours[1:].Index(c))
				a.index[c] = i
			}
			p.SetColorIndex(x, y, i)
		}
	}
	if a.last == nil {
		a.Config = image.Config{ColorModel: a.colours, Width: box.Dx(), Height: box.Dy()}
		a.last = image.NewRGBA(img.Bounds())
	}
	copy(a.last.Pix, img.Pix) // the caller reuses the image
	a.Image, a.Delay, a.Disposal = append(a.Image, p), append(a.Delay, wait), append(a.Disposal, gif.DisposalNone)
}

// changed returns the bounding box of the difference of two images, at least one
// pixel.
func changed(a, b *image.RGBA) image.Rectangle {
	var box image.Rectangle
	for y := range a.Bounds().Dy() {
		p, q := a.Pix[y*a.Stride:][:4*a.Bounds().Dx()], b.Pix[y*b.Stride:][:4*a.Bounds().Dx()]
		if bytes.Equal(p, q) {
			continue
		}
		first, last := 0, len(p)-1
		for p[first] == q[first] {
			first++
		}
		for p[last] == q[last] {
			last--
		}
		box = box.Union(image.Rect(first/4, y, last/4+1, y+1))
	}
	if box.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return box
}
