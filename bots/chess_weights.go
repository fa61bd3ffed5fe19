package bots

// The offsets of the features in a chessTable.
const (
	chessPlaces       = 0                  // by kind (pawn, knight, bishop, rook, queen, king) and place: 32 each
	chessMoves        = chessPlaces + 6*32 // by mobility: knight 9, bishop 14, rook 15, queen 28
	chessPair         = chessMoves + 66    // two bishops
	chessOpenFile     = chessPair + 1      // a rook on a file without pawns
	chessHalfOpenFile = chessOpenFile + 1  // without own pawns
	chessIsolated     = chessHalfOpenFile + 1
	chessDoubled      = chessIsolated + 1
	chessSupported    = chessDoubled + 1   // by row: a pawn protected by another
	chessPhalanx      = chessSupported + 8 // a pawn next to another
	chessPassed       = chessPhalanx + 8   // no pawn of the other side can stop or capture it
	chessPawnSteps    = chessPassed + 8    // a passed pawn's steps
	chessByPawn       = chessPawnSteps + 1 // by kind: a man attacked by a pawn
	chessByMinor      = chessByPawn + 4    // a weakly protected or greater man attacked by a minor piece
	chessByRook       = chessByMinor + 4
	chessLoose        = chessByRook + 4 // attacked and not protected
	chessLoosePawn    = chessLoose + 4
	chessSpace        = chessLoosePawn + 1 // an attacked cell in the middle
	chessFlights      = chessSpace + 1     // by number: cells to which the king can flee
	chessDanger       = chessFlights + 9   // by units of danger, up to 39
	chessShield       = chessDanger + 40   // by number, up to 3: pawns before the king
	chessBareKing     = chessShield + 4    // no own pawn on the king's file
	chessWeightCount  = chessBareKing + 1
)

// chessTable holds the packed weights of the features: the middle game in the upper half,
// the endgame in the lower.
type chessTable [chessWeightCount]int32

func packWeight(middle, end int) int32 { return int32(middle)<<16 + int32(end) }

func unpackWeight(w int32) (middle, end int) { return int(w+0x8000) >> 16, int(int16(w)) }

// chessStart returns the initial weights of training, set by hand: roughly the common
// knowledge of ordinary chess, with cheaper pawns, and kings away from the centre while
// there are attackers.
func chessStart() *chessTable {
	var t chessTable
	t.places()
	base := chessMoves
	for _, m := range [...]struct{ count, usual, weight int }{{9, 4, 7}, {14, 6, 5}, {15, 7, 4}, {28, 13, 2}} {
		for i := range m.count {
			t[base+i] = packWeight((i-m.usual)*m.weight, (i-m.usual)*m.weight)
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
	return &t
}

func (t *chessTable) set(feature, middle, end int) { t[feature] = packWeight(middle, end) }

// places sets the piece-square weights.
func (t *chessTable) places() {
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
