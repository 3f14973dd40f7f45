// Package password says which passwords may be chosen, and makes the hashes that
// are stored of them, for people and for the service's users alike.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Hasher makes and checks the hashes of passwords. Its calls are slow on purpose and
// end early, with ctx's error, only while they wait for others to finish.
type Hasher interface {
	Hash(ctx context.Context, password string) (string, error)
	Verify(ctx context.Context, hash, password string) (bool, error)
	// Decoy returns a hash that no password matches and that costs Verify as much
	// as a real one.
	Decoy() string
}

// Argon2idConfig sets the cost of a hash; zero fields take OWASP's values: 19 MiB,
// 2 passes, 1 thread.
type Argon2idConfig struct {
	MemoryKiB  uint32
	Passes     uint32
	Threads    uint8
	Concurrent int // hashes at one time; 0 means one for each processor
}

// Argon2id hashes with argon2id into PHC strings. Only so many hashes are made at
// one time, so that many logins at once cannot take all memory or all processors.
type Argon2id struct {
	cost  cost
	slots chan struct{}
}

// cost is what a hash takes, as its PHC string says.
type cost struct {
	memory, passes uint32
	threads        uint8
}

const (
	saltSize = 16
	hashSize = 32
)

// NewArgon2id returns a hasher.
func NewArgon2id(c Argon2idConfig) *Argon2id {
	a := &Argon2id{cost: cost{memory: 19 * 1024, passes: 2, threads: 1}}
	if c.MemoryKiB != 0 {
		a.cost.memory = c.MemoryKiB
	}
	if c.Passes != 0 {
		a.cost.passes = c.Passes
	}
	if c.Threads != 0 {
		a.cost.threads = c.Threads
	}
	if c.Concurrent == 0 {
		c.Concurrent = runtime.GOMAXPROCS(0)
	}
	a.slots = make(chan struct{}, c.Concurrent)
	return a
}

// Hash implements Hasher.
func (a *Argon2id) Hash(ctx context.Context, password string) (string, error) {
	salt := randomBytes(saltSize)
	key, err := a.derive(ctx, password, salt, a.cost)
	if err != nil {
		return "", err
	}
	return formatPHC(a.cost, salt, key), nil
}

// Verify implements Hasher, at the cost that the hash names.
func (a *Argon2id) Verify(ctx context.Context, hash, password string) (bool, error) {
	c, salt, want, err := parsePHC(hash)
	if err != nil {
		return false, err
	}
	got, err := a.derive(ctx, password, salt, c)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// Decoy implements Hasher.
func (a *Argon2id) Decoy() string {
	return formatPHC(a.cost, randomBytes(saltSize), randomBytes(hashSize))
}

// large is the memory of a hash, in KiB, from which on garbage is given back before it is taken: 19 MiB are as much as
// all else that the program holds, and would be taken beside what nobody needs any more. Where hashes are made at the
// same time they do not wait for that.
const large = 8 << 10

func (a *Argon2id) derive(ctx context.Context, password string, salt []byte, c cost) ([]byte, error) {
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(a.slots) == 1 && c.memory >= large {
		debug.FreeOSMemory()
	}
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.threads, hashSize), nil
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: it ends the program instead
	return b
}

func formatPHC(c cost, salt, key []byte) string {
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.passes, c.threads, encode(salt), encode(key))
}

var errMalformedHash = errors.New("password: a stored hash is not an argon2id PHC string")

func parsePHC(s string) (c cost, salt, key []byte, err error) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return cost{}, nil, nil, errMalformedHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.threads); err != nil || c.passes == 0 || c.threads == 0 {
		return cost{}, nil, nil, errMalformedHash
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	key, keyErr := base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || keyErr != nil || len(salt) == 0 || len(key) != hashSize {
		return cost{}, nil, nil, errMalformedHash
	}
	return c, salt, key, nil
}
