package engine

import (
	"syscall"
	"unsafe"
)

// adviseHugePages asks for huge pages for the entries of a table: a search reads them at
// random, so that with small pages most reads miss the TLB, too. If the kernel refuses, the
// table is slower.
func adviseHugePages(entries []entry) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(entries))), len(entries)*entryBytes) //nolint:gosec // the bytes of the entries
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE)
}
