package bots

// gatherStart returns weights set by hand, from which training begins: a step of
// distance and a group count against a side, a man that can go far for it.
func gatherStart(move, stuck int32) *gatherTable {
	var t gatherTable
	for i := range 9 {
		t[gatherMobility+i] = move * int32(i)
	}
	t[gatherMobility] = -stuck
	for i := range 13 {
		t[gatherGroups+i] = -14 * int32(i)
	}
	t[gatherSpread] = -40
	t[gatherFarthest] = -6
	t[gatherQuads], t[gatherQuads+1], t[gatherLinks] = 20, 20, 10
	for i := range 8 {
		t[gatherJoins+i] = 6 * int32(i)
		t[gatherStuck+i] = -8 * int32(i)
	}
	for i := range 6 {
		t[gatherFar+i] = -4 * int32(i+1)
	}
	t[gatherTempo] = 10
	return &t
}
