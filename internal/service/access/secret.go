package access

import (
	"crypto/rand"
	"encoding/base64"
)

func mintSecret(prefix string) string {
	body := prefix + random(32)
	return body + checksum(body)
}

// random returns so many random bytes in base64url.
func random(bytes int) string {
	secret := make([]byte, bytes)
	_, _ = rand.Read(secret) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(secret)
}

const hintSize = 4

// hint returns what tells a secret from others without giving it away.
func hint(secret string) string { return secret[len(secret)-hintSize:] }
