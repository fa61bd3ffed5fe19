package jet

// SetFree lets a log of one's own believe that a file system has so many bytes free.
func SetFree(l *Log, free func() (bytes, all uint64, err error)) { l.own.free = free }
