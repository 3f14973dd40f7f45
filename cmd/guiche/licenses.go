package main

import (
	"context"

	"guiche/internal/licenses"
)

// printLicenses is "guiche licenses". Most licences require that their text goes with
// every copy, and the program is distributed as a single file.
func printLicenses(_ context.Context, env environment) error {
	all, err := licenses.All()
	if err != nil {
		return err
	}
	return licenses.Write(env.out, all)
}
