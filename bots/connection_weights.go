package bots

// connectionStart returns the initial weights of training, set by hand: distance and groups
// count against a side, mobility for it.
func connectionStart(move, stuck int32) *connectionTable {
	var t connectionTable
	for i := range 9 {
		t[connectionMobility+i] = move * int32(i)
	}
	t[connectionMobility] = -stuck
	for i := range 13 {
		t[connectionGroups+i] = -14 * int32(i)
	}
	t[connectionSpread] = -40
	t[connectionFarthest] = -6
	t[connectionQuads], t[connectionQuads+1], t[connectionLinks] = 20, 20, 10
	for i := range 8 {
		t[connectionJoins+i] = 6 * int32(i)
		t[connectionStuck+i] = -8 * int32(i)
	}
	for i := range 6 {
		t[connectionFar+i] = -4 * int32(i+1)
	}
	t[connectionTempo] = 10
	return &t
}
