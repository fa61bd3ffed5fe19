package api

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestDeadlineWriter checks that a long answer is written completely, in chunks small enough for their
// deadlines.
func TestDeadlineWriter(t *testing.T) {
	want, most := bytes.Repeat([]byte("0123456789"), chunkSize/4), 0
	rec := httptest.NewRecorder()
	w := WithDeadlines(chunks{rec, &most}, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	if n, err := w.Write(want); n != len(want) || err != nil || !bytes.Equal(rec.Body.Bytes(), want) || most != chunkSize {
		t.Errorf("%d of %d bytes are written, %v, the largest chunk has %d, want %d", n, len(want), err, most, chunkSize)
	}
}

// chunks is a response that records its largest write.
type chunks struct {
	*httptest.ResponseRecorder
	most *int
}

func (c chunks) Write(data []byte) (int, error) {
	*c.most = max(*c.most, len(data))
	return c.ResponseRecorder.Write(data)
}
