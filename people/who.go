package people

import (
	"errors"
	"slices"
)

// Who is the sender of a request: somebody with an account, a guest, or nobody.
type Who struct {
	ID      string // "" for nobody
	Account Account
	Grant   Grant
	Signed  bool // in to Account, by Grant
}

// Who returns the person with a secret. Once an account has a guest's games, the guest's old secret
// belongs to nobody: the account has secrets of its own.
func (s *Store) Who(secret string) Who {
	if secret == "" {
		return Who{}
	}
	if a, g, ok := s.Holder(secret); ok {
		s.visits.Add(a.ID, s.now())
		return Who{a.ID, a, g, true}
	}
	id := GuestID(secret)
	if _, ok := s.Account(id); ok {
		return Who{}
	}
	return Who{ID: id}
}

// IDs returns the identifiers under which the person may play: none for a token without the scope Play.
func (w Who) IDs() []string {
	switch {
	case w.Signed && w.Grant.Allows(Play):
		return w.Account.IDs()
	case w.ID == "" || w.Signed:
		return nil
	}
	return []string{w.ID}
}

// TakeOver adds a guest's games to an account. The error wraps ErrMany if the account already has the
// games of MaxGuests guests.
func (a *Account) TakeOver(guest string) error {
	if guest == a.ID || slices.Contains(a.Guests, guest) {
		return nil
	}
	if len(a.Guests) >= MaxGuests {
		return errors.Join(ErrMany, errors.New("the account has the games of too many guests"))
	}
	a.Guests = append(a.Guests, guest)
	return nil
}
