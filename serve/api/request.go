package api

import (
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"quintet/serve/fair"
	"quintet/web/body"
)

// Parameters returns the query parameters. It rejects unknown names, because a misspelt
// filter would filter nothing.
func Parameters(r *http.Request, names ...string) (url.Values, error) {
	v, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, Invalid("request", "the parameters of the address cannot be read: expected NAME=VALUE with & between them")
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !slices.Contains(names, name) {
			p := Invalid("request", "there is no parameter %.60q here: expected %s", name, strings.Join(names, ", "))
			return nil, p.InField(strings.ToValidUTF8(name[:min(len(name), 60)], ""))
		}
	}
	return v, nil
}

// EventNumber reads the parameter of a stream that names the last event that the client
// knows; -1 if it knows none.
func EventNumber(text string) (int, error) {
	if text == "" {
		return -1, nil
	}
	n, err := strconv.ParseUint(text, 10, 30)
	if err != nil {
		return 0, Invalid("after", "after %.60q: expected the number of an event, 0 or more", text)
	}
	return int(n), nil
}

// The sizes of request bodies in bytes.
const (
	SmallBody  = 1 << 10   // commands
	LargeBody  = 32 << 10  // new games, which may begin with many moves
	LineBody   = 64 << 10  // lines of moves
	RecordBody = 256 << 10 // records
)

// Read decodes the JSON object in the body of a request; an empty body is an empty object.
// If names are given, other fields of v are rejected.
func Read(w http.ResponseWriter, r *http.Request, limit int64, v any, only ...string) error {
	data, err := io.ReadAll(http.MaxBytesReader(underlying(w), r.Body, limit))
	var long *http.MaxBytesError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Invalid("request", "the request did not come within %s: send all of it at once", StallTimeout)
	case errors.As(err, &long):
		return Problemf(http.StatusRequestEntityTooLarge, "large", "the request has more than %d bytes", limit)
	case err != nil:
		return Invalid("request", "the request could not be read: %v", err)
	case len(data) == 0:
		return nil
	}
	if len(only) > 0 {
		if err := body.Only(data, only...); err != nil {
			return err
		}
	}
	return body.Decode(data, v)
}

// BearerToken returns the token in the Authorization header; ok is false without one.
func BearerToken(r *http.Request) (token string, ok bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// Origin returns the address of this server from the client's view.
func (b *Base) Origin(r *http.Request) string {
	scheme := "http"
	if b.Secure(r) {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// Secure reports whether a request came by TLS, here or at a trusted proxy.
func (b *Base) Secure(r *http.Request) bool {
	return r.TLS != nil || b.TrustProxy && r.Header.Get("X-Forwarded-Proto") == "https"
}

// Address returns the client for limits: the network address of a guest, or a part of it for somebody with an
// account and for a student of a class. So all accounts behind one address share four shares of an address: a
// school is not one client, and one person with many accounts cannot take all shares.
func (b *Base) Address(r *http.Request) string {
	address := b.Network(r)
	if b.Member != nil && PersonSecret(r) != "" {
		if id := b.Member(b.Who(r)); id != "" {
			return address + fair.Part + id
		}
	}
	return address
}

// Network returns the client's network address. A proxy appends it to the header, or adds a header line; the client
// controls everything before that.
func (b *Base) Network(r *http.Request) string {
	if lines := r.Header.Values("X-Forwarded-For"); b.TrustProxy && len(lines) > 0 {
		list := strings.Split(lines[len(lines)-1], ",")
		if last := strings.TrimSpace(list[len(list)-1]); last != "" {
			return Network(last)
		}
	}
	return Network(r.RemoteAddr)
}

// Network returns the part of an address, with or without a port, that a client cannot
// choose freely: for IPv6 the first half, because a network owns all of the second.
func Network(text string) string {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return text
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	half, _ := a.WithZone("").Prefix(64) // IPv6 addresses always have this prefix
	return half.String()
}
