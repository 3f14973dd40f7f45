//go:build torture

package main

import (
	"os"
	"strings"
	"time"
)

// clock is a clock that somebody sets while the program runs: the machine's, and as much
// later or earlier as the file says that TORTURE_CLOCK names, such as "-8760h0m0s".
func clock() time.Time {
	now := time.Now().Round(0) // what is read is compared by what it says, as after a restart
	text, err := os.ReadFile(os.Getenv("TORTURE_CLOCK"))
	if err != nil {
		return now // nobody has set it yet
	}
	wrong, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		panic(err)
	}
	return now.Add(wrong)
}
