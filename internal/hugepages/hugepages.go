//go:build linux

// Package hugepages asks the system for large pages of memory.
package hugepages

import (
	"syscall"
	"unsafe"
)

// Advise asks for huge pages for a large table that is read at random: with small pages most reads
// miss the TLB, too, and the first use of each page costs time. If the kernel refuses, the table is slower.
func Advise[T any](table []T) {
	var one T
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), uintptr(len(table))*unsafe.Sizeof(one)) //nolint:gosec // the bytes of the table
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE)
}
