package fair

// Len returns how many clients have passed and not left, or wait.
func (g *Gate) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.clients)
}
