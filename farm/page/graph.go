package page

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"quintet/farm"
)

// The size of a graph, and the margins for its labels.
const (
	graphWidth  = 800
	graphHeight = 240
	graphLeft   = 56
	graphRight  = 12
	graphTop    = 24
	graphBottom = 28
)

// graph is a curve over the number of games.
type graph struct {
	title     string
	games     float64 // at the right edge
	low, high float64 // at the lower and upper edge
	body      strings.Builder
}

func newGraph(title string, points []farm.Point, values ...float64) *graph {
	g := &graph{title: title, games: 1, low: math.Inf(1), high: math.Inf(-1)}
	for _, v := range values {
		g.low, g.high = min(g.low, v), max(g.high, v)
	}
	if len(points) > 0 {
		g.games = float64(points[len(points)-1].Games)
	}
	pad := max((g.high-g.low)/20, 0.5)
	g.low, g.high = g.low-pad, g.high+pad
	return g
}

// at returns where a value is on the picture.
func (g *graph) at(games int, value float64) string {
	x := graphLeft + float64(games)/g.games*(graphWidth-graphLeft-graphRight)
	y := graphTop + (g.high-value)/(g.high-g.low)*(graphHeight-graphTop-graphBottom)
	return fmt.Sprintf("%.1f,%.1f", x, y)
}

// level draws a horizontal line with its label.
func (g *graph) level(value float64, class string) {
	x1, y, _ := strings.Cut(g.at(0, value), ",")
	x2, _, _ := strings.Cut(g.at(int(g.games), value), ",")
	fmt.Fprintf(&g.body, `<line class="%s" x1="%s" x2="%s" y1="%s" y2="%s"/>`, class, x1, x2, y, y)
	fmt.Fprintf(&g.body, `<text x="%d" y="%s" dy="4" text-anchor="end">%.4g</text>`, graphLeft-6, y, math.Round(value*100)/100)
}

func (g *graph) curve(points []farm.Point, value func(farm.Point) float64) {
	list := make([]string, 0, len(points))
	for _, p := range points {
		list = append(list, g.at(p.Games, value(p)))
	}
	fmt.Fprintf(&g.body, `<polyline class="curve" points="%s"/>`, strings.Join(list, " "))
}

// html returns the picture.
func (g *graph) html() template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="graph" viewBox="0 0 %d %d" role="img" aria-label="%s"><text x="%d" y="16">%s</text>%s<text x="%d" y="%d" text-anchor="end">%.0f games</text></svg>`, //nolint:gosec // numbers and our own titles
		graphWidth, graphHeight, g.title, graphLeft, g.title, g.body.String(), graphWidth-graphRight, graphHeight-8, g.games))
}

// eloGraph draws Elo with its 95 % interval. The first games, whose interval is wider
// than 400, are left out.
func eloGraph(points []farm.Point) template.HTML {
	for len(points) > 0 && points[0].Margin > 200 {
		points = points[1:]
	}
	if len(points) < 2 {
		return ""
	}
	values := []float64{0}
	for _, p := range points {
		values = append(values, p.Elo-p.Margin, p.Elo+p.Margin)
	}
	g := newGraph("Elo, with its 95 % interval", points, values...)
	var band []string
	for _, p := range points {
		band = append(band, g.at(p.Games, p.Elo+p.Margin))
	}
	for i := range points {
		p := points[len(points)-1-i]
		band = append(band, g.at(p.Games, p.Elo-p.Margin))
	}
	fmt.Fprintf(&g.body, `<polygon class="band" points="%s"/>`, strings.Join(band, " "))
	g.level(0, "axis")
	g.level(points[len(points)-1].Elo, "axis")
	g.curve(points, func(p farm.Point) float64 { return p.Elo })
	return g.html()
}

// sprtBound is the LLR at which a test decides: ln 19.
const sprtBound = 2.94

// llrGraph draws the LLR between the bounds of the test.
func llrGraph(points []farm.Point) template.HTML {
	if len(points) < 2 {
		return ""
	}
	values := []float64{-sprtBound, sprtBound}
	for _, p := range points {
		values = append(values, p.LLR)
	}
	g := newGraph("LLR", points, values...)
	g.level(-sprtBound, "bound")
	g.level(sprtBound, "bound")
	g.level(0, "axis")
	g.curve(points, func(p farm.Point) float64 { return p.LLR })
	return g.html()
}
