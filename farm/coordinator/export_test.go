package coordinator

// Crash ends a coordinator as the end of its process does: it gives nothing up.
func (f *Coordinator) Crash() {
	f.conn.Close()
	_ = f.Close() // it cannot say goodbye
}
