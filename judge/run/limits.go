package run

import (
	"fmt"
	"strings"
	"time"
)

// command returns a command line with which a shell sets the limits and then executes the
// program.
func (p *Program) command() []string {
	var w strings.Builder
	set := func(letter string, n int64) {
		if n > 0 {
			fmt.Fprintf(&w, "ulimit -%s %d; ", letter, n)
		}
	}
	l := p.Limits
	set("t", int64((l.CPU+time.Second-1)/time.Second))
	if !p.sanitized { // sanitizers reserve terabytes of data that they never use
		set("d", l.Memory/1024) // not -v: some languages reserve addresses, too
	}
	set("f", l.FileSize/512)
	set("n", int64(l.Files))
	w.WriteString("ulimit -c 0; ")
	if l.Processes > 0 { // the flag depends on the shell
		fmt.Fprintf(&w, "if (ulimit -p %d) 2>/dev/null; then ulimit -p %d; else ulimit -u %d; fi; ", l.Processes, l.Processes, l.Processes)
	}
	w.WriteString(`exec "$@"`)
	args := append(append([]string{}, p.Before...), "/bin/sh", "-c", w.String(), "sh")
	return append(args, p.Args...)
}
