package stored

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// fetchTimeout is how long a server may take to answer.
const fetchTimeout = 30 * time.Second

// Fetch gets a review from a server, by the address of its page or of the API.
func Fetch(ctx context.Context, address string) (*Review, error) {
	at, err := reviewURL(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, fmt.Errorf("opening a review: %w", err)
	}
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, fmt.Errorf("opening a review: %w", err)
	}
	defer func() { _ = got.Body.Close() }()
	if got.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("opening a review: the server answers %s%s", got.Status, reason(got.Body))
	}
	return Read(got.Body)
}

// reason returns the sentence of an answer that says why a request was refused, "" without one.
func reason(body io.Reader) string {
	var answer struct {
		Error string `json:"error"`
	}
	data, err := io.ReadAll(io.LimitReader(body, 4<<10))
	if err != nil || json.Unmarshal(data, &answer) != nil || answer.Error == "" {
		return ""
	}
	return fmt.Sprintf(": %.300q", answer.Error) // quoted: it goes to a terminal
}

// reviewURL returns the address of a review in the API for that of its page.
func reviewURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", errors.New("opening a review: give an address such as http://127.0.0.1:8080/review/8gj4rxkqu2m5hd7yntwc")
	}
	page := regexp.MustCompile(`^(.*)/(?:review|api/reviews)/([0-9a-z]+)(?:/events)?/?$`)
	found := page.FindStringSubmatch(u.Path)
	if found == nil {
		return "", fmt.Errorf("opening a review: %.80q is not the path of a review: copy the address of its page, which has /review/ and an identifier", u.Path)
	}
	u.Path, u.RawPath, u.RawQuery, u.Fragment = found[1]+"/api/reviews/"+found[2], "", "", ""
	return u.String(), nil
}
