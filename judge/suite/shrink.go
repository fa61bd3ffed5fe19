package suite

import "slices"

// Shrink returns a shorter list of lines that still fails, by removing runs of lines
// (delta debugging, after Zeller and Hildebrandt, 2002).
func Shrink(lines []string, fails func([]string) bool) []string {
	for size := max(len(lines)/2, 1); ; {
		shorter := false
		for at := 0; at+size <= len(lines); {
			rest := slices.Concat(lines[:at], lines[at+size:])
			if fails(rest) {
				lines, shorter = rest, true
				continue
			}
			at += max(size/2, 1)
		}
		if size == 1 && !shorter {
			return lines
		}
		if !shorter {
			size /= 2
		}
		size = min(max(size, 1), max(len(lines), 1))
	}
}
