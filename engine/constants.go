package engine

import "fmt"

// Constant is a number on which the strength of a search depends.
type Constant struct {
	Name      string
	Value     *int
	Low, High int // outside, a search would never end or compute nonsense
	Step      int // by how much SPSA moves it in its first iterations; 0 for not at all
}

// NewConstant returns the Constant with a name, a range and a step.
func NewConstant(name string, value *int, low, high, step int) Constant {
	return Constant{name, value, low, high, step}
}

// Constants are the constants of a search. Users change them by name.
type Constants []Constant

// Names lists the names.
func (c Constants) Names() (names []string) {
	for _, k := range c {
		names = append(names, k.Name)
	}
	return names
}

// Set changes the constant with a name. It fails if there is no such constant, or if the value is
// outside its range.
func (c Constants) Set(name string, value int) error {
	for _, k := range c {
		switch {
		case k.Name != name:
		case value < k.Low || value > k.High:
			return fmt.Errorf("constant %s=%d: expected %d to %d", name, value, k.Low, k.High)
		default:
			*k.Value = value
			return nil
		}
	}
	return fmt.Errorf("constant %q: expected one of %v", name, c.Names())
}
