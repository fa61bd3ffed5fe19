package lti

import (
	"bytes"
	"encoding/base64"
	"testing"
)

// TestPublicKeys accepts RSA keys of 2048 bits and more for RS256, and no others that a platform may list.
func TestPublicKeys(t *testing.T) {
	number := func(size int) string { return base64.RawURLEncoding.EncodeToString(bytes.Repeat([]byte{0xc1}, size)) }
	good := JWK{Type: "RSA", ID: "k", Use: "sig", Algorithm: "RS256", N: number(256), E: "AQAB"}
	if good.public() == nil {
		t.Error("a key of 2048 bits is refused")
	}
	for what, change := range map[string]func(*JWK){
		"1024 bits":             func(k *JWK) { k.N = number(128) },
		"16384 bits":            func(k *JWK) { k.N = number(2048) },
		"no exponent":           func(k *JWK) { k.E = "" },
		"a long exponent":       func(k *JWK) { k.E = number(4) },
		"no identifier":         func(k *JWK) { k.ID = "" },
		"for encryption":        func(k *JWK) { k.Use = "enc" },
		"another algorithm":     func(k *JWK) { k.Algorithm = "RS512" },
		"a secret":              func(k *JWK) { k.Type = "oct" },
		"not base64":            func(k *JWK) { k.N = "?" },
		"a point off the curve": func(k *JWK) { *k = JWK{Type: "EC", ID: "k", Curve: "P-256", X: number(32), Y: number(32)} },
		"another curve":         func(k *JWK) { *k = JWK{Type: "EC", ID: "k", Curve: "P-384", X: number(32), Y: number(32)} },
	} {
		k := good
		if change(&k); k.public() != nil {
			t.Errorf("%s: the key is accepted", what)
		}
	}
}
