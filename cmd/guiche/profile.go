//go:build !profile

package main

// profiled writes no profile: nothing of the program tells what it does.
func profiled() bool { return false }
