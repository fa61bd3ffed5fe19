// Package attack tests that a server of package serve withstands hostile clients: it sends
// every operation of the OpenAPI document with every field hostile, as a stranger, the other
// seat and a seat of another game; slow and huge bodies and WebSockets; and the most expensive
// requests in parallel.
//
// go test runs the quick version. QUINTET_ATTACK=2m go test -v (make attack) continues for
// that long with random values, and prints what it measured.
package attack
