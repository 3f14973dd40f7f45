//go:build !torture

package main

import "time"

// clock is the machine's.
func clock() time.Time { return time.Now() }
