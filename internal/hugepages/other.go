//go:build !linux

package hugepages

// Advise asks for huge pages for a table. Here it does nothing.
func Advise[T any]([]T) {}
