package account

import (
	"guiche/internal/password"
	"guiche/internal/problem"
)

// passwordProblems returns what is wrong with a password that a user chose.
func passwordProblems(chosen string, owner User) []problem.Field {
	return password.Problems(chosen, owner.Name, owner.Login)
}

func fold(s string) string { return password.Fold(s) }

func normalize(s string) string { return password.Normalize(s) }
