package people

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// Parameters of argon2id. OWASP's Password Storage Cheat Sheet lists several that are equally strong; these use the
// least memory. A hash allocates 7 MiB and takes about 25 ms, so callers limit how many run at a time.
const (
	argonMemory  = 7 << 10 // KiB
	argonTime    = 5
	argonThreads = 1
	argonKey     = 32 // bytes
	argonSalt    = 16 // bytes
)

// argonForm is the PHC string format of a hash: the memory, the time, and the salt and the key with a $ between.
const argonForm = "$argon2id$v=19$m=%d,t=%d,p=1$%s"

// Lengths of passwords.
const (
	MinPassword = 8   // characters
	MaxPassword = 200 // bytes
)

// CheckPassword returns an error for a password that is too short, too long, or equal to the name.
func CheckPassword(password, name string) error {
	switch {
	case utf8.RuneCountInString(password) < MinPassword || len(password) > MaxPassword:
		return fmt.Errorf("a password has at least %d characters, and at most %d bytes", MinPassword, MaxPassword)
	case strings.EqualFold(password, name):
		return fmt.Errorf("the password is the name: choose another")
	}
	return nil
}

// HashPassword returns the hash of a password, with a new salt.
func HashPassword(password string, random io.Reader) (string, error) {
	salt := make([]byte, argonSalt)
	if _, err := io.ReadFull(random, salt); err != nil {
		return "", fmt.Errorf("hashing a password: %w", err)
	}
	encode := base64.RawStdEncoding.EncodeToString
	key := argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonThreads, argonKey)
	return fmt.Sprintf(argonForm, argonMemory, argonTime, encode(salt)+"$"+encode(key)), nil
}

// VerifyPassword reports whether a hash is that of a password. It takes just as long for an empty or
// unknown hash, so that the response time does not reveal which names exist. A hash with older parameters takes longer.
func VerifyPassword(hash, password string) bool {
	memory, time, text := uint32(argonMemory), uint32(argonTime), ""
	_, err := fmt.Sscanf(hash, argonForm, &memory, &time, &text)
	first, second, _ := strings.Cut(text, "$")
	salt, err2 := base64.RawStdEncoding.DecodeString(first)
	want, err3 := base64.RawStdEncoding.DecodeString(second)
	known := memory == argonMemory && time == argonTime || memory == 19<<10 && time == 2 // which was used before
	ok := known && err == nil && err2 == nil && err3 == nil && len(salt) == argonSalt
	if !ok {
		memory, time, salt = argonMemory, argonTime, make([]byte, argonSalt)
	}
	key := argon2.IDKey([]byte(password), salt, time, memory, argonThreads, argonKey)
	return subtle.ConstantTimeCompare(key, want) == 1 && ok
}

// crockford is the alphabet of recovery codes: Crockford's base32, without I, L, O and U.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeLength is the number of characters of a recovery code. Each has 5 bits, together 130.
const codeLength = 26

// NewRecoveryCode returns a new recovery code, printed in groups, and the hash to store. The code has
// 130 random bits, so a fast hash is safe.
func NewRecoveryCode(random io.Reader) (code, hash string, err error) {
	var b [codeLength]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", "", fmt.Errorf("making a recovery code: %w", err)
	}
	for i := range b {
		if i > 0 && i%5 == 0 {
			code += "-"
		}
		code += string(crockford[b[i]%32])
	}
	return code, hashCode(code), nil
}

// VerifyRecoveryCode reports whether a hash is that of a code. The code may be typed in lower case, and
// without the hyphens.
func VerifyRecoveryCode(hash, code string) bool {
	return hash != "" && subtle.ConstantTimeCompare([]byte(hash), []byte(hashCode(code))) == 1
}

// hashCode returns the hash of a code. It reads O as 0, and I and L as 1.
func hashCode(code string) string {
	code = strings.Map(func(r rune) rune {
		switch r {
		case 'O':
			return '0'
		case 'I', 'L':
			return '1'
		case '-', ' ':
			return -1
		}
		return r
	}, strings.ToUpper(code))
	sum := sha256.Sum256([]byte("quintet recovery " + code))
	return hex.EncodeToString(sum[:])
}
