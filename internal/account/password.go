package account

import (
	"context"

	"guiche/internal/password"
	"guiche/internal/problem"
)

// MinPassword is the length of the shortest password that may be chosen, in characters.
const MinPassword = password.MinRunes

// passwordProblems returns what is wrong with a password that a user chose.
func (s *Service) passwordProblems(ctx context.Context, chosen string, owner User) ([]problem.Field, error) {
	known := []string{owner.Name, owner.Login}
	if s.clinic != nil {
		names, err := s.clinic(ctx)
		if err != nil {
			return nil, err
		}
		known = append(known, names...)
	}
	return password.Problems(chosen, known...), nil
}

func fold(s string) string { return password.Fold(s) }

func normalize(s string) string { return password.Normalize(s) }
