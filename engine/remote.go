package engine

// Remote is implemented by a Searcher that searches elsewhere, such as in another process.
type Remote interface {
	Searcher

	// Err returns why the last search failed; nil if it did not. A failed search returns the
	// zero Line.
	Err() error

	// Release frees the memory that the searches need elsewhere. The next search begins with
	// empty tables.
	Release()

	// Elsewhere reports whether the search in progress needs no processor of this machine.
	Elsewhere() bool
}

// SearchError returns why the last search of a Remote failed, and nil for other searchers.
func SearchError(s Searcher) error {
	if r, ok := s.(Remote); ok {
		return r.Err()
	}
	return nil
}

// Release releases a Remote. Other searchers need no release: the garbage collector frees them.
func Release(s Searcher) {
	if r, ok := s.(Remote); ok {
		r.Release()
	}
}

// Elsewhere reports whether a Remote searches on another machine now.
func Elsewhere(s Searcher) bool {
	r, ok := s.(Remote)
	return ok && r.Elsewhere()
}
