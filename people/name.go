package people

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quintet/live"
)

// Lengths of names in characters.
const (
	MinName = 2
	MaxName = 20
)

// Deleted is shown in place of the name of an erased account.
const Deleted = "deleted"

// reserved are names that could pass for the server, its staff, or nobody.
var reserved = []string{
	"admin", "administrator", "anonymous", "bot", "computer", "deleted", "engine", "guest", "help", "host", "mcts", "me",
	"moderator", "null", "nobody", "operator", "owner", "quintet", "random", "root", "server", "staff", "support",
	"system", "teacher", "undefined", "you",
}

// CheckName returns an error for a name that no account can have. Names are parts of URLs, so they
// consist of letters, digits, and single - _ . or blanks between them.
func CheckName(name string) error {
	n := utf8.RuneCountInString(name)
	switch {
	case !utf8.ValidString(name) || n < MinName || n > MaxName:
		return fmt.Errorf("a name has %d to %d characters", MinName, MaxName)
	case slices.Contains(reserved, live.Skeleton(name)) || strings.HasPrefix(live.Skeleton(name), "level") || isGuestName(name):
		return fmt.Errorf("name %q is reserved: choose another", name)
	}
	joined := true // at the start and after a separator
	for _, r := range name {
		joint := strings.ContainsRune("-_. ", r)
		if joint && joined || !joint && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return fmt.Errorf("name %q: use letters and digits, with single - _ . or blanks between them", name)
		}
		joined = joint
	}
	if joined {
		return fmt.Errorf("name %q: end it with a letter or a digit", name)
	}
	return nil
}
