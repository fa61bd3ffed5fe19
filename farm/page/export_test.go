package page

import "quintet/farm"

// Graphs returns both graphs of a match.
func Graphs(points []farm.Point) []string {
	return []string{string(eloGraph(points)), string(llrGraph(points))}
}
