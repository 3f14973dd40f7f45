package account

import (
	"guiche/internal/password"
	"guiche/internal/problem"
)

// Hasher turns passwords into what may be stored.
type Hasher = password.Hasher

// Argon2id hashes with argon2id into PHC strings.
type Argon2id = password.Argon2id

// Argon2idConfig sets the cost of a hash.
type Argon2idConfig = password.Argon2idConfig

// NewArgon2id returns a hasher.
func NewArgon2id(c Argon2idConfig) *Argon2id { return password.NewArgon2id(c) }

// passwordProblems returns what is wrong with a password that a person chose.
func passwordProblems(chosen string, owner User) []problem.Field {
	return password.Problems(chosen, owner.Name, owner.Login)
}

func fold(s string) string { return password.Fold(s) }

func normalize(s string) string { return password.Normalize(s) }
