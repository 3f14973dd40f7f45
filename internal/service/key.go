package service

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strings"
)

// An API key is gch_, 32 random bytes in base64url and a checksum: whoever finds
// one knows what it is, and a mistyped one needs no look-up.
const (
	keyPrefix   = "gch_"
	keySecret   = 43 // characters of 32 bytes
	keyChecksum = 8
	keyHint     = 4
)

func mintKey() string {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails: it ends the program instead
	body := keyPrefix + base64.RawURLEncoding.EncodeToString(secret[:])
	return body + checksum(body)
}

func checksum(body string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) }

// hashKey returns the hash under which a key is kept, false for what is no key.
func hashKey(key string) ([sha256.Size]byte, bool) {
	if len(key) != len(keyPrefix)+keySecret+keyChecksum || !strings.HasPrefix(key, keyPrefix) {
		return [sha256.Size]byte{}, false
	}
	body, sum := key[:len(key)-keyChecksum], key[len(key)-keyChecksum:]
	return sha256.Sum256([]byte(key)), checksum(body) == sum
}
