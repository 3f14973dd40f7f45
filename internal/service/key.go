package service

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strings"
)

// A secret of the service is a prefix, 32 random bytes in base64url and a
// checksum: whoever finds one knows what it is, and a mistyped one needs no
// look-up.
const (
	keyPrefix     = "gch_" // API key
	accessPrefix  = "gca_" // access token
	refreshPrefix = "gcr_" // refresh token
	clientPrefix  = "gcs_" // client_secret

	secretSize   = 43 // characters of 32 bytes
	checksumSize = 8
	hintSize     = 4
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

func checksum(body string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) }

// hashSecret returns the hash under which a secret is kept, false for what is no
// secret with the prefix.
func hashSecret(prefix, secret string) ([sha256.Size]byte, bool) {
	if len(secret) != len(prefix)+secretSize+checksumSize || !strings.HasPrefix(secret, prefix) {
		return [sha256.Size]byte{}, false
	}
	body, sum := secret[:len(secret)-checksumSize], secret[len(secret)-checksumSize:]
	return sha256.Sum256([]byte(secret)), checksum(body) == sum
}

// hint returns what tells a secret from others without giving it away.
func hint(secret string) string { return secret[len(secret)-hintSize:] }
