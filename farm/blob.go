package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// BlobRef names content that is too large for a spec by its SHA-256: weights, or positions
// to search. The coordinator stores it once, and workers fetch and verify it.
type BlobRef struct {
	SHA256 string `json:"sha256"` // in lower-case hexadecimal digits
	Size   int    `json:"size"`
}

// Limits of blobs. Every client with a key can upload them.
const (
	MaxBlobBytes    = 16 << 20
	MaxBlobsOfJob   = 4
	MaxJobBlobBytes = 20 << 20  // of the blobs of a job together
	PartBytes       = 512 << 10 // of blobs and programs: they are sent in parts
)

// MaxBlobParts is how many parts a blob may have.
const MaxBlobParts = MaxBlobBytes / PartBytes

// NewBlobRef returns the name of content.
func NewBlobRef(content []byte) BlobRef {
	sum := sha256.Sum256(content)
	return BlobRef{hex.EncodeToString(sum[:]), len(content)}
}

// Valid returns an error unless a blob can have this name.
func (b BlobRef) Valid() error {
	if !validSHA256(b.SHA256) {
		return fmt.Errorf("blob %.70q: expected a SHA-256 of 64 digits", b.SHA256)
	}
	if b.Size < 1 || b.Size > MaxBlobBytes {
		return fmt.Errorf("blob %.12s has %d bytes: expected 1 to %d", b.SHA256, b.Size, MaxBlobBytes)
	}
	return nil
}

func validSHA256(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}

// Verify returns an error unless content has this name.
func (b BlobRef) Verify(content []byte) error {
	if got := NewBlobRef(content); got != b {
		return fmt.Errorf("blob %.12s of %d bytes: the content has SHA-256 %.12s and %d bytes", b.SHA256, b.Size, got.SHA256, got.Size)
	}
	return nil
}

// Parts returns how many parts the content has.
func (b BlobRef) Parts() int { return (b.Size + PartBytes - 1) / PartBytes }

// Part returns a part of the content.
func (b BlobRef) Part(content []byte, part int) []byte {
	return content[part*PartBytes : min((part+1)*PartBytes, b.Size)]
}

// BlobRequest asks for a part of a blob.
type BlobRequest struct {
	SHA256 string `json:"sha256"`
	Part   int    `json:"part"`
}

// BlobUpload is a part of a blob. Without Data it only asks which part is missing.
type BlobUpload struct {
	BlobRef

	Part int    `json:"part"`
	Data []byte `json:"data,omitempty"`
}

// BlobState is the answer to BlobUpload.
type BlobState struct {
	Missing int `json:"missing"` // the first part that is missing; -1 if none is
}

// Check returns an error unless the part has the size that it should have.
func (u *BlobUpload) Check() error {
	if err := u.Valid(); err != nil {
		return err
	}
	if u.Part < 0 || u.Part >= u.Parts() {
		return fmt.Errorf("part %d of blob %.12s: expected 0 to %d", u.Part, u.SHA256, u.Parts()-1)
	}
	if want := min(PartBytes, u.Size-u.Part*PartBytes); len(u.Data) != want && len(u.Data) > 0 {
		return fmt.Errorf("part %d of blob %.12s has %d bytes: expected %d", u.Part, u.SHA256, len(u.Data), want)
	}
	return nil
}

// Upload sends a blob to a coordinator by its parts, from the first one that is missing.
func (b BlobRef) Upload(ctx context.Context, content []byte, send func(context.Context, BlobUpload) (BlobState, error)) error {
	state, err := send(ctx, BlobUpload{BlobRef: b})
	for range 3 * MaxBlobParts { // the coordinator discards parts if another client has sent wrong ones
		if err != nil || state.Missing < 0 {
			break
		}
		if state.Missing >= b.Parts() {
			return fmt.Errorf("uploading blob %.12s: the coordinator asks for part %d of %d", b.SHA256, state.Missing, b.Parts())
		}
		state, err = send(ctx, BlobUpload{BlobRef: b, Part: state.Missing, Data: b.Part(content, state.Missing)})
	}
	switch {
	case err != nil:
		return fmt.Errorf("uploading blob %.12s: %w", b.SHA256, err)
	case state.Missing >= 0:
		return fmt.Errorf("uploading blob %.12s: the coordinator does not keep its parts", b.SHA256)
	}
	return nil
}

// Fetch returns the content of a blob, and verifies it.
func (b BlobRef) Fetch(ctx context.Context, part func(context.Context, BlobRequest) ([]byte, error)) ([]byte, error) {
	if err := b.Valid(); err != nil {
		return nil, err
	}
	content := make([]byte, 0, b.Size)
	err := download(ctx, appender{&content}, b.SHA256, int64(b.Size), func(ctx context.Context, offset int64) ([]byte, error) {
		return part(ctx, BlobRequest{b.SHA256, int(offset / PartBytes)})
	})
	if err != nil {
		return nil, fmt.Errorf("blob %.12s: %w", b.SHA256, err)
	}
	return content, nil
}

// appender is a writer that appends.
type appender struct{ to *[]byte }

func (a appender) Write(b []byte) (int, error) {
	*a.to = append(*a.to, b...)
	return len(b), nil
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
