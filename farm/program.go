package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// ProgramRequest asks for the farm's program for a system. With Part, it asks for the
// bytes from Offset on.
type ProgramRequest struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Part   bool   `json:"part,omitempty"`
	Offset int64  `json:"offset,omitempty"`
}

// ProgramFile describes an executable that a coordinator offers to workers of another
// version. The farm's key has signed Statement.
type ProgramFile struct {
	OS        string `json:"os"`
	Arch      string `json:"arch"`
	SHA256    string `json:"sha256"`
	Size      int64  `json:"size"`
	Signature []byte `json:"signature"`
}

// Sizes of a program, and of the parts that workers download.
const (
	MaxProgramBytes = 256 << 20
	PartBytes       = 512 << 10
)

// Statement returns what the farm's key signs.
func (p *ProgramFile) Statement() []byte {
	return fmt.Appendf(nil, "quintet program for %s %s: %d bytes, SHA-256 %s\n", p.OS, p.Arch, p.Size, p.SHA256)
}

// Check returns an error unless the program is for a system and of a reasonable size.
// The caller verifies the signature.
func (p *ProgramFile) Check(goos, arch string) error {
	switch {
	case p.OS != goos || p.Arch != arch:
		return fmt.Errorf("the coordinator offers a program for %.20s %.20s: expected one for %s %s", p.OS, p.Arch, goos, arch)
	case p.Size < 1 || p.Size > MaxProgramBytes:
		return fmt.Errorf("the coordinator offers a program of %d bytes: expected at most %d", p.Size, MaxProgramBytes)
	}
	return nil
}

// Download writes a program to a file by its parts, in order. It fails unless size and
// SHA-256 are those that were signed.
func (p *ProgramFile) Download(ctx context.Context, to io.Writer, part func(ctx context.Context, offset int64) ([]byte, error)) error {
	hash := sha256.New()
	for at := int64(0); at < p.Size; {
		b, err := part(ctx, at)
		if err != nil {
			return fmt.Errorf("downloading the program: %w", err)
		}
		if len(b) == 0 || int64(len(b)) > p.Size-at {
			return errors.New("downloading the program: it has another size than expected")
		}
		_, _ = hash.Write(b) // a hash does not fail
		if _, err := to.Write(b); err != nil {
			return fmt.Errorf("writing the program: %w", err)
		}
		at += int64(len(b))
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != p.SHA256 {
		return fmt.Errorf("the program has SHA-256 %.12s: expected %.12s", got, p.SHA256)
	}
	return nil
}
