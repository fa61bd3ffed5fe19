//go:build !unix

package main

import "errors"

// canReplace says that a process can become another program.
const canReplace = false

func replaceProcess(string) error { return errors.ErrUnsupported }
