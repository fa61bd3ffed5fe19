package pack

import (
	"debug/elf"
	"fmt"
)

// checkProgram returns an error unless a program is a static Linux binary for amd64, which runs in
// any grader's container.
func checkProgram(path string) error {
	const wants = "build one with CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build ./cmd/quintet, and name it with --program"
	f, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("the program %s is not for Linux (%w): %s", path, err, wants)
	}
	defer f.Close() //nolint:errcheck // only read
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return fmt.Errorf("the program %s is not static: %s", path, wants)
		}
	}
	if f.Machine != elf.EM_X86_64 {
		return fmt.Errorf("the program %s is for the processor %s: %s", path, f.Machine, wants)
	}
	return nil
}
