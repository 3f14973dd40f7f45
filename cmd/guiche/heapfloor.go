package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapFloor is the size, in bytes, that the heap reaches before its garbage is collected.
// What the program keeps is some megabytes, and twice that is reached after a few
// pages: without a floor it would collect every few requests.
const heapFloor = 22 << 20

// raiseHeapFloor keeps the floor, also as what the program keeps grows and shrinks. The
// memory limit goes before it, and so does GOGC.
func raiseHeapFloor() {
	if _, set := os.LookupEnv("GOGC"); set {
		return
	}
	f := &floor{percent: 100}
	f.adjust()
	f.follow()
}

// floor is the collector's percentage as it was set last.
type floor struct{ percent int }

// follow adjusts the floor after each collection: a finalizer runs behind the one that
// found its object gone.
func (f *floor) follow() {
	runtime.SetFinalizer(&struct{ f *floor }{f}, func(mark *struct{ f *floor }) {
		mark.f.adjust()
		mark.f.follow()
	})
}

// adjust sets the percentage for what the last collection left. Setting it stops the
// program for a moment, so small changes are left.
func (f *floor) adjust() {
	kept := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(kept)
	if percent := growthTo(heapFloor, kept[0].Value.Uint64()); percent*8 < f.percent*7 || percent*7 > f.percent*8 {
		f.percent = percent
		debug.SetGCPercent(percent)
	}
}

// smallest is the heap, in bytes, that Go never collects at its usual percentage; it
// grows with the percentage.
const smallest = 4 << 20

// leastGrowth is how many per cent of what is kept may be added in any case. It is not the
// usual 100: a password that is hashed keeps more for a moment than all else.
const leastGrowth = 50

// growthTo is how many per cent of what is kept may be added until a floor is reached.
func growthTo(floor, kept uint64) int {
	if kept <= smallest {
		return int(100 * floor / smallest)
	}
	return max(leastGrowth, int(100*floor/kept)-100)
}
