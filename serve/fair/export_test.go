package fair

// Len returns how many clients pass or wait.
func (g *Gate) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.clients)
}
