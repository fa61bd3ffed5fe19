package tournaments

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPublicViewIsLeft checks that a client that has left does not wait for a view that is being made.
func TestPublicViewIsLeft(t *testing.T) {
	v := visit{d: &document{public: publicView{turn: make(chan struct{}, 1)}}}
	v.d.public.turn <- struct{}{}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := (&Service{}).publicView(httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil), v); !errors.Is(err, context.Canceled) {
		t.Errorf("the request ends with %v, want that it is cancelled", err)
	}
}
