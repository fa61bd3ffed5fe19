package engine

// prefetch begins to load the cache line of an entry.
//
//go:noescape
func prefetch(e *entry)
