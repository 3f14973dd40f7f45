package main

import (
	"context"

	"guiche/internal/licenses"
)

// printLicenses is "guiche licenses": the licences ask that their texts go with every
// copy of the program, and it is one file.
func printLicenses(_ context.Context, env environment) error {
	all, err := licenses.All()
	if err != nil {
		return err
	}
	return licenses.Write(env.out, all)
}
