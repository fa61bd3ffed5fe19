package picture

// StoneColours returns the colours that pieces.json names.
func StoneColours() map[string]string { return stoneColours }
