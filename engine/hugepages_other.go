//go:build !linux

package engine

// adviseHugePages asks for huge pages for the entries of a table. Here it does nothing.
func adviseHugePages([]entry) {}
