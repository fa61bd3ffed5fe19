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
