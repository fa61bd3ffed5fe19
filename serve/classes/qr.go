package classes

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// qrPath returns the QR code of a text as a path of SVG, and the number of modules in a row, with the quiet zone that
// readers need.
func qrPath(text string) (path string, modules int, err error) {
	const quiet = 4
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", 0, fmt.Errorf("drawing a QR code: %w", err)
	}
	var out strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			begin := x
			for code.Black(x, y) { // false outside
				x++
			}
			if x > begin {
				fmt.Fprintf(&out, "M%d %dh%dv1h-%dz", begin+quiet, y+quiet, x-begin, x-begin)
			}
		}
	}
	return out.String(), code.Size + 2*quiet, nil
}
