package picture

import (
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
		r, err := d.raster(f.width)
		if err != nil {
			return nil, err
		}
		f.raster, f.shapes = r, d.Shapes
		return r.img, nil
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
	count := map[Shape]int{}
	for _, s := range shapes {
		count[s]++
	}
	for _, s := range f.shapes { // removed shapes
		if count[s] > 0 {
			count[s]--
		} else {
			list = mergeBox(list, f.raster.box(s))
		}
	}
	for _, s := range shapes { // added shapes
		if count[s] > 0 {
			count[s]--
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

// box returns a box that covers a shape on the image.
func (r *raster) box(s Shape) image.Rectangle {
	lo, hi := Point{s.X - s.Radius, s.Y - s.Radius}, Point{s.X + s.Radius, s.Y + s.Radius}
	if s.Text != "" {
		half := s.Size * float64(len(s.Text)) // no letter is wider than twice the font size
		lo, hi = Point{s.X - half, s.Y - s.Size}, Point{s.X + half, s.Y + s.Size}
	} else if o := s.Outline; o != nil {
		lo, hi = Point{s.X + s.Scale*o.lo.X, s.Y + s.Scale*o.lo.Y}, Point{s.X + s.Scale*o.hi.X, s.Y + s.Scale*o.hi.Y}
	} else if s.Corners > 0 {
		lo, hi = bounds([][]Point{s.Points[:s.Corners]})
	}
	edge := s.Width/2 + 1/r.scale
	pixels := func(x float64, round func(float64) float64) int { return int(round(x * r.scale)) }
	return image.Rect(
		pixels(lo.X-edge, math.Floor), pixels(lo.Y-edge, math.Floor), pixels(hi.X+edge, math.Ceil)+1, pixels(hi.Y+edge, math.Ceil)+1,
	).Intersect(r.img.Bounds())
}
