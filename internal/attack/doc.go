// Package attack holds tests that attack a server of package serve by HTTP and
// WebSockets, as strangers and players can: every operation of the OpenAPI document with
// every field hostile, by a stranger, by the other seat and by a seat of another game;
// bodies and sockets that are slow and huge; the dearest requests in parallel.
//
// go test runs the quick version. QUINTET_ATTACK=2m go test -v (make attack) continues for
// that long with random values, and prints what it measured.
package attack
