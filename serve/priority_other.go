//go:build !linux

package serve

// lowerPriority does nothing: on other systems priorities belong to processes.
func lowerPriority() {}

// lowestPriority does nothing, either.
func lowestPriority() {}
