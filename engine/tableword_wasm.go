package engine

// tableWord is a word of an entry of the table. WebAssembly has one thread, and Go calls two functions for
// each atomic access there.
type tableWord uint64

func (w *tableWord) Load() uint64   { return uint64(*w) }
func (w *tableWord) Store(v uint64) { *w = tableWord(v) }
