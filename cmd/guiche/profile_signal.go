//go:build profile

package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// profiled writes a profile of the processor into the file that GUICHE_PROFILE names, from one SIGHUP
// to the next, and says whether it will: for measuring alone, and no door of what people run. Until it is whole it is
// called .part.
func profiled() bool {
	file := os.Getenv("GUICHE_PROFILE")
	if file == "" {
		return false
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGHUP)
	go func() {
		for range told {
			if err := profileUntil(told, file); err != nil {
				fmt.Fprintln(os.Stderr, "guiche: profile:", err)
			}
		}
	}()
	return true
}

func profileUntil(told <-chan os.Signal, file string) error {
	f, err := os.Create(file + ".part") //nolint:gosec // named by whoever measures
	if err != nil {
		return err
	}
	err = pprof.StartCPUProfile(f)
	if err == nil {
		<-told
		pprof.StopCPUProfile()
	}
	return errors.Join(err, f.Close(), os.Rename(f.Name(), file))
}
