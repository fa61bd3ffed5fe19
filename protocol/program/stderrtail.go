package program

import (
	"strings"
	"sync"
)

// stderrTail keeps the end of a program's standard error.
type stderrTail struct {
	mu   sync.Mutex // guards tail
	tail []byte
}

// tailBytes is the number of bytes kept.
const tailBytes = 2_000

// Write implements io.Writer.
func (c *stderrTail) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tail = append(c.tail, b...)
	c.tail = c.tail[max(len(c.tail)-tailBytes, 0):]
	return len(b), nil
}

// last returns the last non-blank line.
func (c *stderrTail) last() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(c.tail)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
