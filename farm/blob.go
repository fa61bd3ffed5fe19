package farm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// BlobRef names content of a job that is too large for its spec, such as weights, by its
// SHA-256. The client uploads it after the spec, in parts; workers download and verify it.
type BlobRef struct {
	SHA256 string `json:"sha256"` // in lower-case hexadecimal digits
	Size   int    `json:"size"`
}

// Sizes of blobs, which come from clients, and of the parts of blobs and programs.
const (
	MaxBlobBytes = 16 << 20
	PartBytes    = 512 << 10
)

// NewBlobRef returns the name of content.
func NewBlobRef(content []byte) *BlobRef {
	sum := sha256.Sum256(content)
	return &BlobRef{hex.EncodeToString(sum[:]), len(content)}
}

// check returns an error unless the name and the size are possible.
func (b *BlobRef) check() error {
	if len(b.SHA256) != 2*sha256.Size || strings.Trim(b.SHA256, "0123456789abcdef") != "" {
		return fmt.Errorf("blob %.70q: expected a SHA-256 of 64 digits", b.SHA256)
	}
	if b.Size < 1 || b.Size > MaxBlobBytes {
		return fmt.Errorf("blob %.12s has %d bytes: expected 1 to %d", b.SHA256, b.Size, MaxBlobBytes)
	}
	return nil
}

// Parts returns how many parts the content has.
func (b *BlobRef) Parts() int { return (b.Size + PartBytes - 1) / PartBytes }

// Cut returns the parts of content.
func Cut(content []byte) [][]byte { return slices.Collect(slices.Chunk(content, PartBytes)) }

// CheckPart returns an error unless a part has the size that it should have.
func (b *BlobRef) CheckPart(part, size int) error {
	if part < 0 || part >= b.Parts() {
		return fmt.Errorf("part %d of blob %.12s: expected 0 to %d", part, b.SHA256, b.Parts()-1)
	}
	if want := min(PartBytes, b.Size-part*PartBytes); size != want {
		return fmt.Errorf("part %d of blob %.12s has %d bytes: expected %d", part, b.SHA256, size, want)
	}
	return nil
}

// Fetch returns the content of a blob, and verifies it.
func (b *BlobRef) Fetch(ctx context.Context, part func(ctx context.Context, part int) ([]byte, error)) ([]byte, error) {
	var content bytes.Buffer
	err := download(ctx, &content, b.SHA256, int64(b.Size), func(ctx context.Context, offset int64) ([]byte, error) {
		return part(ctx, int(offset/PartBytes))
	})
	if err != nil {
		return nil, fmt.Errorf("blob %.12s: %w", b.SHA256, err)
	}
	return content.Bytes(), nil
}

// download writes content to a writer by its parts, in order. It fails unless size and
// SHA-256 are as expected.
func download(ctx context.Context, to io.Writer, sum string, size int64, part func(ctx context.Context, offset int64) ([]byte, error)) error {
	hash := sha256.New()
	for at := int64(0); at < size; {
		b, err := part(ctx, at)
		if err != nil {
			return fmt.Errorf("downloading it: %w", err)
		}
		if len(b) == 0 || int64(len(b)) > size-at {
			return errors.New("downloading it: it has another size than expected")
		}
		_, _ = hash.Write(b) // a hash does not fail
		if _, err := to.Write(b); err != nil {
			return fmt.Errorf("writing it: %w", err)
		}
		at += int64(len(b))
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != sum {
		return fmt.Errorf("it has SHA-256 %.12s: expected %.12s", got, sum)
	}
	return nil
}
