// Package chaos tests that no acknowledged move is lost when servers, machines, disks or
// networks fail. It runs servers, plays on them, and injects faults under load: kills, power
// cuts, full disks, and failures of machines and networks in a cluster. After every fault it compares the games with
// what was acknowledged to the players.
//
// Kill, Power, Full and Nodes each run one kind of fault, Arena kills what leads an arena. Command returns the command
// chaos, which is not part of the released program.
package chaos
