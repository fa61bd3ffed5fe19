package main

import (
	"os"
	"os/exec"
	"testing"
)

// TestPython runs the tests of the package for Python with this program. It needs python3, which make
// tools installs.
func TestPython(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "python3", "-m", "unittest", "discover", "tests")
	c.Dir = "../../python"
	c.Env = append(os.Environ(), "QUINTET="+self, asProgram+"=1", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
