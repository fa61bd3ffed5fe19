//go:build !unix

package engineproc

// Background does nothing: this system has no such priority.
func Background() error { return nil }
