//go:build !linux

package serve

// lowerPriority does nothing: elsewhere, priorities belong to processes.
func lowerPriority() {}
