package jet

// SetFree replaces the function that returns the free space of an embedded log.
func SetFree(l *Log, free func() (bytes, all uint64, err error)) { l.embedded.free = free }
