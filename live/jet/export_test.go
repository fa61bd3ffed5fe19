package jet

import "context"

// SetFree replaces the function that returns the free space of an embedded log.
func SetFree(l *Log, free func() (bytes, all uint64, err error)) { l.embedded.free = free }

// DenyDelete makes a log like those of earlier versions.
func DenyDelete(ctx context.Context, l *Log) error {
	s, err := l.js.Stream(ctx, streamName)
	if err != nil {
		return err
	}
	c := s.CachedInfo().Config
	c.DenyDelete = true
	_, err = l.js.UpdateStream(ctx, c)
	return err
}

// DeleteOnly deletes a message without overwriting it, as a server does that is killed while it erases.
func DeleteOnly(ctx context.Context, l *Log, seq uint64) error {
	s, err := l.js.Stream(ctx, streamName)
	if err == nil {
		err = s.DeleteMsg(ctx, seq)
	}
	if err == nil {
		_, err = l.markErasing()
	}
	return err
}

// ManyErased is manyErased.
const ManyErased = manyErased

// ScrubOnce checks the first block of a log.
func ScrubOnce(ctx context.Context, l *Log, dir string) error {
	list, err := blocksOf(dir, streamName)
	if err == nil {
		l.scrubBlock(ctx, list[0], 0, true)
	}
	return err
}
