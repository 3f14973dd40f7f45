package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Hash is the SHA-256 of a secret: what the store keeps of sessions and links, so
// that a stolen database gives no access.
type Hash [sha256.Size]byte

const secretSize = 32 // bytes of randomness in a session or link

// newSecret returns 32 random bytes in the alphabet of addresses and cookies.
func newSecret() string {
	var b [secretSize]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func hashOf(secret string) Hash { return sha256.Sum256([]byte(secret)) }
