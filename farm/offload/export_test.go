package offload

// The parts of Choose that the tests look at.
const (
	AckTime  = ackTime
	BeatTime = beatTime
	Overtime = overtime
)

// ChooseOf is Choose without a connection.
var ChooseOf = choose
