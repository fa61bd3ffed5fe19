//go:build !unix

package run

import (
	"errors"
	"os"
	"syscall"
)

var errSystem = errors.New("programs are judged on Linux, or another Unix: on Windows, in WSL 2")

// Supported returns an error where programs cannot be stopped and watched.
func Supported() error { return errSystem }

func groupOfItsOwn() *syscall.SysProcAttr { return nil }
func killGroup(int) error                 { return errSystem }
func signalName(s syscall.Signal) string  { return s.String() }
func limitSignal(syscall.Signal) bool     { return false }
func unread(*os.File) bool                { return false }

const lastSignal = 32
