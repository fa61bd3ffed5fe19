package live

// A player on vacation does not lose on time in correspondence games. Accounts keep the vacations, not games, so
// the server says with each command how long the side to move has been on vacation since the last event
// (Command.Grace). The event records it, so that replaying the log gives the same clocks.

// ChargedAt returns the service time up to which the side to move is charged. ok is false unless a correspondence
// clock is running.
func (t *Table) ChargedAt() (at int64, ok bool) {
	return t.clock.since, t.clock.running && t.clock.control.Days > 0
}

// grace limits a grace to the time since the last charge.
func (t *Table) grace(given, at int64) int64 {
	since, ok := t.ChargedAt()
	if !ok {
		return 0
	}
	return max(min(given, at-since), 0)
}

// credit returns the milliseconds that an event does not charge.
func (e Event) credit() int64 { return lagCredit(e.Lag) + e.Grace }
