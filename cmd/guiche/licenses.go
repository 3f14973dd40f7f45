package main

import (
	"context"

	"guiche/internal/licenses"
)

func printLicenses(_ context.Context, env environment) error {
	all, err := licenses.All()
	if err != nil {
		return err
	}
	return licenses.Write(env.out, all)
}
