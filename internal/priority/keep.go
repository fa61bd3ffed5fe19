// Package priority lowers the priority of this process or of one of its threads, so that
// other work goes first. An unprivileged process cannot raise it again.
package priority

import "os"

// KeepVariable is the name of an environment variable: if it is set, Thread and Idle do
// nothing. Tests that wait for work of a low priority set it, because such work hardly goes
// on while other tests use every processor.
const KeepVariable = "QUINTET_KEEP_PRIORITY"

func kept() bool { return os.Getenv(KeepVariable) != "" }
