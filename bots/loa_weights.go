package bots

// loaWeights is the linear evaluation that plays the first games to train the network of
// loa.nnue.gz. It was fitted to 1,000 games of 500 nodes a move. The constants of
// connectionTable say which weight is which.
var loaWeights = connectionTable{
	2, -86, -7, -33, 59, -36, 2, 54, -4, 47,
	-38, -63, 10, 27, 59, 81, 50, 57, 63, 50,
	0, 0, 1, -16, -40, -94, -95, -78, -24, 19,
	61, 114, 151, 0, 16, 0, -9, -9, -4, -11,
	-5, 4, -1, 19, 0, 0, -14, -91, -81, -80,
	-76, -78, -73, -84, -70, -123, -154, -168, -126, -7,
	9, -1, 23, 31, 86, -14, -6, 7, 22, 27,
	40, 46, 47, -2, -14, -10, -20, -32, -40, -48,
	-56, -2, -8, -9, -9, -10, -4, 30,
}
