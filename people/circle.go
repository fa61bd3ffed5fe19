package people

import "slices"

// MaxCircle is how many people an account may follow, and how many it may block.
const MaxCircle = 200

// Tie is a one-sided relation of an account to another.
type Tie string

// The ties.
const (
	Follow Tie = "follow"
	Block  Tie = "block" // the two are never paired, and cannot challenge each other
)

// ties returns the list of one kind of ties.
func (a *Account) ties(t Tie) *[]string {
	if t == Follow {
		return &a.Follows
	}
	return &a.Blocks
}

// Tie makes an account follow or block another; each replaces the other. The error wraps ErrMany if there are
// MaxCircle.
func (a *Account) Tie(t Tie, id string) error {
	list := a.ties(t)
	switch {
	case slices.Contains(*list, id):
		return nil
	case len(*list) >= MaxCircle:
		return ErrMany
	}
	other := Follow
	if t == Follow {
		other = Block
	}
	a.Untie(other, id)
	*list = append(*list, id)
	return nil
}

// Untie removes a tie.
func (a *Account) Untie(t Tie, id string) {
	list := a.ties(t)
	*list = slices.DeleteFunc(*list, func(o string) bool { return o == id })
}

// Apart reports whether either of two people blocks the other.
func (s *Store) Apart(one, other string) bool {
	a, _ := s.Account(one)
	b, _ := s.Account(other)
	return slices.Contains(a.Blocks, b.ID) || slices.Contains(b.Blocks, a.ID)
}
