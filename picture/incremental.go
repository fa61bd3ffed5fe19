package picture

import (
	"encoding/binary"
	"image"
	"image/draw"
	"math"
)

// incrementalImage renders a sequence of drawings and redraws only what changes: in
// the animation of a game a few cells of hundreds.
type incrementalImage struct {
	width  int
	raster *raster
	shapes []Shape // drawn on the image
}

// image returns the image of a drawing. The next call modifies it.
func (f *incrementalImage) image(d Drawing) (*image.RGBA, error) {
	if f.raster == nil || f.raster.img.Bounds().Dy() != d.height(f.width) {
		img, err := d.Image(f.width)
		if err != nil {
			return nil, err
		}
		if f.raster, err = newRaster(d, f.width); err != nil {
			return nil, err
		}
		f.raster.img, f.shapes = img, d.Shapes
		return img, nil
	}
	for _, box := range f.changedBoxes(d.Shapes) {
		if err := f.redraw(d.Shapes, box); err != nil {
			return nil, err
		}
	}
	f.shapes = d.Shapes
	return f.raster.img, nil
}

// redraw redraws a box of the image.
func (f *incrementalImage) redraw(shapes []Shape, box image.Rectangle) error {
	r := f.raster
	r.clip = box
	draw.Draw(r.img, box, image.Transparent, image.Point{}, draw.Src)
	for _, s := range shapes {
		if !r.box(s).Overlaps(box) {
			continue
		}
		if err := r.shape(s); err != nil {
			return err
		}
	}
	return nil
}

// changedBoxes returns disjoint boxes that cover all differences between the shapes
// and the image.
func (f *incrementalImage) changedBoxes(shapes []Shape) (list []image.Rectangle) {
	count := map[string]int{}
	for _, s := range shapes {
		count[key(s)]++
	}
	for _, s := range f.shapes { // removed shapes
		if k := key(s); count[k] > 0 {
			count[k]--
		} else {
			list = mergeBox(list, f.raster.box(s))
		}
	}
	for _, s := range shapes { // added shapes
		if k := key(s); count[k] > 0 {
			count[k]--
			list = mergeBox(list, f.raster.box(s))
		}
	}
	return list
}

// mergeBox adds a box to a list and merges it with boxes that it overlaps.
func mergeBox(list []image.Rectangle, box image.Rectangle) []image.Rectangle {
	for i := 0; i < len(list); i++ {
		if list[i].Overlaps(box) {
			box = box.Union(list[i])
			list = append(list[:i], list[i+1:]...)
			i = -1 // it has grown: test all boxes again
		}
	}
	return append(list, box)
}

// key returns a text that identifies a shape.
func key(s Shape) string {
	b := make([]byte, 0, 64+16*len(s.Points)+len(s.Text))
	number := func(x float64) { b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x)) }
	for _, x := range []float64{s.X, s.Y, s.Radius, s.Size, s.Scale, s.Width, float64(len(s.Points))} {
		number(x)
	}
	for _, p := range s.Points {
		number(p.X)
		number(p.Y)
	}
	b = append(b, s.Fill.R, s.Fill.G, s.Fill.B, s.Fill.A, s.Line.R, s.Line.G, s.Line.B, s.Line.A, 0)
	if s.Open {
		b[len(b)-1] = 1
	}
	if s.Outline != nil {
		b = append(b, s.Outline.name...)
	}
	if s.Paint != nil {
		b = append(b, s.Paint.name...)
	}
	return string(append(b, s.Text...))
}

// box returns a box that covers a shape on the image.
func (r *raster) box(s Shape) image.Rectangle {
	lo, hi := Point{s.X - s.Radius, s.Y - s.Radius}, Point{s.X + s.Radius, s.Y + s.Radius}
	if s.Text != "" {
		half := s.Size * float64(len(s.Text)) // no letter is wider than twice the font size
		lo, hi = Point{s.X - half, s.Y - s.Size}, Point{s.X + half, s.Y + s.Size}
	} else if o := s.Outline; o != nil {
		lo, hi = Point{s.X + s.Scale*o.lo.X, s.Y + s.Scale*o.lo.Y}, Point{s.X + s.Scale*o.hi.X, s.Y + s.Scale*o.hi.Y}
	} else if len(s.Points) > 0 {
		lo, hi = bounds([][]Point{s.Points})
	}
	edge := s.Width/2 + 1/r.scale
	pixels := func(x float64, round func(float64) float64) int { return int(round(x * r.scale)) }
	return image.Rect(
		pixels(lo.X-edge, math.Floor), pixels(lo.Y-edge, math.Floor), pixels(hi.X+edge, math.Ceil)+1, pixels(hi.Y+edge, math.Ceil)+1,
	).Intersect(r.img.Bounds())
}
