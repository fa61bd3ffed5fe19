package platform

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestMain makes the test a program that lowers its own priority, if it is started as one.
func TestMain(m *testing.M) {
	nice, isChild := os.LookupEnv("PRIORITY_TEST_NICE")
	if !isChild {
		os.Exit(m.Run())
	}
	n, err := strconv.Atoi(nice)
	if err == nil {
		err = LowerProcess(n)
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(strings.Join(niceValues(), " "))
}

// niceValues returns the nice values of the threads of this process.
func niceValues() (list []string) {
	_, _ = lowerThreads(func(id int) (bool, error) {
		now, err := niceOf(id)
		list = append(list, strconv.Itoa(now))
		return false, err
	})
	return list
}

// TestProcess checks that every thread of a process gets the nice value, and that a process
// with a higher one keeps it.
func TestProcess(t *testing.T) {
	own, err := niceOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, nice := range []int{1, 10, 30} {
		c := exec.CommandContext(t.Context(), os.Args[0])
		c.Env = append(os.Environ(), "PRIORITY_TEST_NICE="+strconv.Itoa(nice), "GORACE=atexit_sleep_ms=0")
		out, err := c.Output()
		list := strings.Fields(string(out))
		if err != nil || len(list) < 2 {
			t.Fatalf("nice %d: %q, %v", nice, out, err)
		}
		for _, got := range list {
			if want := strconv.Itoa(max(own, min(nice, LeastPriority))); got != want {
				t.Errorf("nice %d: the threads have %q, want %s", nice, list, want)
			}
		}
	}
}
