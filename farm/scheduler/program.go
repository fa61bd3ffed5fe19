package scheduler

import (
	"errors"
	"io"

	"quintet/farm"
)

// Program is the executable that the coordinator offers to workers of another version.
type Program struct {
	farm.ProgramFile

	Content io.ReaderAt
}

// maxParts bounds the parts of programs in memory.
const maxParts = 8

// program answers a request for the farm's program. The worker was refused at its hello, so it
// is unknown here.
func (s *Scheduler) program(key string, m farm.ProgramRequest) (any, error) {
	s.mu.Lock()
	w := s.workers[key]
	s.mu.Unlock()
	if w != nil && w.state.Quarantined {
		return nil, w.banned()
	}
	p := s.config.Program
	if p == nil || p.OS != m.OS || p.Arch != m.Arch {
		return nil, farm.Refuse(farm.CodeInvalid, "the coordinator has no program for %.20s %.20s", m.OS, m.Arch)
	}
	if !m.Part {
		return p.ProgramFile, nil
	}
	select {
	case s.parts <- struct{}{}:
		defer func() { <-s.parts }()
		return p.part(m.Offset)
	default:
		return nil, farm.Refuse(farm.CodeBusy, "too many workers are downloading: try again")
	}
}

// part reads a part of a program.
func (p *Program) part(offset int64) ([]byte, error) {
	if offset < 0 || offset >= p.Size {
		return nil, farm.Refuse(farm.CodeInvalid, "byte %d of a program of %d", offset, p.Size)
	}
	b := make([]byte, min(farm.PartBytes, p.Size-offset))
	if _, err := p.Content.ReadAt(b, offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, farm.Refuse(farm.CodeBusy, "the coordinator cannot read its program: %v", err)
	}
	return b, nil
}
