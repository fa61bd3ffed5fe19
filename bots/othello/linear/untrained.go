package linear

// Untrained returns weights set by hand, the same for all boards and phases, with which
// training begins.
func Untrained() *Weights {
	w := new(Weights)
	for f, discs := range map[int]float64{
		Parity: 1, Mobility: 0.7, Anchors: 5, Frontier: -0.25, Adjacent: -1.8, Diagonal: -1.8, Stable: 1.7,
	} {
		for k := range w[f][0] {
			w[f][0][k] = discs
		}
	}
	return w
}
