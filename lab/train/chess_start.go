package train

// The offsets of the features, as in package bots, whose comments say what they count.
const (
	chessPlaces       = 0
	chessMoves        = chessPlaces + 6*32
	chessPair         = chessMoves + 66
	chessOpenFile     = chessPair + 1
	chessHalfOpenFile = chessOpenFile + 1
	chessIsolated     = chessHalfOpenFile + 1
	chessDoubled      = chessIsolated + 1
	chessSupported    = chessDoubled + 1
	chessPhalanx      = chessSupported + 8
	chessPassed       = chessPhalanx + 8
	chessPawnSteps    = chessPassed + 8
	chessByPawn       = chessPawnSteps + 1
	chessByMinor      = chessByPawn + 4
	chessByRook       = chessByMinor + 4
	chessLoose        = chessByRook + 4
	chessLoosePawn    = chessLoose + 4
	chessSpace        = chessLoosePawn + 1
	chessFlights      = chessSpace + 1
	chessDanger       = chessFlights + 9
	chessShield       = chessDanger + 40
	chessBareKing     = chessShield + 4
	chessWeightCount  = chessBareKing + 1
)

// startTable has the weights of chess before training, for the middlegame and the endgame.
type startTable [chessWeightCount][2]int32

// chessStart returns the initial weights of training, set by hand: roughly the common
// knowledge of ordinary chess, with cheaper pawns, and kings away from the centre while
// there are attackers.
func chessStart() (list []int32) {
	var t startTable
	t.places()
	base := chessMoves
	for _, m := range [...]struct{ count, usual, weight int }{{9, 4, 7}, {14, 6, 5}, {15, 7, 4}, {28, 13, 2}} {
		for i := range m.count {
			t.set(base+i, (i-m.usual)*m.weight, (i-m.usual)*m.weight)
		}
		base += m.count
	}
	t.set(chessPair, 30, 45)
	t.set(chessOpenFile, 30, 10)
	t.set(chessHalfOpenFile, 15, 5)
	t.set(chessIsolated, -8, -8)
	t.set(chessDoubled, -8, -15)
	for rank := range 8 {
		t.set(chessSupported+rank, 2*rank+4, 4)
		t.set(chessPhalanx+rank, 2*rank+2, 2)
		t.set(chessPassed+rank, 0, 2*rank)
	}
	t.set(chessPawnSteps, 3, 2)
	for i := range 4 {
		t.set(chessByPawn+i, 50+i/2*20, 45)
		t.set(chessByMinor+i, 20+i/2*20, 25)
		t.set(chessByRook+i, []int{15, 15, 0, 40}[i], []int{20, 20, 10, 30}[i])
		t.set(chessLoose+i, 30, 30)
	}
	t.set(chessLoosePawn, 8, 15)
	t.set(chessSpace, 4, 2)
	for i := range 9 {
		t.set(chessFlights+i, 10*min(i, 4)-30, 6*min(i, 4)-20)
	}
	for u := range 40 {
		t.set(chessDanger+u, -u*u*11/20, -u*u*3/20-u)
	}
	for i, w := range [...]int{-25, -8, 5, 10} {
		t.set(chessShield+i, w, 0)
	}
	t.set(chessBareKing, -15, 0)
	for _, w := range t {
		list = append(list, w[:]...)
	}
	return list
}

func (t *startTable) set(feature, middle, end int) { t[feature] = [2]int32{int32(middle), int32(end)} }

// places sets the piece-square weights.
func (t *startTable) places() {
	worth := [...][2]int{{60, 40}, {330, 300}, {345, 320}, {470, 520}, {950, 980}, {0, 0}}
	for i := range 6 * 32 {
		kind, row, file := i/32, i%32/4, i%4
		central := file - max(row-4, 3-row)
		middle, end := worth[kind][0], worth[kind][1]
		switch kind {
		case 0:
			middle += (7 - row) * (3 + 2*file) / 2
			if row == 0 {
				middle, end = 5, 5 // immobile, but an obstacle
			}
		case 1:
			middle, end = middle+10*central, end+6*central
		case 2:
			middle, end = middle+5*central, end+3*central
		case 3:
			middle += 2 * file
		case 4:
			middle, end = middle+2*central, end+4*central
		case 5:
			middle, end = middle-12*(7-row)-8*file+10, end+12*central
		}
		t.set(chessPlaces+i, middle, end)
	}
}
