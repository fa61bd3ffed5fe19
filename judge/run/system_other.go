//go:build !unix

package run

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

var errSystem = errors.New("judging needs Linux or another Unix; on Windows, use WSL 2")

// Supported returns an error on systems where programs cannot be controlled.
func Supported() error { return errSystem }

func signalName(s syscall.Signal) string { return s.String() }
func limitSignal(syscall.Signal) bool    { return false }
func unread(*os.File) bool               { return false }
func readNow(*os.File, []byte) int       { return 0 }
func killAndWait(int)                    {}
func runAs(*exec.Cmd, int)               {}
func ownedBy(os.FileInfo, int) bool      { return false }

// noFollow has no effect, because nothing is judged on these systems.
const noFollow = 0
