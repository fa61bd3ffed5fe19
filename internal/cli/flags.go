// Package cli provides what the command lines of Quintet share: flags that check what they are
// given, arguments that name games, and error texts that say what would be right.
package cli

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quintet/game"
	"quintet/games"
)

// add adds a flag whose values are completed from a list, or not at all: the shell would
// offer files.
func add(c *cobra.Command, v pflag.Value, name, usage string, values ...cobra.Completion) {
	c.Flags().Var(v, name, usage)
	Complete(c, values, name)
}

// Complete completes flags with values from a list.
func Complete(c *cobra.Command, values []cobra.Completion, flags ...string) {
	complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	for _, name := range flags {
		_ = c.RegisterFlagCompletionFunc(name, complete) // fails only for an unknown flag
	}
}

// FlagError says what is wrong with a flag, and what would be right, in the words of this
// package instead of those of pflag and strconv.
func FlagError(c *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		if meant := closestFlag(c, unknown.GetSpecifiedName()); len(meant) > 0 {
			return fmt.Errorf("there is no flag --%s: did you mean --%s?", unknown.GetSpecifiedName(), strings.Join(meant, " or --"))
		}
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	cause := errors.Unwrap(err)
	switch invalid.GetFlag().Value.Type() {
	case "bool":
		cause = errors.New("give true or false")
	case "float64":
		cause = errors.New("give a number")
	}
	return fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), cause)
}

// whole are the types of flags for whole numbers.
type whole interface{ int | int64 | uint32 | uint64 }

// NumberFlag is a flag for a whole number, which may also be written like 1e6.
type NumberFlag[T whole] struct {
	at        *T
	low, high T // a high of 0 is no limit
}

// Number adds a flag for a whole number. Without Between or AtLeast it takes 0 or more.
func Number[T whole](c *cobra.Command, at *T, name string, value T, usage string) *NumberFlag[T] {
	*at = value
	f := &NumberFlag[T]{at: at}
	add(c, f, name, usage)
	return f
}

// Between sets the smallest and the largest number.
func (f *NumberFlag[T]) Between(low, high T) *NumberFlag[T] {
	f.low, f.high = low, high
	return f
}

// AtLeast sets the smallest number.
func (f *NumberFlag[T]) AtLeast(low T) *NumberFlag[T] {
	f.low = low
	return f
}

// Set implements pflag.Value.
func (f *NumberFlag[T]) Set(text string) error {
	const precision = 64 // bits: every number of the types is exact
	n, _, err := big.ParseFloat(text, 10, precision, big.ToZero)
	if err == nil && n.IsInt() && n.MantExp(nil) <= precision {
		var value T
		_, err := fmt.Sscan(n.Text('f', 0), &value) // fails if the type is too small
		if err == nil && value >= f.low && (f.high == 0 || value <= f.high) {
			*f.at = value
			return nil
		}
	}
	if f.high == 0 {
		return fmt.Errorf("give a whole number, %d or more", f.low)
	}
	return fmt.Errorf("give a whole number from %d to %d", f.low, f.high)
}

// String implements pflag.Value.
func (f *NumberFlag[T]) String() string { return fmt.Sprint(*f.at) }

// Type implements pflag.Value.
func (f *NumberFlag[T]) Type() string { return "number" }

// TimeFlag is a flag for a duration.
type TimeFlag struct {
	at        *time.Duration
	low, high time.Duration
	never     bool          // 0 is right, too
	unit      time.Duration // of a number alone; 0 if it must have a unit
}

// Time adds a flag for a duration. Without Between or AtLeast it takes 0s or more.
func Time(c *cobra.Command, at *time.Duration, name string, value time.Duration, usage string) *TimeFlag {
	*at = value
	f := &TimeFlag{at: at, high: math.MaxInt64}
	add(c, f, name, usage)
	return f
}

