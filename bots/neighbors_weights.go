package bots

// neighborsWeights is the linear evaluation that plays the first games to train the network of
// neighbors.nnue.gz. It was fitted to 1,000 games of 500 nodes a move. The constants of
// connectionTable say which weight is which.
var neighborsWeights = connectionTable{
	-121, -227, -44, 6, 74, 30, 140, 142, 23, -23,
	-276, 11, 44, 83, 124, 125, 188, 153, 173, 15,
	0, 0, -56, -35, -15, 4, -32, 4, 16, 20,
	36, 31, 26, 0, -44, 8, 16, 4, 5, 10,
	6, 1, -8, 2, 0, 0, -14, 3, -36, -69,
	-87, -101, -112, -111, -119, -133, -147, -168, -141, -41,
	8, -4, 31, 17, 88, 15, 11, 11, 16, 21,
	26, 31, 38, -12, -36, -34, -11, 4, -31, -47,
	-56, 10, 6, 7, 7, 7, 2, 42,
}
