// Package notrun says what tests did not look at, for want of a program that is not on this
// machine.
package notrun

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

// Say says what was not looked at here; .ci/run counts it.
func Say(tb testing.TB, what string) {
	tb.Helper()
	tb.Logf("not run: %s", what)
	list := os.Getenv("GUICHE_NOT_RUN")
	if list == "" {
		return
	}
	f, err := os.OpenFile(list, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600) //nolint:gosec // .ci/run names it
	if err == nil {
		_, err = fmt.Fprintf(f, "%s (%s)\n", what, tb.Name())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		tb.Fatal(err)
	}
}
