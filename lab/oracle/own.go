package oracle

// own returns the oracle of a game that has no console program.
func own(name string) (start func() Game, ok bool) {
	start, ok = map[string]func() Game{
		// "mygame": newMygame,
	}[name]
	return start, ok
}