// Milliseconds adds a flag for a duration that engines usually count in milliseconds: a number
// without a unit is in milliseconds.
func Milliseconds(c *cobra.Command, at *time.Duration, name string, value time.Duration, usage string) *TimeFlag {
	f := Time(c, at, name, value, usage)
	f.unit = time.Millisecond
	return f
}

// Between sets the shortest and the longest time.
func (f *TimeFlag) Between(low, high time.Duration) *TimeFlag {
	f.low, f.high = low, high
	return f
}

// AtLeast sets the shortest time.
func (f *TimeFlag) AtLeast(low time.Duration) *TimeFlag {
	f.low = low
	return f
}

// OrNever allows 0s as well.
func (f *TimeFlag) OrNever() *TimeFlag {
	f.never = true
	return f
}

// Set implements pflag.Value.
func (f *TimeFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if n, bare := strconv.ParseFloat(text, 64); err != nil && bare == nil {
		if f.unit == 0 {
			return fmt.Errorf("give the unit, too, such as %ss", text)
		}
		d, err = time.Duration(n*float64(f.unit)), nil
	}
	if err == nil && (d >= f.low && d <= f.high || f.never && d == 0) {
		*f.at = d
		return nil
	}
	return errors.New("give " + f.words())
}

// words says which times are right.
func (f *TimeFlag) words() string {
	text := "a time of " + short(f.low) + " or more"
	switch {
	case f.high < math.MaxInt64:
		text = "a time from " + short(f.low) + " to " + short(f.high)
	case f.low == 0 && f.unit == 0:
		text = "a time of 0s or more, such as 10s"
	case f.low == 0:
		text = "a time, such as 500ms; a number alone is milliseconds"
	}
	if f.never {
		text += ", or 0s for never"
	}
	return text
}

// short formats a duration without zero minutes and seconds at its end.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// String implements pflag.Value. It is "0" for no time, which help does not show.
func (f *TimeFlag) String() string {
	if *f.at == 0 {
		return "0"
	}
	return short(*f.at)
}

// Type implements pflag.Value.
func (f *TimeFlag) Type() string { return "time" }

// textFlag is a flag for a text of a kind. check returns the text to use instead.
type textFlag struct {
	at    *string
	kind  string
	check func(text string) (string, error)
}

// Set implements pflag.Value.
func (f *textFlag) Set(text string) error {
	text, err := f.check(text)
	if err == nil {
		*f.at = text
	}
	return err
}

// String implements pflag.Value.
func (f *textFlag) String() string { return *f.at }

// Type implements pflag.Value.
func (f *textFlag) Type() string { return f.kind }

// Choice adds a flag for one of several words.
func Choice(c *cobra.Command, at *string, name, value, usage string, choices ...string) {
	*at = value
	check := func(text string) (string, error) {
		if slices.Contains(choices, text) {
			return text, nil
		}
		return "", errors.New("give " + game.Alternatives(choices))
	}
	add(c, &textFlag{at, "name", check}, name, usage, choices...)
}

// Game adds a flag for the name of a game.
func Game(c *cobra.Command, at *string, name, usage string) {
	check := func(text string) (string, error) {
		g, ok := find(text)
		if !ok {
			return "", errors.New("give " + game.Alternatives(games.Names()))
		}
		return g.Name, nil
	}
	add(c, &textFlag{at, "game", check}, name, usage, games.Names()...)
}

// Address adds a flag for an address to listen at. It may be "" if the default is "", or if
// optional.
func Address(c *cobra.Command, at *string, name, value string, optional bool, usage string) {
	*at = value
	check := func(text string) (string, error) {
		if _, _, err := net.SplitHostPort(text); err == nil || optional && text == "" {
			return text, nil
		}
		if _, err := strconv.ParseUint(text, 10, 16); err == nil {
			return "", fmt.Errorf("give a colon before the port: :%s for all addresses of this machine, 127.0.0.1:%[1]s for this machine alone", text)
		}
		return "", fmt.Errorf("give an address with a port, such as %s", value)
	}
	add(c, &textFlag{at, "address", check}, name, usage)
}
