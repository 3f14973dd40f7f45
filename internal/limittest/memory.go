package limittest

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
)

const mebibyte = 1 << 20

// Peak runs work and returns this process's highest heap and, on Linux, resident memory in MiB.
func Peak(work func()) (heap, resident float64) {
	debug.FreeOSMemory()
	resetResidentPeak()
	var highest atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			highest.Store(max(highest.Load(), m.HeapInuse))
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	work()
	close(stop)
	<-stopped
	return float64(highest.Load()) / mebibyte, residentPeak()
}

// resetResidentPeak sets VmHWM to what is resident now; elsewhere than on Linux it does nothing.
func resetResidentPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// residentPeak returns VmHWM in MiB, 0 where there is none.
func residentPeak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	var kilobytes float64
	if _, line, ok := strings.Cut(string(status), "VmHWM:"); ok {
		_, _ = fmt.Sscan(line, &kilobytes)
	}
	return kilobytes / 1024
}
