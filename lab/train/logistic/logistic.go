// Package logistic maps scores of an evaluation to expected results, and knows no game.
package logistic

import "math"

// Expected returns the expected result at a score, from 0 (loss) to 1 (win). A score
// equal to scale means ten wins to one loss.
func Expected(score, scale float64) float64 { return 1 / (1 + math.Exp(-score*math.Ln10/scale)) }
